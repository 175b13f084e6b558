"""What reports are filled with, without a database: answers as they would be recorded."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.learner_model.cause_texts import load_cause_texts
from maththera.learner_model.concept_graph import load_concepts
from maththera.reports.contents import Sources, Span
from maththera.reports.pdf_rendering import Renderer
from maththera.settings import home
from maththera.store.answer_history import Answer
from tests.support.tutoring import rules

SPAN = Span(date(2026, 3, 2), date(2026, 3, 31))
_FIRST = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def sources() -> Sources:
    configs = home() / "configs"
    return Sources(
        load_concepts(configs / "learner_model" / "concepts.yaml"),
        rules().knowledge,
        load_cause_texts(configs),
        rules().bank,
    )


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
        kind="problem",
        c_level=problem.c_level,
        w=problem.w_total,
        correct=None if given is None else right,
        pattern=pattern,
        rt_ms=None if given is None else rt_ms,
        input_kind="typed",
        cause_tag=facts.get("cause_tag"),
        confidence=facts.get("confidence"),
        given=given,
    )
