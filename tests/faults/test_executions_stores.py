"""A run whose stores are away again and again, or that loses its lease, goes on to its end: only a process that died
and an error of the run's own count as a start that has failed."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from redis.asyncio import Redis

from maththera.app.execution_resources import open_executions
from maththera.executions import runner
from maththera.executions.service import Executions, StatusConflict
from maththera.runtime import leases
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.redis_client import open_redis
from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.database import Database, StoreUnavailable
from maththera.store.executions import ExecutionRow
from maththera.store.migrations import migrate
from tests.support.flow_home import entries, make_home
from tests.support.servers import RedisServer

pytestmark = pytest.mark.slow

ADMIN: Final = Principal("tester", "admin")
OUTAGES: Final = 2
MOST: Final = 2
"""Starts after which a run is given up here."""

STEPS: Final = range(3 * OUTAGES)
HEAD: Final = "flow:\n  name: %s\n  inputs: [{name: word, type: string, default: x}]\n  steps:\n"
READ: Final = "    - {id: read, mcp_call: {server: faulty, tool: read, params: {word: $inputs.word, seconds: 0.1}}}\n"


def chain(step: str) -> str:
    """One step after the other; `#` stands for the number of each."""
    after = (f", depends_on: [s{n - 1}]" if n else "" for n in STEPS)
    return "".join(f"    - {{id: s{n}, {step.replace('#', str(n))}{needs}}}\n" for n, needs in enumerate(after))


FLOWS: Final = {
    "하나": READ,
    "읽기": chain("action: graph, graph: 하나, params: {word: r#}"),  # each asks Redis before it begins
    "물음": chain("action: approve, question: 네?"),
    "기한": "    - {id: ask, action: approve, question: 네?, timeout: 0.5}\n",
}


@pytest.fixture
async def executions(
    redis_server: RedisServer, redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Executions]:
    monkeypatch.setattr(runner, "MOST_STARTS", MOST)
    settings = Settings(data_dir=tmp_path, home=make_home(tmp_path / "home"))
    for name, steps in FLOWS.items():
        (settings.home / "flows" / f"{name}.yaml").write_text(HEAD % name + steps, encoding="utf-8")
    await migrate(settings.database_url)
    database, client = Database(settings.database_url), open_redis(redis_server.url)
    async with open_executions(settings, database, client) as found:
        yield found
    await database.close()
    await client.aclose()


async def begin(executions: Executions, flow: str) -> str:
    return await executions.begin(ADMIN, (await executions.runner.files.catalog()).best(flow), {})


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(100):
        while not reached():
            await asyncio.sleep(0.01)


async def reads(home: Path, step: int) -> None:
    """Returns when this step has begun."""
    await until(lambda: entries(home, f"read r{step}") > 0)


def working() -> bool:
    """Whether this process works on a run."""
    return any(task.get_name().startswith("execution ") for task in asyncio.all_tasks())


async def lapse(executions: Executions, execution_id: str) -> None:
    """The lease ends."""
    await executions.runner.redis.delete(leases.PREFIX + execution_id)


async def ended(executions: Executions, execution_id: str) -> ExecutionRow:
    await until(lambda: not working())
    return await executions.find(ADMIN, execution_id)


async def test_redis_is_away_again_and_again(executions: Executions, redis_server: RedisServer, tmp_path: Path) -> None:
    execution_id = await begin(executions, "읽기")
    for outage in range(1, OUTAGES + 1):
        await reads(tmp_path / "home", 2 * outage)
        redis_server.kill()
        await until(lambda: not working())
        redis_server.start()
        await lapse(executions, execution_id)
        assert await executions.recover() == [execution_id]
    row = await ended(executions, execution_id)
    assert (row.status, row.error, row.starts) == ("completed", None, 2)


async def test_both_stores_are_away_and_what_does_not_count_is_taken_back_later(
    executions: Executions, redis_server: RedisServer, tmp_path: Path
) -> None:
    execution_id = await begin(executions, "읽기")
    for outage in range(1, OUTAGES + 1):
        await reads(tmp_path / "home", 2 * outage)
        with closing(sqlite3.connect(tmp_path / "maththera.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            redis_server.kill()
            await until(lambda: not working())
            redis_server.start()
            await lapse(executions, execution_id)
            if outage > 1:  # the first start stays counted
                with pytest.raises(StoreUnavailable):
                    await executions.runner.take_back_starts()
        await executions.runner.take_back_starts()
        assert (await executions.find(ADMIN, execution_id)).starts == 1
        assert await executions.recover() == [execution_id]
    row = await ended(executions, execution_id)
    assert (row.status, row.error, row.starts) == ("completed", None, 2)


async def test_the_lease_is_lost_again_and_again(executions: Executions, tmp_path: Path) -> None:
    execution_id = await begin(executions, "읽기")
    for loss in range(1, OUTAGES + 1):
        await reads(tmp_path / "home", 2 * loss)
        await lapse(executions, execution_id)
        await until(lambda: not working())
        assert await executions.recover() == [execution_id]
    row = await ended(executions, execution_id)
    assert (row.status, row.error, row.starts) == ("completed", None, 2)


async def test_the_process_ends_again_and_again(executions: Executions, tmp_path: Path) -> None:
    execution_id = await begin(executions, "읽기")
    for end in range(1, OUTAGES + 1):
        await reads(tmp_path / "home", 2 * end)
        for task in asyncio.all_tasks():
            if task.get_name().startswith("execution "):
                task.cancel()
        await until(lambda: not working())
        assert await executions.recover() == [execution_id]
    row = await ended(executions, execution_id)
    assert (row.status, row.error, row.starts) == ("completed", None, 2)


async def test_a_process_that_ends_as_a_run_ends_sends_the_end_first(
    executions: Executions, monkeypatch: pytest.MonkeyPatch
) -> None:
    expire = executions.runner.saver.expire

    async def stopped(self: RedisSaver, execution_id: str) -> None:
        assert (await executions.find(ADMIN, execution_id)).status == "completed"
        for task in asyncio.all_tasks():
            if task.get_name().startswith("execution "):
                task.cancel()
        await asyncio.sleep(0.1)
        await expire(execution_id)

    monkeypatch.setattr(RedisSaver, "expire", stopped)
    execution_id = await begin(executions, "하나")
    assert (await ended(executions, execution_id)).status == "completed"
    assert (await executions.runner.log.all(execution_id))[-1][1]["type"] == "final"


async def test_any_number_of_questions_is_asked(executions: Executions) -> None:
    execution_id = await begin(executions, "물음")
    for _ in STEPS:
        await until(lambda: not working())
        await executions.answer(ADMIN, execution_id, {"approved": True})
    row = await ended(executions, execution_id)
    assert (row.status, row.error) == ("completed", None)


async def test_an_answer_that_comes_too_late_is_refused(executions: Executions) -> None:
    """Also before the upkeep has seen that the time is over."""
    execution_id = await begin(executions, "기한")
    await until(lambda: not working())
    asked = (await executions.find(ADMIN, execution_id)).waiting or {}
    await until(lambda: time.time() >= (asked["ask"]["expires_at"] or 0.0))
    with pytest.raises(StatusConflict, match="the time to answer 'ask' is over"):
        await executions.answer(ADMIN, execution_id, {"approved": True})
    row = await executions.find(ADMIN, execution_id)
    assert (row.status, row.answer, [*(row.waiting or {})]) == ("waiting", None, ["ask"])
    assert await executions.expire() == [execution_id]
    row = await ended(executions, execution_id)
    assert (row.status, row.error and row.error["code"]) == ("failed", "timeout")


async def test_an_error_of_the_run_is_given_up(executions: Executions, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise KeyError("step")

    monkeypatch.setattr(runner.Runner, "versions", broken)
    execution_id = await begin(executions, "읽기")
    for _ in range(MOST):
        await until(lambda: not working())
        assert await executions.recover() == [execution_id]
    row = await ended(executions, execution_id)
    assert row.error is not None
    assert (row.status, row.error["code"]) == ("failed", "gave_up")
