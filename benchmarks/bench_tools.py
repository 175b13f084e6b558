"""The six MCP servers under the client manager: many calls at once, and a server that is killed under them."""

import asyncio
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks import played
from benchmarks.report import Section, Target, at_most, percentile, table
from maththera.app.execution_resources import SERVERS
from maththera.runtime.tool_interface import ToolError
from maththera.servers.client.server_connection import STABLE_SECONDS
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.config import Servers, load_servers
from maththera.settings import Settings
from tests.support.learning import Pupil, learn
from tests.support.mcp_servers import faulty_server, processes

CALLS: Final = 600
ROUNDS: Final = 5
IN_FLIGHT: Final = 64
LIMIT_BACK_SECONDS, LIMIT_FAIL_SECONDS = 2.0, 1.0

_KILLED: Final = ("logic-engine-mcp", "maththera.servers.logic_engine")
_ASKED: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("logic-engine-mcp", "find_concept_gap", {"student_id": "s1"}),
    ("q-dna-mcp", "estimate_mastery", {"student_id": "s1"}),
    ("gen-node-mcp", "generate_picket_problem", {"student_id": "s1", "target_concept": "Cur-C7", "count": 3}),
    ("lab-node-mcp", "get_failure_pattern", {"student_id": "s1"}),
    ("report-node-mcp", "list_reports", {"student_id": "s1"}),
    ("school-info-mcp", "search_schools", {"region": "서울"}),
)
"""One tool of each server, none of them cached."""


def measure() -> Section:
    """On SQLite, with a child who has played three sessions."""
    with tempfile.TemporaryDirectory(prefix="maththera-bench-") as name:
        return played.run(_measured(Path(name)))


async def _measured(folder: Path) -> Section:
    settings = Settings(data_dir=folder)
    await learn(settings.database_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(9, 4, 1))
    servers = load_servers(settings.home / SERVERS, settings.for_servers())
    async with _connected(servers) as (manager, started):
        took, times, lost = await _many(manager)
        backs, unanswered = await _killed(manager)
    failed, done = await _in_flight(folder)
    targets = [
        Target(
            f"{len(_ASKED)} servers, {CALLS} calls at once: calls without a result",
            f"{sum(lost.values())}",
            "0",
            not lost,
        ),
        at_most("kill -9 of a server: it answers again after", statistics.median(backs), LIMIT_BACK_SECONDS, " s", 2),
        Target(f"kill -9 under {IN_FLIGHT} safe calls: calls without a result", f"{unanswered}", "0", unanswered == 0),
        at_most("kill -9: a call in flight that is not safe fails after", failed, LIMIT_FAIL_SECONDS, " s", 2),
        Target("kill -9: what is not safe is called again", f"{done - 1} times", "0 times", done == 1),
    ]
    rows = [
        ("all six servers started together, s", started),
        (f"{CALLS} calls, s", took),
        ("calls a second", CALLS / took),
        ("a call among them, median, ms", percentile(times, 50) * 1e3),
        ("a call among them, p99, ms", percentile(times, 99) * 1e3),
        ("kill -9 to the next answer, fastest, s", min(backs)),
        ("kill -9 to the next answer, slowest, s", max(backs)),
    ]
    return Section("MCP servers", _TEXT, targets, [table(("what", "measured"), rows)])


@asynccontextmanager
async def _connected(servers: Servers) -> AsyncIterator[tuple[ServerManager, float]]:
    async with ServerManager(servers) as manager:
        began = time.perf_counter()
        if faults := await manager.connect():
            raise RuntimeError(f"servers that do not start: {faults}")
        yield manager, time.perf_counter() - began


async def _many(manager: ServerManager) -> tuple[float, list[float], Counter[str]]:
    """-> seconds for all, seconds of each, what went wrong"""
    times: list[float] = []

    async def one(number: int) -> None:
        began = time.perf_counter()
        await manager.call(*_ASKED[number % len(_ASKED)])
        times.append(time.perf_counter() - began)

    began = time.perf_counter()
    outcomes = await asyncio.gather(*map(one, range(CALLS)), return_exceptions=True)
    took = time.perf_counter() - began
    return took, times, Counter(str(outcome) for outcome in outcomes if outcome is not None)


async def _killed(manager: ServerManager) -> tuple[list[float], int]:
    """A server is killed while calls are under way. -> seconds to the next answer of each round, calls without one"""
    server, module = _KILLED
    backs, unanswered = [], 0
    for number in range(ROUNDS):
        await asyncio.sleep(STABLE_SECONDS)  # one that ends sooner is no longer started at once
        arguments = {"student_id": "s1", "threshold": 0.5 + number / 100}
        calls = [asyncio.create_task(manager.call(server, "find_concept_gap", arguments)) for _ in range(IN_FLIGHT)]
        await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        (process,) = processes(module)
        process.kill()
        killed = time.perf_counter()
        await manager.call(server, "find_concept_gap", arguments)
        backs.append(time.perf_counter() - killed)
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        unanswered += sum(isinstance(outcome, BaseException) for outcome in outcomes)
    return backs, unanswered


async def _in_flight(folder: Path) -> tuple[float, int]:
    """A tool that writes is under way when its server dies. -> seconds until its caller knows, times it was called"""
    diary = folder / "diary"
    diary.touch()
    async with ServerManager(Servers({"faulty": faulty_server(diary)}, {})) as manager:
        call = asyncio.create_task(manager.call("faulty", "write", {"word": "x", "seconds": 60}))
        while "write x" not in diary.read_text():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.005)
        (process,) = processes("faulty_server")
        process.kill()
        killed = time.perf_counter()
        outcome = (await asyncio.gather(call, return_exceptions=True))[0]
        failed = time.perf_counter() - killed
        if not isinstance(outcome, ToolError) or outcome.code != "died":
            raise RuntimeError(f"the call should have died: {outcome}")
        await manager.call("faulty", "read", {"word": "x"})
    return failed, diary.read_text().splitlines().count("write x")


_TEXT: Final = f"""\
The real servers as processes of their own, on the records of one child. All of the {CALLS} calls read, a sixth of them
from each server, which takes 16 at once (the reports' 4). A server that is killed after {STABLE_SECONDS:g} s or more
is started again by the manager at once, and so are the safe calls that it had; the next answer comes from the new
process. {os.cpu_count()} cores share seven processes."""
