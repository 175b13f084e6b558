"""When a goal counts as reached: by unaided first tries since it was set, on two days, before it is over."""

from datetime import UTC, date, datetime

import pytest

from maththera.learner_model.goals import Goals, goal_text
from maththera.store.answer_history import Answer, AnswerHistory
from maththera.store.database import Database
from maththera.store.goals import Goal, GoalRecords
from tests.support.tutoring import rules
from tests.unit.reports.conftest import answer

SET = datetime(2026, 3, 4, tzinfo=UTC)
GOAL = Goal(
    goal_id="g", student_id="s1", skill_id="C8.carry_ones", right=3, out_of=4, due="2026-03-20",
    baseline_word="beginning", baseline_right=1, baseline_tries=4, created_at=SET,
)  # fmt: skip
SUMS = ("28+15", "36+17", "47+26", "58+13", "39+22")


@pytest.fixture
def goals(sqlite_url: str) -> Goals:
    database = Database(sqlite_url)  # which is never read here
    return Goals(GoalRecords(database), AnswerHistory(database), rules().knowledge, rules().bank)


def tried(*outcomes: bool, days: tuple[int, ...]) -> list[Answer]:
    """First tries of sums that carry in the ones, right or a ten short."""
    known = [rules().bank.problem(answer(one, 0).problem_id or "") for one in SUMS]
    return [
        answer(one.expression, one.answer if right else one.answer - 10, day=day, number=number)
        for number, (one, right, day) in enumerate(zip(known, outcomes, days, strict=False))
    ]


@pytest.mark.parametrize(
    ("outcomes", "days", "status", "last"),
    [
        ((True, True, False, True), (2, 2, 3, 3), "reached", (3, 4)),
        ((True, True, True, True), (2, 2, 2, 2), "open", (4, 4)),  # one day alone
        ((True, True, True), (2, 2, 3), "open", (3, 3)),  # too few tries
        ((True, False, False, True), (2, 2, 3, 3), "open", (2, 4)),
        ((False, False, True, True, True), (2, 2, 2, 3, 3), "reached", (3, 4)),  # the last four
        ((True, True, True, True), (0, 0, 2, 3), "open", (2, 2)),  # two before it was set
        ((True, True, True, True), (2, 2, 3, 25), "open", (4, 4)),  # too late
        ((), (), "open", (0, 0)),
    ],
)
def test_standing(
    goals: Goals, outcomes: tuple[bool, ...], days: tuple[int, ...], status: str, last: tuple[int, int]
) -> None:
    (found,) = goals.figures([GOAL], tried(*outcomes, days=days), date(2026, 3, 19))
    assert (found["status"], (found["last_right"], found["last_tries"])) == (status, last)
    (later,) = goals.figures([GOAL], tried(*outcomes, days=days), date(2026, 3, 21))
    assert later["status"] == ("reached" if status == "reached" else "missed"), "what was reached stays reached"


def test_the_sentence_names_day_skill_and_criterion() -> None:
    said = goal_text("받아올림, 두 자리", 4, 5, date(2026, 12, 1))
    assert said.startswith("2026년 12월 1일까지 ‘받아올림, 두 자리’")
    assert "5문제 가운데 4문제 이상" in said
