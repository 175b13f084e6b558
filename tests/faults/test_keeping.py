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
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.app.data_erasure import DataErasure
from maththera.app.execution_resources import open_executions
from maththera.executions.service import Executions, NoSuchExecution
from maththera.reports.signed_links import report_file
from maththera.runtime import leases
from maththera.runtime.event_log import EventLog
from maththera.runtime.redis_client import open_redis
from maththera.settings import Settings
from maththera.store import reports as report_records
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Conversations, ConversationTurn, Thread, threads
from maththera.store.database import Database
from maththera.store.executions import executions as runs
from maththera.store.heatmaps import (
    Heatmap,
    Heatmaps,
)
from maththera.store.migrations import migrate
from maththera.store.personal_data.erasure import ErasureRecords
from maththera.store.personal_data.text_mentions import Mention
from maththera.store.reports import (
    ReportRecords,
    ReportRow,
    report_students,
)
from maththera.store.tutoring_sessions import sessions, turns
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
    keeping: DataErasure

    async def count(self, table: Any) -> int:
        return len((await self.database.run(lambda connection: connection.execute(select(table)))).all())

    async def report(self, *students: str) -> Path:
        day: dict[str, Any] = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
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
            yield Site(settings, database, client, DataErasure(database, client, log, tmp_path))
    finally:
        await database.close()
        await client.aclose()


async def test_retention_takes_what_is_old_and_nothing_else(site: Site) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), days_ago=(400, 399, 10), problems=2)
    await Heatmaps(site.database).save("s1", {"Cur-C5": 0.5}, 3)
    row = {"student_id": "gone", "heatmap": {"Cur-C5": 0.5}, "answers": 3}
    long_ago = datetime.now(UTC) - timedelta(days=366)
    await site.database.write(lambda connection: connection.execute(insert(Heatmap), {**row, "updated_at": long_ago}))
    kept = await site.count(turns)
    assert await site.keeping.expire(365) == {"sessions": 2, "heatmaps": 1}
    assert (await site.count(sessions), await site.count(Heatmap)) == (1, 1)
    assert 0 < await site.count(turns) < kept
    assert await site.keeping.expire(365) == {}


async def test_retention_works_in_batches(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maththera.store.personal_data.erasure._BATCH", 2)
    monkeypatch.setattr("maththera.app.data_erasure._PAUSE_SECONDS", 0)
    await learn(site.settings.database_url, Pupil("s1", c=5), days_ago=(400,) * 5, problems=1)
    assert await site.keeping.expire(365) == {"sessions": 5}
    assert (await site.count(sessions), await site.count(turns)) == (0, 0)


async def test_old_reports_go_with_their_files(site: Site) -> None:
    pdf = await site.report("s1", "s2")
    old = datetime.now(UTC) - timedelta(days=40)
    await site.database.write(lambda connection: connection.execute(update(ReportRow).values(created_at=old)))
    assert await site.keeping.expire(30) == {"reports": 1}
    assert not pdf.exists()


async def test_no_turn_begins_while_its_working_state_goes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=2)
    session_id = str(await site.database.run(lambda connection: connection.scalar(select(sessions.c.session_id))))
    locked, unlink = [], site.redis.unlink

    async def looked_at(*keys: str) -> int:
        locked.append(await site.redis.exists(leases.PREFIX + session_id))
        return int(await unlink(*keys))

    monkeypatch.setattr(site.redis, "unlink", looked_at)
    assert (await site.keeping.erase("s1")).complete
    assert locked == [1]
    assert not await site.redis.exists(leases.PREFIX + session_id)


async def test_what_a_dead_process_left_is_finished(site: Site) -> None:
    """It dies when the records are gone and the rest is not."""
    pdf = await site.report("s1")
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    (session_id,) = (await site.database.run(lambda c: c.execute(select(sessions.c.session_id)))).scalars()
    await site.redis.set(f"maththera:checkpoint:{session_id}", b"state")
    await ErasureRecords(site.database).student("s1")
    assert pdf.exists()
    await site.keeping.finish()
    assert not pdf.exists()
    assert not await site.redis.exists(f"maththera:checkpoint:{session_id}")
    assert await ErasureRecords(site.database).pending() == []


