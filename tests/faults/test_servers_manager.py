"""Servers that fail, hang, lie and die under the client manager, and what their callers see of it."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.flows.checker.flow_checker import load
from maththera.flows.runs.flow_runner import run_flow
from maththera.runtime.redis_client import open_redis
from maththera.runtime.tool_interface import ToolError
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.config import Limits, Server, Servers, ToolRules
from tests.support.mcp_servers import faulty_server, processes
from tests.support.servers import RedisServer

pytestmark = pytest.mark.slow


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    path = tmp_path / "diary"
    path.touch()
    return path


@pytest.fixture
async def faulty(diary: Path) -> AsyncIterator[ServerManager]:
    async with ServerManager(Servers({"faulty": faulty_server(diary)}, {})) as manager:
        yield manager


async def refusal(manager: ServerManager, tool: str, arguments: dict[str, Any], **options: Any) -> ToolError:
    with pytest.raises(ToolError) as refused:
        await manager.call("faulty", tool, arguments, **options)
    return refused.value


def entries(diary: Path, entry: str) -> int:
    return diary.read_text().splitlines().count(entry)


async def written(diary: Path, entry: str) -> None:
    async with asyncio.timeout(60):
        while not entries(diary, entry):
            await asyncio.sleep(0.01)


async def test_what_fails_is_tried_again(faulty: ServerManager, diary: Path) -> None:
    assert await faulty.call("faulty", "fail", {"word": "a", "times": 2}) == {"count": 3}
    error = await refusal(faulty, "fail", {"word": "b", "times": 9})
    assert (error.code, error.server, error.tool) == ("failed", "faulty", "fail")
    assert "'b' is not ready yet" in error.message
    assert entries(diary, "fail b") == 3
    await refusal(faulty, "fail", {"word": "c", "times": 9}, attempts=1)
    assert entries(diary, "fail c") == 1


async def test_a_wrong_call_is_told_and_never_made(faulty: ServerManager, diary: Path) -> None:
    error = await refusal(faulty, "read", {"word": 3, "seconds": "x"})
    assert error.code == "bad_arguments"
    assert "word: 글이어야 합니다." in error.message
    assert "seconds: 수여야 합니다." in error.message
    assert (await refusal(faulty, "raed", {})).message == "there is no such tool; did you mean 'read'?"
    with pytest.raises(ToolError, match=r"no such server; did you mean 'faulty'\?"):
        await faulty.call("fulty", "read", {})
    assert diary.read_text() == ""


@pytest.mark.parametrize("result", [{"count": "many"}, {}, None])
async def test_what_the_schema_forbids_is_not_given_on(result: object) -> None:
    server = Server(command=[sys.executable, "-m", "tests.support.lying_server"], limits=Limits(backoff=0))
    async with ServerManager(Servers({"faulty": server}, {})) as manager:
        error = await refusal(manager, "lie", {"result": result})
        assert error.code == "bad_output"
        assert "its schema promises" in error.message or "no structured content" in error.message, "told by us"
        assert manager.health()["faulty"] == replace(manager.health()["faulty"], calls=3, failed=3)
        assert await manager.call("faulty", "lie", {"result": {"count": 1}}) == {"count": 1}


async def test_a_server_that_dies_under_a_safe_call_is_back_and_asked_again(faulty: ServerManager, diary: Path) -> None:
    assert await faulty.call("faulty", "die", {"word": "a", "times": 1}, attempts=1) == {"count": 2}
    assert faulty.health()["faulty"].restarts == 1


async def test_what_may_have_been_written_is_not_written_again(faulty: ServerManager, diary: Path) -> None:
    error = await refusal(faulty, "write_and_die", {"word": "a"})
    assert error.code == "died"
    slow = asyncio.create_task(refusal(faulty, "write", {"word": "slow", "seconds": 60}, timeout=5))
    await written(diary, "write slow")
    assert (await slow).code == "timeout"
    assert (entries(diary, "write_and_die a"), entries(diary, "write slow")) == (1, 1)


FLOW = """
flow:
  name: 한번
  steps:
    - id: pay
      mcp_call: {{server: faulty, tool: write_and_fail, params: {{word: a}}}}
      retry: {{backoff: 0}}
      {rule}
