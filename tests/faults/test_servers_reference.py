"""The client manager with servers that nobody here wrote: three from npm, one from PyPI."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from maththera.runtime.tool_interface import ToolError
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.config import Limits, Server, Servers
from tests.support.mcp_servers import PATIENT, faulty_server, node_server, processes, time_server
from tests.support.network import free_port

pytestmark = pytest.mark.slow


@pytest.fixture
async def reference(tmp_path: Path) -> AsyncIterator[ServerManager]:
    memory = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    (tmp_path / "files").mkdir()
    servers = {
        "everything": node_server("everything"),
        "memory": node_server("memory", environment=memory),
        "filesystem": node_server("filesystem", str(tmp_path / "files")),
        "time": time_server(),
    }
    async with ServerManager(Servers(servers, {})) as manager:
        assert await manager.connect() == {}
        yield manager


async def test_each_of_them_works(reference: ServerManager, tmp_path: Path) -> None:
    assert await reference.call("everything", "get-sum", {"a": 98, "b": 90}) == {"text": "The sum of 98 and 90 is 188."}
    weather = await reference.call("everything", "get-structured-content", {"location": "Chicago"})
    assert weather.keys() == {"temperature", "conditions", "humidity"}
    image = await reference.call("everything", "get-tiny-image", {})
    assert [block["type"] for block in image["content"]] == ["image"]

    entity = {"name": "받아올림", "entityType": "개념", "observations": ["Cur-C7에서 처음 나온다"]}
    await reference.call("memory", "create_entities", {"entities": [entity]})
    assert (await reference.call("memory", "read_graph", {}))["entities"] == [entity]

    path = str(tmp_path / "files" / "편지.txt")
    await reference.call("filesystem", "write_file", {"path": path, "content": "안녕하세요"})
    assert (await reference.call("filesystem", "read_text_file", {"path": path}))["content"] == "안녕하세요"
    with pytest.raises(ToolError, match="outside allowed directories") as refused:
        await reference.call("filesystem", "read_text_file", {"path": "/etc/passwd"}, attempts=1)
    assert refused.value.code == "failed"

    seoul = await reference.call("time", "get_current_time", {"timezone": "Asia/Seoul"})
    assert seoul["timezone"] == "Asia/Seoul"


async def test_what_they_say_of_themselves_decides_what_is_safe(reference: ServerManager) -> None:
    tools = reference.catalogue()
    create, read = tools["memory"]["create_entities"], tools["memory"]["read_graph"]
    assert (create.writes, create.idempotent, read.writes, read.idempotent) == (True, False, False, True)
    write = tools["filesystem"]["write_file"]
    assert (write.writes, write.idempotent) == (True, True)


async def test_six_hundred_calls_at_once_and_none_is_lost(reference: ServerManager, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    diary.touch()
    own = {"MATHTHERA_DATA_DIR": str(tmp_path)}
    more = {
        "faulty": faulty_server(diary),
        "logic-engine-mcp": Server(module="maththera.servers.logic_engine", limits=PATIENT),
    }
    async with ServerManager(Servers(more, own)) as others:
        assert await others.connect() == {}

        async def ask(number: int) -> str:
            which, text = number % 6, str(number)
            if which == 0:
                return (await reference.call("everything", "echo", {"message": text}))["text"].removeprefix("Echo: ")
            if which == 1:
                await reference.call("memory", "search_nodes", {"query": text})
            elif which == 2:
                await reference.call("filesystem", "list_allowed_directories", {})
            elif which == 3:
                await reference.call("time", "get_current_time", {"timezone": "UTC"})
            elif which == 4:
                assert (await others.call("faulty", "read", {"word": text}))["count"] == 1
            else:
                await others.call("logic-engine-mcp", "get_prerequisites", {"concept_id": "Cur-C7"})
            return text

        assert await asyncio.gather(*map(ask, range(600))) == [str(number) for number in range(600)]


async def test_one_that_is_killed_is_back(reference: ServerManager) -> None:
    (process,) = processes("server-memory")
    process.kill()
    assert (await reference.call("memory", "read_graph", {}))["entities"] == []


async def test_a_list_of_tools_that_changes_is_read_again() -> None:
    program = """
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
server = MCPServer("growing", log_level="WARNING")
@server.tool()
async def grow(context: Context) -> str:
    server.add_tool(lambda: "here", name="grown", description="")
    await context.session.send_tool_list_changed()
    return "grown"
server.run("stdio")
"""
    server = Server(command=[sys.executable, "-c", program], limits=PATIENT)
    async with ServerManager(Servers({"growing": server}, {})) as manager:
        await manager.call("growing", "grow", {})
        assert await manager.call("growing", "grown", {}) == {"text": "here"}


async def test_over_http_with_headers_and_after_a_restart(tmp_path: Path) -> None:
    program = """
import sys
import uvicorn
from mcp.server import MCPServer
server = MCPServer("remote", log_level="WARNING")
@server.tool()
async def hello(name: str) -> str:
    return f"hello {name}"
app = server.streamable_http_app()
async def guarded(scope, receive, send):
    if scope["type"] == "http" and dict(scope["headers"]).get(b"authorization") != b"Bearer secret":
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    await app(scope, receive, send)
uvicorn.run(guarded, port=int(sys.argv[1]), log_level="warning")
"""
    port = free_port()

    async def serve() -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, str(port))
        async with asyncio.timeout(60), httpx.AsyncClient() as client:
            while True:
                try:
                    await client.get(f"http://127.0.0.1:{port}/")
                except httpx.TransportError:
                    await asyncio.sleep(0.05)
                else:
                    return process

    url = f"http://127.0.0.1:{port}/mcp"
    limits = Limits(attempts=1, start_timeout=60)
    servers = {
        "remote": Server(url=url, headers={"Authorization": "Bearer secret"}, limits=limits),
        "stranger": Server(url=url, limits=limits),
    }
    process = await serve()
    try:
        async with ServerManager(Servers(servers, {})) as manager:
            assert await manager.call("remote", "hello", {"name": "world"}) == {"result": "hello world"}
            assert "stranger" in await manager.connect()
            process.kill()
            await process.wait()
            with pytest.raises(ToolError) as refused:
                await manager.call("remote", "hello", {"name": "nobody"})
            assert refused.value.code == "died"
            process = await serve()
            assert await manager.call("remote", "hello", {"name": "again"}) == {"result": "hello again"}
    finally:
        process.kill()
        await process.wait()
