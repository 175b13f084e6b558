import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from maththera.flows.checker.flow_checker import load
from maththera.flows.runs.flow_runner import run_flow
from maththera.runtime.tool_interface import ToolSpec
from maththera.runtime.tracing import STANDARD_VARIABLE, span, start_tracing, stop_tracing
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.config import Servers
from tests.support.mcp_servers import faulty_server


class Collector(HTTPServer):
    """An OTLP collector that keeps what it is sent."""

    def __init__(self) -> None:
        self.spans: dict[str, Span] = {}
        self.services: set[str] = set()
        super().__init__(("127.0.0.1", 0), Receiver)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Receiver(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["content-length"])))
        for resource in request.resource_spans:
            self.server.services |= {
                a.value.string_value for a in resource.resource.attributes if a.key == "service.name"
            }
            self.server.spans |= {s.name: s for scope in resource.scope_spans for s in scope.spans}
        self.send_response(200 if self.path == "/v1/traces" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        stop_tracing()
        server.shutdown()
        thread.join()


def spans(collector: Collector) -> dict[str, Span]:
    with span("turn", session="s-1"), span("diagnose", c_level=5):
        pass
    stop_tracing()
    return collector.spans


@pytest.mark.parametrize("ending", ["", "/"])
def test_spans_reach_the_collector_one_inside_the_other(collector: Collector, ending: str) -> None:
    assert start_tracing(collector.address + ending)

    found = spans(collector)

    assert found["diagnose"].parent_span_id == found["turn"].span_id
    assert [(a.key, a.value.int_value) for a in found["diagnose"].attributes] == [("c_level", 5)]
    assert collector.services == {"maththera"}


def test_the_standard_variable_counts(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STANDARD_VARIABLE, collector.address)

    assert start_tracing()

    assert set(spans(collector)) == {"turn", "diagnose"}


def test_a_failure_is_marked_on_its_span(collector: Collector) -> None:
    start_tracing(collector.address)

    with pytest.raises(ZeroDivisionError), span("feedback"):
        _ = 1 / 0
    stop_tracing()

    assert collector.spans["feedback"].status.message == "ZeroDivisionError: division by zero"


FLOW = """
flow:
  name: notes
  inputs: [{name: word, type: string}]
  steps:
    - {id: note, mcp_call: {server: faulty, tool: write, params: {word: $inputs.word}}}
"""


@pytest.mark.slow
async def test_a_step_of_a_flow_and_its_call_of_a_tool_are_spans(collector: Collector, tmp_path: Path) -> None:
    start_tracing(collector.address)
    spec = ToolSpec("faulty", "write", "write", {"type": "object"}, {"type": "object"}, writes=True, idempotent=False)
    flow = load(FLOW, path="notes.yaml", catalogue={"faulty": {"write": spec}})

    with span("flow.notes"):
        async with ServerManager(Servers({"faulty": faulty_server(tmp_path / "diary")}, {})) as manager:
            outcome = await run_flow(flow, {"word": "a"}, manager)
    stop_tracing()

    assert outcome.status == "completed"
    step, call = collector.spans["flow.step"], collector.spans["mcp.call"]
    assert said(step) == {"flow": "notes", "step": "note", "kind": "mcp_call", "status": "done"}
    assert said(call) == {"server": "faulty", "tool": "write"}
    assert step.parent_span_id == collector.spans["flow.notes"].span_id
    assert call.parent_span_id == step.span_id


def said(found: Span) -> dict[str, str]:
    return {each.key: each.value.string_value for each in found.attributes}


def test_nothing_happens_while_it_is_off() -> None:
    assert not start_tracing()

    with span("turn", session="s-1") as current, span("diagnose"):
        pass

    assert current is None
    assert span("turn") is span("diagnose", c_level=5)


def test_a_service_without_tracing_does_not_load_it() -> None:
    check = (
        "import sys; from maththera.runtime.tracing import span, start_tracing; start_tracing(); span('turn');"
        "sys.exit('opentelemetry' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
