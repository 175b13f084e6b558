"""What reports are filled with, without a database: answers as they would be recorded."""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.reports.pdf_rendering import Renderer
from maththera.reports.records import ChildRecords, Sources, Span
from maththera.settings import home
from maththera.store.answer_history import Answer
from maththera.store.lesson_sessions import ChapterSession
from tests.support.tutoring import rules

SPAN = Span(date(2026, 3, 2), date(2026, 3, 31))
_FIRST = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def sources() -> Sources:
    return Sources.load(home() / "configs", rules().bank, rules().knowledge)


Recorded = Callable[..., ChildRecords]


@pytest.fixture
def recorded(sources: Sources) -> Recorded:
    """`recorded(answers, student_id, span, …)`: the records of a child."""

    def of(
        answers: Sequence[Answer],
        student_id: str = "s1",
        *,
        span: Span = SPAN,
        chapters: Sequence[ChapterSession] = (),
        open_problems: Sequence[str] = (),
    ) -> ChildRecords:
        return ChildRecords(student_id, span, sources, answers, chapters, [], open_problems)

    return of


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    return Renderer()


def answer(expression: str, given: int | None, *, day: int = 0, number: int = 0, **facts: Any) -> Answer:
    """An answer to `expression`, `day` days into the period; None is no answer."""
    a, op, b = parse_expression(expression)
    problem = make_problem(a, op, b)
    right = given == problem.answer
    rt_ms = facts.pop("rt_ms", 3000)
    pattern = "no_response" if given is None else "logical_error"
    if right:
        pattern = "correct_slow" if rt_ms > 5000 else "correct_fast"
    return Answer(
        session_id=f"session{day}",
        turn=number,
        created_at=_FIRST + timedelta(days=day, seconds=20 * number),
        problem_id=problem.problem_id,
        kind=facts.get("kind", "problem"),
        c_level=problem.c_level,
        w=problem.w_total,
        correct=None if given is None else right,
        pattern=pattern,
        rt_ms=None if given is None else rt_ms,
        input_kind="typed",
        cause_tag=facts.get("cause_tag"),
        confidence=facts.get("confidence"),
        given=given,
        training_id=facts.get("training_id"),
    )


CARRY = "EXECUTION_L4_CARRY_FORGOTTEN"


def carrying(**first: Any) -> list[Answer]:
    """A child that drops the carry three times and gets the rest right."""
    return [
        answer("28+15", 33, number=1, **first),
        answer("47+36", 73, number=2),
        answer("58+26", 74, number=3),
        answer("20+15", 35, number=4),
        *(answer(f"{n}+8", n + 8, day=2, number=n, rt_ms=9000 if n == 9 else 2000) for n in range(3, 10)),
        answer("9+9", None, day=2, number=11),
    ]


def firm(days: int = 4) -> list[Answer]:
    """All of C7, right on each of these days."""
    return [
        answer(f"{a}+{b}", a + b, day=day, number=100 * a + b)
        for day in range(days)
        for a in range(2, 10)
        for b in range(2, 10)
        if a + b > 10
    ]
