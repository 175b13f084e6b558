"""The servers' tools over streamable HTTP, as any MCP client calls them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from maththera.servers.report_node import build
from maththera.servers.toolkit.server_base import ServerResources
from maththera.settings import Settings
from tests.api.conftest import Api, FlowApi


@asynccontextmanager
async def client_of(api: Api, server: str, headers: dict[str, str]) -> AsyncIterator[Client]:
    transport = httpx2.ASGITransport(api.app)
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers) as http,
        Client(streamable_http_client(f"http://test/mcp/{server}", http_client=http)) as client,
    ):
        yield client


async def test_any_client_lists_and_calls_the_tools(flow_api: FlowApi) -> None:
    listed = (await flow_api.client.get("/api/v1/tools")).json()["tools"]
    async with client_of(flow_api, "faulty", await flow_api.as_("admin")) as client:
        found = (await client.list_tools()).tools
        assert {tool.name for tool in found} == {tool["name"] for tool in listed if tool["server"] == "faulty"}
        done = await client.call_tool("write", {"word": "하나"})
        assert (done.is_error, done.structured_content) == (False, {"count": 1})
        refused = await client.call_tool("write", {})
        assert refused.is_error
        assert "word: 꼭 필요합니다." in refused.content[0].text  # type: ignore[union-attr]


async def test_a_server_says_the_same_of_itself_as_over_stdio(api: Api, tmp_path: Path) -> None:
    own = build(ServerResources(Settings(data_dir=tmp_path)))
    async with client_of(api, "report-node-mcp", await api.as_("admin")) as client, Client(own) as alone:
        assert client.server_info == alone.server_info
        assert client.server_info is not None
        assert (client.server_info.title, client.server_info.version) == ("보고서", version("maththera"))
        wrong = [await each.call_tool("make_report", {}) for each in (client, alone)]
    assert [each.is_error for each in wrong] == [True, True]
    assert wrong[0].content == wrong[1].content
    assert "있는 도구: generate_typst_report" in wrong[0].content[0].text  # type: ignore[union-attr]


async def test_the_link_to_a_report_is_a_whole_address(api: Api) -> None:
    admin = await api.as_("admin")
    async with client_of(api, "report-node-mcp", admin) as client:
        made = await client.call_tool("generate_typst_report", {"student_id": "s1", "report_type": "diagnostic"})
    url = (made.structured_content or {})["pdf_url"]
    assert url.startswith("http://127.0.0.1:8000/api/v1/reports/")
    assert (await api.client.get(url)).content.startswith(b"%PDF")


async def test_a_server_that_ends_is_told_of_in_korean(flow_api: FlowApi) -> None:
    async with client_of(flow_api, "faulty", await flow_api.as_("admin")) as client:
        failed = await client.call_tool("write_and_die", {"word": "끝"})
    assert failed.is_error
    assert "서버가 지금 답하지 않습니다" in failed.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize("role", ["student", "guardian"])
async def test_children_and_guardians_call_nothing(flow_api: FlowApi, role: str) -> None:
    answer = await flow_api.client.post("/mcp/any", json={}, headers=await flow_api.as_(role, "s1"))  # type: ignore[arg-type]
    assert answer.status_code == 403


async def test_a_server_that_is_not_there_and_a_caller_without_a_token(flow_api: FlowApi) -> None:
    assert (await flow_api.client.post("/mcp/none", json={})).status_code == 404
    assert (await flow_api.client.post("/mcp/none", json={}, headers={"Authorization": ""})).status_code == 401


async def test_only_messages_are_taken_and_counted_by_their_address(flow_api: FlowApi) -> None:
    """A stream that nothing is ever sent on would hold a connection for each client that asks for it."""
    for method in ("GET", "DELETE"):
        answer = await flow_api.client.request(method, "/mcp/faulty")
        assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")
    await flow_api.client.post("/mcp/faulty", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert 'route="/mcp/{server}"' in (await flow_api.client.get("/metrics")).text


@pytest.mark.parametrize("value", ["a\0b", ["a\0b"], 10**30])
async def test_what_no_program_can_carry_is_refused_before_it_is_sent(flow_api: FlowApi, value: object) -> None:
    before = (await flow_api.client.get("/api/v1/tools")).json()["servers"]["faulty"]["calls"]
    async with client_of(flow_api, "faulty", await flow_api.as_("admin")) as client:
        refused = await client.call_tool("write", {"word": value})
    assert refused.is_error
    assert "word: 쓸 수 없는 글자(NUL)나 너무 긴 수가" in refused.content[0].text  # type: ignore[union-attr]
    assert (await flow_api.client.get("/api/v1/tools")).json()["servers"]["faulty"]["calls"] == before


async def test_an_integer_longer_than_python_reads_is_a_clean_error(
    flow_api: FlowApi, caplog: pytest.LogCaptureFixture
) -> None:
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"word":%s}}}'
    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    answer = await flow_api.client.post("/mcp/faulty", content=call % ("9" * 5000), headers=headers)
    assert answer.status_code < 500
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
