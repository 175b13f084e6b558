from collections.abc import AsyncIterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from maththera.korean.dates import KOREA
from maththera.reports.classmates import Classmates
from maththera.reports.records import Sources, Span
from maththera.store.answer_history import AnswerHistory
from maththera.store.database import Database
from maththera.store.goals import Goal, GoalRecords
from maththera.store.review_queue import OpenCounts
from maththera.store.tutoring_sessions import SessionRecords, TurnRow
from tests.support.learning import Pupil, learn

TODAY = datetime.now(KOREA).date()
SPAN = Span(date.fromordinal(TODAY.toordinal() - 13), TODAY)
PUPILS = ["s1", "s2"]


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    for seed, pupil in enumerate(PUPILS):
        await learn(sqlite_url, Pupil(pupil, ("sum_carry_dropped",), seed=seed), days_ago=(3, 1))
    found = Database(sqlite_url)
    yield found
    await found.close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Whose answers were read, each time."""
    seen: list[list[str]] = []
    read = AnswerHistory.answers_of

    async def noted(self: AnswerHistory, student_ids: list[str], **until: Any) -> Any:
        seen.append([*student_ids])
        return await read(self, student_ids, **until)

    monkeypatch.setattr(AnswerHistory, "answers_of", noted)
    return seen


async def test_only_who_has_new_records_is_worked_out_again(
    database: Database, sources: Sources, asked: list[list[str]]
) -> None:
    classmates = Classmates(database, lambda: sources)
    first = await classmates.of(PUPILS, SPAN, {})
    assert await classmates.of(PUPILS, SPAN, {}) == first
    assert asked == [PUPILS]
    await SessionRecords(database).create_session("a", "s1", {})
    event = {"answer": 7}
    row = TurnRow("a", 1, "r1", event, [], {}, [], {})
    await SessionRecords(database).append_turn(row)
    later = await classmates.of(PUPILS, SPAN, {})
    assert asked[1:] == [["s1"]]
    assert later[1] == first[1]
    assert later == await Classmates(database, lambda: sources).of(PUPILS, SPAN, {})


async def test_what_waits_and_what_is_aimed_at_is_heeded(
    database: Database, sources: Sources, asked: list[list[str]]
) -> None:
    classmates = Classmates(database, lambda: sources)
    before, beside = await classmates.of(PUPILS, SPAN, {})
    waiting = {"s1": OpenCounts(hard_sessions=1)}
    one, other = await classmates.of(PUPILS, SPAN, waiting)
    assert "hard_session" in [need.code for need in one.needs]
    goal = Goal("g", "s2", "C8.carry_ones", 3, 4, TODAY.isoformat(), "untested", 0, 0, datetime.now(UTC))
    await GoalRecords(database).add(goal)
    one, other = await classmates.of(PUPILS, SPAN, {})
    assert one == before
    assert "goal_due" in [need.code for need in other.needs]
    assert [*other.standing] == [*beside.standing]
    assert asked == [PUPILS, ["s1"], PUPILS]


async def test_another_period_has_figures_of_its_own(database: Database, sources: Sources) -> None:
    classmates = Classmates(database, lambda: sources)
    fortnight = await classmates.of(PUPILS, SPAN, {})
    today = await classmates.of(PUPILS, Span(TODAY, TODAY), {})
    assert [one.days for one in fortnight] == [2, 2]
    assert [one.days for one in today] == [0, 0]