async def test_a_saved_flow_that_names_the_child_is_on_the_receipt(site: Site) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    flow = site.settings.data_dir / "flows" / "편지.yaml"
    flow.parent.mkdir()
    flow.write_text("flow:\n  description: s1에게\n", encoding="utf-8")
    receipt = await site.keeping.erase("s1")
    assert (receipt.mentions, receipt.searched, receipt.complete) == (
        [Mention("flows", "text", {"file": "편지.yaml", "line": 2})],
        True,
        False,
    )


async def test_a_redis_that_goes_away_in_between_is_told_and_made_up_for(
    site: Site, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    erase = ErasureRecords.student

    async def killing(self: ErasureRecords, student_id: str, ended: int, **more: Any) -> Any:
        erased = await erase(self, student_id, ended, **more)
        redis_server.kill()
        return erased

    monkeypatch.setattr(ErasureRecords, "student", killing)
    receipt = await site.keeping.erase("s1")
    assert (receipt.complete, receipt.records["sessions"]) == (False, 1)
    assert len(await ErasureRecords(site.database).pending()) == 1
    redis_server.start()
    await site.keeping.finish()
    assert await ErasureRecords(site.database).pending() == []


async def test_without_redis_the_records_go_now_and_the_rest_when_it_is_back(
    site: Site, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maththera.app.data_erasure._SOON_SECONDS", 0.05)
    pdf = await site.report("s1")
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    (session_id,) = (await site.database.run(lambda c: c.execute(select(sessions.c.session_id)))).scalars()
    await site.redis.set(f"maththera:checkpoint:{session_id}", b"state")
    upkeep = asyncio.create_task(site.keeping.upkeep(None))
    redis_server.stop()
    receipt = await site.keeping.erase("s1")
    assert (receipt.pending, receipt.complete, receipt.records["sessions"]) == (True, False, 1)
    assert (await site.count(sessions), await site.count(turns), await site.count(ReportRow)) == (0, 0, 0)
    # The first turn of a conversation, which could not be told to end, is recorded now.
    said = ConversationTurn("run", "시발", "어", {})
    await Conversations(site.database).append(Thread("t1", "coach", "s1", None), 1, said)
    redis_server.start()
    async with asyncio.timeout(60):
        while await ErasureRecords(site.database).pending():
            await asyncio.sleep(0.05)
    upkeep.cancel()
    assert not pdf.exists()
    assert not await site.redis.exists(f"maththera:checkpoint:{session_id}")
    assert await site.count(threads) == 0


async def test_a_report_that_is_saved_while_its_child_is_erased_goes_with_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL both transactions are open at once."""
    await learn(site.settings.database_url, Pupil("s1", c=5), problems=1)
    reading, go_on, known = asyncio.Event(), asyncio.Event(), vars(report_records)["lock_existing_students"]

    async def slowly(connection: AsyncConnection, student_ids: Any) -> bool:
        found = await known(connection, student_ids)
        reading.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(report_records, "lock_existing_students", slowly)
    other = Database(site.settings.database_url)
    day: dict[str, Any] = {"since": "2026-11-01", "until": "2026-11-22", "pages": 1}
    saved = ReportRecords(other).save(REPORT, kind="child", title="s1", student_ids=["s1"], told=["s1"], **day)
    saving = asyncio.create_task(saved)
    await reading.wait()
    erasing = asyncio.create_task(ErasureRecords(site.database).student("s1"))
    await asyncio.sleep(0.3)
    assert not erasing.done()
    go_on.set()
    await saving
    erased = await erasing
    await other.close()
    assert (await site.count(ReportRow), await site.count(report_students)) == (0, 0)
    assert erased.outside.files == [REPORT]


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
