"""Runs in Celery workers that are killed, and in a service that ends: nothing is lost, nothing is done twice."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.api.http_layer.metrics import Metrics
from maththera.app.celery_launch import celery_launcher
from maththera.app.execution_resources import open_executions
from maththera.executions import service
from maththera.executions.service import Executions
from maththera.executions.worker_metrics import figures
from maththera.runtime.redis_client import open_redis
from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.executions import ExecutionFilter, ExecutionRow
from maththera.store.migrations import migrate
from tests.support.flow_home import SCHEDULED, entries, make_home
from tests.support.flow_processes import lapse
from tests.support.forked import Forked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

ADMIN = Principal("tester", "admin")


@dataclass(frozen=True)
class Site:
    """A database, a Redis and a home, for as many services and workers as a test starts."""

    settings: Settings
    database: Database
    redis: Redis

    @property
    def home(self) -> Path:
        return self.settings.home

    @contextmanager
    def worker(self) -> Iterator[Forked]:
        command = ["tests.support.eager_upkeep", "celery", "--app", "maththera.celery_worker"]
        command += ["worker", "--pool", "threads", "--concurrency", "4"]
        command += ["--without-mingle", "--without-gossip", "--without-heartbeat"]
        environment = os.environ | self.settings.for_servers()
        process = Forked(command, environment, self.settings.data_dir / "worker.log")
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def leases_lost(self) -> int:
        """How often a worker stood still for so long that its run was begun once more."""
        return (self.settings.data_dir / "worker.log").read_text(errors="replace").count("the lease was lost")

    async def noted(self, entry: str) -> None:
        await until(lambda: entries(self.home, entry) > 0)


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(100):
        while not reached():
            await asyncio.sleep(0.02)


@pytest.fixture
async def site(tmp_path: Path, redis: Redis, redis_url: str) -> AsyncIterator[Site]:
    settings = Settings(data_dir=tmp_path, redis_url=redis_url, celery=redis_url, home=make_home(tmp_path / "home"))
    await migrate(settings.database_url)
    database, client = Database(settings.database_url), open_redis(redis_url)
    try:
        yield Site(settings, database, client)
    finally:
        await database.close()
        await client.aclose()


async def begin(executions: Executions, flow: str, **inputs: object) -> str:
    found = (await executions.runner.files.catalog()).best(flow)
    return await executions.begin(ADMIN, found, inputs)


async def reached(executions: Executions, execution_id: str, *statuses: str) -> ExecutionRow:
    async with asyncio.timeout(100):
        while True:
            row = await executions.find(ADMIN, execution_id)
            if row.status in statuses:
                return row
            await asyncio.sleep(0.05)


async def test_a_worker_that_is_killed_in_mid_run(site: Site) -> None:
    launch = celery_launcher(str(site.settings.celery), site.redis)
    async with open_executions(site.settings, site.database, site.redis, launch) as executions:
        with site.worker() as first:
            execution_id = await begin(executions, "느림", word="a", seconds=3)
            await site.noted("read a")
            first.send_signal(signal.SIGKILL)
            first.wait()
            await lapse(site.redis)
        assert (await executions.find(ADMIN, execution_id)).status == "running"
        with site.worker():
            row = await reached(executions, execution_id, "completed", "failed")
    assert (row.status, row.error, row.result) == ("completed", None, {"first": 1, "last": 1})
    starts = 2 + site.leases_lost()  # one that was killed, one that came to the end
    assert 2 <= row.starts <= starts
    assert (entries(site.home, "write first a"), entries(site.home, "write last a")) == (1, 1)
    assert 2 <= entries(site.home, "read a") <= starts


async def test_what_a_worker_counts_is_in_the_metrics_of_the_service(site: Site) -> None:
    launch = celery_launcher(str(site.settings.celery), site.redis)
    async with open_executions(site.settings, site.database, site.redis, launch) as executions:
        with site.worker() as worker:
            await reached(executions, await begin(executions, "쓰기", word="x"), "completed")
            worker.terminate()
            await asyncio.to_thread(worker.wait, 60)
    text = Metrics().page(await figures(site.redis))[0].decode()
    for line in (
        'maththera_flow_runs_total{flow="쓰기",outcome="completed"} 1.0',
        'maththera_flow_steps_total{flow="쓰기",outcome="done",step="note"} 1.0',
        'maththera_tool_calls_total{outcome="ok",server="faulty",tool="write"} 1.0',
    ):
        assert line in text


async def test_a_step_that_was_under_way_and_is_not_safe_is_not_done_again(site: Site) -> None:
    text = (site.home / "flows" / "쓰기.yaml").read_text()
    (site.home / "flows" / "쓰기.yaml").write_text(text.replace("{word: $inputs.word}", "{word: x, seconds: 3}"))
    launch = celery_launcher(str(site.settings.celery), site.redis)
    async with open_executions(site.settings, site.database, site.redis, launch) as executions:
        with site.worker() as first:
            execution_id = await begin(executions, "쓰기", word="x")
            await site.noted("write x")
            first.send_signal(signal.SIGKILL)
            first.wait()
            await lapse(site.redis)
        with site.worker():
            row = await reached(executions, execution_id, "completed", "failed")
    assert row.status == "failed"
    assert row.error is not None
    assert (row.error["step"], row.error["code"]) == ("note", "unknown")
    assert entries(site.home, "write x") == 1


async def test_a_worker_that_is_stopped_lets_a_step_end_that_is_not_safe(site: Site) -> None:
    text = (site.home / "flows" / "쓰기.yaml").read_text()
    (site.home / "flows" / "쓰기.yaml").write_text(text.replace("{word: $inputs.word}", "{word: y, seconds: 3}"))
    launch = celery_launcher(str(site.settings.celery), site.redis)
    async with open_executions(site.settings, site.database, site.redis, launch) as executions:
        with site.worker() as first:
            execution_id = await begin(executions, "쓰기", word="y")
            await site.noted("write y")
            first.terminate()
            await asyncio.to_thread(first.wait, 60)
        with site.worker():
            await executions.recover()
            row = await reached(executions, execution_id, "completed", "failed")
    assert (row.status, row.error, row.result, entries(site.home, "write y")) == ("completed", None, {"count": 1}, 1)


@pytest.mark.skipif(not Path("/proc").exists(), reason="tells the umask of another process")
async def test_nobody_else_reads_the_files_of_a_worker(site: Site) -> None:
    before = os.umask(0o022)
    try:
        with site.worker() as worker:
            status = Path(f"/proc/{worker.pid}/status")
            await until(lambda: "Umask:\t0077" in status.read_text())
    finally:
        os.umask(before)


async def test_a_service_that_ends_leaves_its_runs_to_the_next(site: Site) -> None:
    async with open_executions(site.settings, site.database, site.redis) as executions:
        execution_id = await begin(executions, "느림", word="b", seconds=3)
        await site.noted("read b")
    async with open_executions(site.settings, site.database, site.redis) as executions:
        assert await executions.recover() == [execution_id]
        row = await reached(executions, execution_id, "completed", "failed")
    assert (row.status, row.result) == ("completed", {"first": 1, "last": 1})


async def test_an_end_that_nobody_could_tell_is_told_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that worked on it died, or Redis was away, when the end had just been recorded."""
    monkeypatch.setattr(service, "_TOLD_WITHIN", timedelta(0))
    async with open_executions(site.settings, site.database, site.redis) as executions:
        execution_id = await begin(executions, "승인", word="d")
        await reached(executions, execution_id, "waiting")
        watching = asyncio.create_task(finals(executions, execution_id))
        async with asyncio.timeout(100):
            while execution_id not in executions.runner.log.watched:
                await asyncio.sleep(0.01)
        await executions.runner.records.end(execution_id, "cancelled")
        await executions.tell_ends()
        assert [final["status"] for final in await watching] == ["cancelled"]
        assert await untold(executions) == []


