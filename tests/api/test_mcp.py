"""The servers' tools over streamable HTTP, as any MCP client calls them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.api.conftest import FlowApi


@asynccontextmanager
async def client_of(api: FlowApi, server: str, headers: dict[str, str]) -> AsyncIterator[Client]:
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
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    await flow_api.client.post("/mcp/faulty", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert 'route="/mcp/{server}"' in (await flow_api.client.get("/metrics")).text