"""


@pytest.mark.parametrize(("rule", "written"), [("timeout: 60", 1), ("idempotent: true", 3)])
async def test_a_flows_step_that_wrote_and_then_failed_writes_once(
    faulty: ServerManager, diary: Path, rule: str, written: int
) -> None:
    await faulty.connect()
    flow = load(FLOW.format(rule=rule), catalogue=faulty.catalogue())

    outcome = await run_flow(flow, {}, faulty)

    assert outcome.error is not None
    assert (outcome.error["code"], entries(diary, "write a")) == ("failed", written)


async def test_a_call_that_reached_no_server_is_told_apart() -> None:
    server = Server(command=[sys.executable, "-c", "exit()"])
    async with ServerManager(Servers({"faulty": server}, {})) as manager:
        error = await refusal(manager, "write", {}, attempts=1)
    assert (error.code, error.sent) == ("died", False)


async def test_calls_in_flight_fail_fast_and_the_server_is_back(faulty: ServerManager, diary: Path) -> None:
    calls = [asyncio.create_task(faulty.call("faulty", "write", {"word": f"w{n}", "seconds": 60})) for n in range(8)]
    for n in range(8):
        await written(diary, f"write w{n}")
    (process,) = processes("faulty_server")
    process.kill()
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [getattr(outcome, "code", outcome) for outcome in outcomes] == ["died"] * 8, "and not of a time-out"
    assert await faulty.call("faulty", "read", {"word": "again"}) == {"count": 1}


async def test_a_server_that_dies_while_nobody_calls_is_back_before_somebody_does(faulty: ServerManager) -> None:
    await faulty.connect()
    (process,) = processes("faulty_server")
    process.kill()
    async with asyncio.timeout(60):
        while not (faulty.health()["faulty"].restarts and faulty.health()["faulty"].state == "up"):
            await asyncio.sleep(0.02)


async def test_a_server_that_hangs_is_started_anew(faulty: ServerManager, diary: Path) -> None:
    await faulty.connect()
    (process,) = processes("faulty_server")
    process.send_signal(signal.SIGSTOP)
    error = await refusal(faulty, "write", {"word": "a"}, timeout=0.2)
    assert error.code == "timeout"
    async with asyncio.timeout(60):
        while not faulty.health()["faulty"].restarts:
            await asyncio.sleep(0.05)
    assert await faulty.call("faulty", "read", {"word": "b"}) == {"count": 1}
    assert not process.is_running()


async def test_cancelling_a_call_cancels_the_work(faulty: ServerManager, diary: Path) -> None:
    call = asyncio.create_task(faulty.call("faulty", "read", {"word": "a", "seconds": 60}))
    await written(diary, "read a")
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await written(diary, "cancelled a")
    assert faulty.health()["faulty"].in_flight == 0


async def test_no_more_calls_at_once_than_allowed(diary: Path) -> None:
    limits = Limits(concurrency=2, start_timeout=120)
    async with ServerManager(Servers({"faulty": faulty_server(diary, limits=limits)}, {})) as manager:
        calls = [asyncio.create_task(manager.call("faulty", "read", {"word": str(n), "seconds": 60})) for n in range(5)]
        await written(diary, "read 0")
        await written(diary, "read 1")
        assert manager.health()["faulty"] == replace(manager.health()["faulty"], in_flight=2, waiting=3)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        assert "read 4" not in diary.read_text()


async def test_results_are_kept_for_the_tools_that_are_named(diary: Path, redis: Redis, redis_url: str) -> None:
    server = faulty_server(diary, tools={"fail": ToolRules(cache=100)})
    client = open_redis(redis_url)
    try:
        async with ServerManager(Servers({"faulty": server}, {}), client) as manager:
            for _ in range(3):
                assert await manager.call("faulty", "fail", {"word": "a", "times": 0}) == {"count": 1}
                await manager.call("faulty", "fail", {"times": 0, "word": "a"})
                await manager.call("faulty", "read", {"word": "a"})
            assert (entries(diary, "fail a"), entries(diary, "read a")) == (1, 3)
            (name,) = await redis.keys("maththera:mcp:faulty:fail:*")
            assert 0 < await redis.ttl(name) <= 100
            await redis.set(name, b'{"count": "of another version"}')
            assert await manager.call("faulty", "fail", {"word": "a", "times": 0}) == {"count": 2}
    finally:
        await client.aclose()


async def test_calls_go_on_without_the_cache(diary: Path, redis_server: RedisServer) -> None:
    server = faulty_server(diary, tools={"fail": ToolRules(cache=100)})
    client = open_redis(redis_server.url)
    redis_server.kill()
    try:
        async with ServerManager(Servers({"faulty": server}, {}), client) as manager:
            assert await manager.call("faulty", "fail", {"word": "a", "times": 0}) == {"count": 1}
    finally:
        await client.aclose()


async def test_a_server_that_does_not_start_says_why() -> None:
    broken = Server(command=["python3", "-c", "import nothing_of_that_name"], limits=Limits(backoff=0))
    missing = Server(command=["/nonexistent/program"], limits=Limits(backoff=0))
    async with ServerManager(Servers({"broken": broken, "missing": missing}, {})) as manager:
        faults = await manager.connect()
        assert "No module named 'nothing_of_that_name'" in faults["broken"]
        assert "/nonexistent/program" in faults["missing"]
        with pytest.raises(ToolError, match="does not start") as refused:
            await manager.call("broken", "read", {})
        assert refused.value.code == "died"
        assert manager.health()["broken"].state == "down"


async def test_closing_ends_the_servers(diary: Path) -> None:
    async with ServerManager(Servers({"faulty": faulty_server(diary)}, {})) as manager:
        await manager.connect()
        (process,) = processes("faulty_server")
        waiting = asyncio.create_task(manager.call("faulty", "write", {"word": "a", "seconds": 60}))
        await written(diary, "write a")
    with pytest.raises(ToolError):
        await waiting
    assert not process.is_running()