async def test_an_end_that_nobody_could_tell_or_watches_is_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "_TOLD_WITHIN", timedelta(0))
    async with open_executions(site.settings, site.database, site.redis) as executions:
        execution_id = await begin(executions, "승인", word="e")
        await reached(executions, execution_id, "waiting")
        await executions.runner.records.end(execution_id, "cancelled")
        await site.redis.delete("maththera:ends")
        await executions.tell_ends()
        assert [final["status"] for final in await finals(executions, execution_id)] == ["cancelled"]
        assert await untold(executions) == []
        assert await site.redis.ttl(f"maththera:checkpoint:{execution_id}") > 0, "it no longer waits"
        await executions.tell_ends()
        assert len(await finals(executions, execution_id)) == 1


async def untold(executions: Executions) -> list[str]:
    """The runs whose end nobody has told."""
    now = datetime.now(UTC)
    return [row.execution_id for row in await executions.runner.records.untold(now - timedelta(hours=1), now)]


async def finals(executions: Executions, execution_id: str) -> list[dict[str, Any]]:
    return [event async for _, event in executions.events(execution_id, "0-0") if event["type"] == "final"]


async def test_two_processes_that_recover_one_run_do_it_once(site: Site) -> None:
    async with (
        open_executions(site.settings, site.database, site.redis) as one,
        open_executions(site.settings, site.database, site.redis) as other,
    ):
        execution_id = await begin(one, "느림", word="c", seconds=0.3)
        await asyncio.gather(other.launch(execution_id), one.launch(execution_id), other.launch(execution_id))
        row = await reached(other, execution_id, "completed", "failed")
    assert row.result == {"first": 1, "last": 1}
    assert entries(site.home, "write first c") == 1


async def test_what_is_due_begins_once(site: Site) -> None:
    (site.home / "flows" / "매분.yaml").write_text(SCHEDULED, encoding="utf-8")
    async with (
        open_executions(site.settings, site.database, site.redis) as one,
        open_executions(site.settings, site.database, site.redis) as other,
    ):
        await asyncio.gather(one.begin_due(), other.begin_due(), one.begin_due())
        rows = await one.page(ADMIN, ExecutionFilter())
        assert {row.flow_name for row in rows} == {"매분"}
        assert len(rows) == len({row.execution_id for row in rows}) <= 2  # two where a minute ends meanwhile
        for row in rows:
            await reached(one, row.execution_id, "completed")
    assert entries(site.home, "write due") == len(rows)
