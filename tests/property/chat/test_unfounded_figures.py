"""Figures of records add up, however answers are grouped."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import make_problem
from maththera.chat.records.record_figures import (
    RecordedAnswer,
    days_without,
    grouped,
    ordered,
    restricted,
    row_of,
    within,
)
from maththera.chat.records.record_question import Group, Measure, RecordQuestion, Restriction, Span
from maththera.korean.dates import Period

CHILDREN = ("a", "b", "c")
START = datetime(2026, 11, 1, tzinfo=UTC)


@st.composite
def answers(draw: st.DrawFn) -> RecordedAnswer:
    a, b, op = draw(st.integers(10, 99)), draw(st.integers(1, 10)), draw(st.sampled_from("+-"))
    problem = make_problem(a, op, b)
    given_answer = draw(st.sampled_from([problem.answer, problem.answer + 1, problem.answer + 10]))
    return RecordedAnswer(
        child=draw(st.sampled_from(CHILDREN)),
        at=START + timedelta(hours=draw(st.integers(0, 24 * 20))),
        problem=problem,
        unit=problem.c_level,
        given=given_answer,
        correct=given_answer == problem.answer,
        seconds=draw(st.one_of(st.none(), st.floats(0.5, 60))),
        cause=None,
    )


RECORDS = st.lists(answers(), max_size=40)
GROUPS: tuple[Group, ...] = ("child", "day", "weekday", "half_day", "unit", "operation", "carry", "problem")


@given(RECORDS, st.sampled_from(GROUPS))
def test_groups_hold_every_answer_once(records: list[RecordedAnswer], by: Group) -> None:
    rows = grouped(records, RecordQuestion(by=by), CHILDREN, "?")
    whole = row_of("", records)
    assert sum(row.answered for row in rows) == whole.answered
    assert sum(row.right for row in rows) == whole.right
    assert sum(row.wrong for row in rows) == whole.wrong


@given(RECORDS)
def test_causes_hold_every_wrong_answer_once(records: list[RecordedAnswer]) -> None:
    rows = grouped(records, RecordQuestion(by="cause"), CHILDREN, "?")
    assert sum(row.answered for row in rows) == row_of("", records).wrong


@given(RECORDS, st.sampled_from(["answered", "right", "wrong", "percent", "seconds"]), st.booleans())
def test_rows_are_in_the_order_asked_for(records: list[RecordedAnswer], measure: Measure, least: bool) -> None:
    question = RecordQuestion(by="child", order="least" if least else "most")
    rows = ordered(grouped(records, question, CHILDREN, "?"), question, measure)
    values = [value for row in rows if (value := row.value(measure)) is not None]
    assert values == sorted(values, reverse=not least)
    assert {row.key for row in rows} == set(CHILDREN)


@given(RECORDS, st.floats(1, 30), st.floats(0, 30))
def test_more_time_never_holds_fewer_answers(records: list[RecordedAnswer], limit: float, more: float) -> None:
    few = restricted(records, Restriction(seconds=(0.0, limit)))
    assert len(few) <= len(restricted(records, Restriction(seconds=(0.0, limit + more))))


@given(RECORDS)
def test_operations_and_carries_part_the_answers(records: list[RecordedAnswer]) -> None:
    parts = [
        restricted(records, Restriction(operations=(op,), carries=carries)) for op in "+-" for carries in (True, False)
    ]
    assert sum(map(len, parts)) == len(records)


@given(RECORDS)
def test_days_with_and_without_answers_make_the_period(records: list[RecordedAnswer]) -> None:
    span = Span(Period(START.date(), (START + timedelta(days=9)).date()), "")
    inside = within(records, [span])
    assert len(days_without(inside, span)) + len({each.at.date() for each in inside}) == 10
