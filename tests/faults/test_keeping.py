"""Erasing and retention where runs are under way, Redis goes away, or the process dies in between."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import insert, select, update

from maththera.executions.keeping import Keeping
from maththera.executions.opening import open_executions
from maththera.executions.service import Executions, NoSuchExecution
from maththera.learners.access import Principal
from maththera.learners.database import Database
from maththera.learners.erasing import Erasing
from maththera.learners.heatmaps import Heatmaps
from maththera.learners.migrations import migrate
from maththera.learners.report_records import ReportRecords
from maththera.learners.tables import executions as runs
from maththera.learners.tables import heatmaps, reports, sessions, turns
from maththera.reports.links import report_file
from maththera.runtime import locks
from maththera.runtime.events import EventLog
from maththera.runtime.redis import open_redis
from maththera.settings import Settings
from tests.support.flow_home import entries, make_home
from tests.support.learning import Pupil, learn
from tests.support.servers import RedisServer

ADMIN, TEACHER = Principal("tester", "admin"), Principal("teacher", "teacher", frozenset({"s1", "s2"}))
REPORT = "0123456789abcdef01234567"


@dataclass(frozen=True)
class Site:
    settings: Settings
    database: Database
    redis: Redis
    keeping: Keeping

    async def count(self, table: Any) -> int:
        return len((await self.database.run(lambda connection: connection.execute(select(table)))).all())

    async def report(self, *students: str) -> Path:
        day = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
        records = ReportRecords(self.database)
        await records.save(REPORT, kind="class", title="반", student_ids=students, **day)
        path = report_file(self.settings.data_dir, REPORT)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"%PDF-")
        return path


@pytest.fixture
async def site(tmp_path: Path, redis: Redis, redis_url: str, database_url: str) -> AsyncIterator[Site]:
    settings = Settings(data_dir=tmp_path, database_url=database_url, redis_url=redis_url)
    await migrate(settings.database_url)
    database, client = Database(settings.database_url), open_redis(redis_url)
    try:
        async with EventLog(client) as log:
            yield Site(settings, database, client, Keeping(database, client, log, tmp_path))
    finally:
        await database.close()
        await client.aclose()


async def test_retention_takes_what_is_old_and_nothing_else(site: Site) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), days_ago=(400, 399, 10), problems=2)
    await Heatmaps(site.database).save("s1", {"Cur-C5": 0.5}, 3)
    row = {"student_id": "gone", "heatmap": {"Cur-C5": 0.5}, "answers": 3}
    long_ago = datetime.now(UTC) - timedelta(days=366)
    await site.database.write(lambda connection: connection.execute(insert(heatmaps), {**row, "updated_at": long_ago}))
    kept = await site.count(turns)
    assert await site.keeping.expire(365) == {"sessions": 2, "heatmaps": 1}
    assert (await site.count(sessions), await site.count(heatmaps)) == (1, 1)
    assert 0 < await site.count(turns) < kept
    assert await site.keeping.expire(365) == {}


async def test_retention_works_in_batches(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maththera.learners.erasing._BATCH", 2)
    monkeypatch.setattr("maththera.executions.keeping._PAUSE_SECONDS", 0)
    await learn(site.settings.database_url, Pupil("s1", c=5), days_ago=(400,) * 5, problems=1)
    assert await site.keeping.expire(365) == {"sessions": 5}
    assert (await site.count(sessions), await site.count(turns)) == (0, 0)


async def test_old_reports_go_with_their_files(site: Site) -> None:
    pdf = await site.report("s1", "s2")
    old = datetime.now(UTC) - timedelta(days=40)
    await site.database.write(lambda connection: connection.execute(update(reports).values(created_at=old)))
    assert await site.keeping.expire(30) == {"reports": 1}
    assert not pdf.exists()


async def test_no_turn_begins_while_its_working_state_goes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=2)
    session_id = await site.database.run(lambda connection: connection.scalar(select(sessions.c.session_id)))
    locked, unlink = [], site.redis.unlink

    async def looked_at(*keys: str) -> int:
        locked.append(await site.redis.exists(locks.PREFIX + session_id))
        return int(await unlink(*keys))

    monkeypatch.setattr(site.redis, "unlink", looked_at)
    assert (await site.keeping.erase("s1")).complete
    assert locked == [1]
    assert not await site.redis.exists(locks.PREFIX + session_id)


async def test_what_a_dead_process_left_is_finished(site: Site) -> None:
    """It dies when the records are gone and the rest is not."""
    pdf = await site.report("s1")
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    (session_id,) = (await site.database.run(lambda c: c.execute(select(sessions.c.session_id)))).scalars()
    await site.redis.set(f"maththera:checkpoint:{session_id}", b"state")
    await Erasing(site.database).student("s1")
    assert pdf.exists()
    await site.keeping.finish()
    assert not pdf.exists()
    assert not await site.redis.exists(f"maththera:checkpoint:{session_id}")
    assert await Erasing(site.database).pending() == []


async def test_a_redis_that_goes_away_in_between_is_told_and_made_up_for(
    site: Site, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    erase = Erasing.student

    async def killing(self: Erasing, student_id: str, ended: int) -> Any:
        erased = await erase(self, student_id, ended)
        redis_server.kill()
        return erased

    monkeypatch.setattr(Erasing, "student", killing)
    receipt = await site.keeping.erase("s1")
    assert (receipt.complete, receipt.records["sessions"]) == (False, 1)
    assert len(await Erasing(site.database).pending()) == 1
    redis_server.start()
    await site.keeping.finish()
    assert await Erasing(site.database).pending() == []


@pytest.fixture
async def working(tmp_path: Path, site: Site) -> AsyncIterator[Executions]:
    """With flows whose steps can be slow."""
    settings = site.settings.model_copy(update={"home": make_home(tmp_path / "home")})
    async with open_executions(settings, site.database, site.redis) as executions:
        yield executions


async def begin(executions: Executions, flow: str, who: Principal, **inputs: Any) -> str:
    found = (await executions.runner.files.catalog()).best(flow)
    return await executions.begin(who, found, inputs)


@pytest.mark.slow
async def test_a_run_under_way_is_stopped_and_forgotten(site: Site, working: Executions, tmp_path: Path) -> None:
    home = tmp_path / "home"
    execution_id = await begin(working, "느림", ADMIN, word="s1", seconds=60)
    other = await begin(working, "쓰기", TEACHER, word="x", student_id="s2")
    async with asyncio.timeout(60):
        while not entries(home, "read s1") or not entries(home, "write x"):
            await asyncio.sleep(0.02)
        while (await working.find(ADMIN, other)).status != "completed":
            await asyncio.sleep(0.02)
    receipt = await site.keeping.erase("s1")
    assert (receipt.records["executions"], receipt.complete) == (1, True)
    with pytest.raises(NoSuchExecution):
        await working.find(ADMIN, execution_id)
    async with asyncio.timeout(60):
        while not entries(home, "cancelled s1"):
            await asyncio.sleep(0.02)
    assert not [key for key in await site.redis.keys("*") if execution_id.encode() in key]
    assert (await working.find(ADMIN, other)).owner["subject"] == ["s2"]
    assert await site.count(runs) == 1
