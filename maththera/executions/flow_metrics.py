"""What Prometheus sees of flows, their steps and their tools. The number of label values is bounded: flows are written
by authors, and a service lives long."""

import re
from datetime import UTC, datetime
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram

from maththera.runtime.event_log import Event
from maththera.store.executions import ExecutionRow

SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)
OTHER: Final = "(other)"
_MOST_FLOWS: Final = 200
_MOST_STEPS: Final = 1_000
_MOST_TOOLS: Final = 500
_ITEM: Final = re.compile(r"\[\d+\]")
_ENDS: Final = {"step_finished": "done", "step_skipped": "skipped", "step_failed": "failed"}


class FlowMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, what: str, *labels: str) -> Counter:
            return Counter(f"maththera_{name}", what, labels, registry=registry)

        def histogram(name: str, what: str, *labels: str) -> Histogram:
            return Histogram(f"maththera_{name}", what, labels, buckets=SECONDS, registry=registry)

        self._runs = counter("flow_runs", "Runs of flows that ended", "flow", "outcome")
        self._run_seconds = histogram("flow_run_seconds", "From the beginning to the end of a run", "flow")
        self._steps = counter("flow_steps", "Steps that ended", "flow", "step", "outcome")
        self._step_seconds = histogram(
            "flow_step_seconds", "Time of a step, waiting for people included", "flow", "step"
        )
        self._retries = counter("flow_step_retries", "Further attempts of steps", "flow", "step")
        self._calls = counter("tool_calls", "Calls of MCP tools", "server", "tool", "outcome")
        self._call_seconds = histogram("tool_call_seconds", "Time of a call with all its attempts", "server", "tool")
        self._flows, self._paths, self._tools = _Bounded(_MOST_FLOWS), _Bounded(_MOST_STEPS), _Bounded(_MOST_TOOLS)

    def event(self, row: ExecutionRow, event: Event) -> None:
        """Counts what a run tells."""
        kind = event["type"]
        if kind == "final":
            (flow,) = self._flows.labels(row.flow_name)
            self._runs.labels(flow, event["status"]).inc()
            self._run_seconds.labels(flow).observe((datetime.now(UTC) - row.created_at).total_seconds())
        elif kind in _ENDS or kind == "retry":
            step = self._paths.labels(row.flow_name, _ITEM.sub("[]", event["step"]))
            if kind == "retry":
                self._retries.labels(*step).inc()
                return
            self._steps.labels(*step, _ENDS[kind]).inc()
            if "ms" in event:
                self._step_seconds.labels(*step).observe(event["ms"] / 1_000)

    def call(self, server: str, tool: str, outcome: str, seconds: float) -> None:
        """`outcome`: ok, or the code of the error."""
        labels = self._tools.labels(server, tool)
        self._calls.labels(*labels, outcome).inc()
        self._call_seconds.labels(*labels).observe(seconds)


class _Bounded:
    """The first label values as they are, all further ones as `OTHER`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[tuple[str, ...]] = set()

    def labels(self, *values: str) -> tuple[str, ...]:
        if values in self._known:
            return values
        if len(self._known) >= self._most:
            return (OTHER,) * len(values)
        self._known.add(values)
        return values
