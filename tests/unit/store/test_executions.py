"""Runs as they are recorded: lists by filter and page, variants side by side, schedules that are paused."""

from asyncio import sleep
from datetime import UTC, datetime, timedelta

import pytest

from maththera.store.access.authorization import Principal
from maththera.store.database import Database, dumps
from maththera.store.executions import ExecutionFilter, ExecutionRecords, ExecutionTaken
from maththera.store.flow_schedules import ScheduleRecords, SkippedRun
from maththera.store.flow_versions import FlowVersion, VariantRuns
from maththera.store.personal_data.erasure import ErasureRecords

ANN, BEN = Principal("ann", "teacher"), Principal("ben", "teacher")


@pytest.fixture
def executions(database: Database) -> ExecutionRecords:
    return ExecutionRecords(database)


async def begin(
    records: ExecutionRecords,
    execution_id: str,
    flow: str = "a",
    *,
    version: str = "1.0",
    owner: Principal = ANN,
    student_id: str | None = None,
    variant: str | None = None,
) -> str:
    await sleep(0.002)  # SQLite's clock counts milliseconds: of two in one the lower id would come first
    await records.create(
        execution_id,
        flow=FlowVersion(f"{flow} {version}", flow, version, "text"),
        owner=owner,
        inputs={},
        student_id=student_id,
        command=None,
        variant=variant,
        request_digest="d",
    )
    return execution_id


async def ids(records: ExecutionRecords, wanted: ExecutionFilter) -> list[str]:
    return [row.execution_id for row in await records.page(wanted)]


async def test_a_run_tells_its_version_and_variant(executions: ExecutionRecords) -> None:
    await begin(executions, "1", version="1.2", variant="1.2")
    row = await executions.find("1")
    assert row is not None
    assert (row.flow_version, row.variant, row.request_digest) == ("1.2", "1.2", "d")
    with pytest.raises(ExecutionTaken):
        await begin(executions, "1")


async def test_starts_are_taken_back_but_for_the_first(executions: ExecutionRecords) -> None:
    async def starts() -> int:
        row = await executions.find("1")
        assert row is not None
        return row.starts

    await begin(executions, "1")
    for _ in range(4):
        await executions.begin("1")
    assert await starts() == 4
    await executions.take_back("1", 1)
    assert await starts() == 3
    await executions.take_back("1", 5)
    assert await starts() == 1
    await executions.begin("1")
    await executions.end("1", "completed")
    await executions.take_back("1", 1)
    assert await starts() == 2


async def test_each_filter_leaves_only_what_fits(executions: ExecutionRecords) -> None:
    await begin(executions, "1", student_id="s1", variant="1.0")
    await begin(executions, "2", flow="b", student_id="s2")
    await begin(executions, "3", owner=BEN, variant="1.1")
    await executions.end("2", "failed")
    assert await ids(executions, ExecutionFilter()) == ["3", "2", "1"]
    assert await ids(executions, ExecutionFilter(owner="ann")) == ["2", "1"]
    assert await ids(executions, ExecutionFilter(flow="b")) == ["2"]
    assert await ids(executions, ExecutionFilter(status="failed")) == ["2"]
    assert await ids(executions, ExecutionFilter(student_id="s1")) == ["1"]
    assert await ids(executions, ExecutionFilter(variant="1.1")) == ["3"]
    assert await ids(executions, ExecutionFilter(owner="ann", flow="a")) == ["1"]
    now = datetime.now(UTC)
    assert await ids(executions, ExecutionFilter(since=now - timedelta(hours=1))) == ["3", "2", "1"]
    assert await ids(executions, ExecutionFilter(since=now + timedelta(hours=1))) == []


async def test_pages_have_every_run_once_also_while_others_begin(executions: ExecutionRecords) -> None:
    before = [await begin(executions, f"{number:02}") for number in range(7)]
    seen: list[str] = []
    wanted = ExecutionFilter(limit=3)
    while page := await executions.page(wanted):
        seen += [row.execution_id for row in page]
        wanted = ExecutionFilter(limit=3, after=(page[-1].created_at, page[-1].execution_id))
        await begin(executions, f"new {len(seen)}")
    assert sorted(seen) == before


async def test_variants_are_compared_by_their_own_runs(executions: ExecutionRecords) -> None:
    for number, (variant, status) in enumerate(
        [("1.0", "completed"), ("1.0", "failed"), ("1.1", "cancelled"), ("1.1", None), (None, "completed")]
    ):
        await begin(executions, str(number), variant=variant)
        if status:
            await executions.end(str(number), status)  # type: ignore[arg-type]
    await begin(executions, "other", flow="b", variant="1.0")
    found = await executions.compare("a")
    assert found["1.1"] == VariantRuns("1.1", runs=2, completed=0, failed=0, cancelled=1, median_ms=None)
    first = found["1.0"]
    assert (first.runs, first.completed, first.failed, first.cancelled) == (2, 1, 1, 0)
    assert first.median_ms is not None
    assert set(found) == {"1.0", "1.1"}


async def test_the_steps_of_a_run_are_kept(executions: ExecutionRecords) -> None:
    await begin(executions, "1")
    assert await executions.steps("1") is None
    await executions.save_steps("1", [{"step": "one"}])
    assert await executions.steps("1") == [{"step": "one"}]


async def test_a_child_that_only_a_cut_value_names_is_erased_with_the_run(
    database: Database, executions: ExecutionRecords
) -> None:
    for execution_id, student_id in (("1", "s1"), ("2", "s11")):
        await begin(executions, execution_id)
        cut = {"$cut": dumps([{"student_id": student_id}]), "bytes": 9_000}
        await executions.save_steps(execution_id, [{"step": "one", "output": cut}])
        await executions.end(execution_id, "completed")
    await ErasureRecords(database).student("s1")
    assert (await executions.find("1") is None, await executions.find("2") is None) == (True, False)


async def test_a_run_that_has_not_ended_is_found_by_flow_and_owner(executions: ExecutionRecords) -> None:
    await begin(executions, "1")
    assert await executions.unended("a", "ann") == "1"
    assert await executions.unended("a", "ben") is None
    await executions.end("1", "cancelled")
    assert await executions.unended("a", "ann") is None


async def test_schedules_pause_and_what_was_skipped_is_recorded_once(database: Database) -> None:
    records = ScheduleRecords(database)
    await records.pause("a", "ann")
    await records.pause("a", "ben")
    assert [(name, each.paused_by) for name, each in (await records.paused()).items()] == [("a", "ann")]
    await records.resume("a")
    assert await records.paused() == {}
    due = datetime(2026, 11, 23, 7, tzinfo=UTC)
    for running in ("1", "2"):
        await records.skip("a", due, running)
    assert await records.skipped() == [SkippedRun("a", due, "1")]
