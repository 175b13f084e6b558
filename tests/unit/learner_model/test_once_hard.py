"""What a child once missed and can do now: only what it did alone, and never what may be luck."""

import pytest

from maththera.learner_model.once_hard import once_hard
from maththera.learner_model.recorded_knowledge import unaided_tries
from maththera.store.answer_history import Answer
from tests.support.tutoring import rules
from tests.unit.reports.conftest import answer


def tried(*outcomes: tuple[str, bool]) -> list[Answer]:
    """One try a day."""
    known = [(rules().bank.problem(answer(one, 0).problem_id or ""), right) for one, right in outcomes]
    return [
        answer(one.expression, one.answer if right else one.answer - 10, day=day, number=day)
        for day, (one, right) in enumerate(known)
    ]


def found(answers: list[Answer]) -> list[str]:
    return once_hard(unaided_tries(answers, rules().knowledge, rules().bank), rules().bank)


@pytest.mark.parametrize(
    ("outcomes", "shown"),
    [
        ([("28+15", False), ("36+17", True), ("47+26", True)], ["47+26=73"]),
        ([("28+15", False), ("36+17", True), ("28+15", True)], ["28+15=43"]),
        ([("28+15", False), ("28+15", True), ("36+17", True)], ["28+15=43"]),
        ([("28+15", False), ("36+17", True)], []),  # once may be luck
        ([("28+15", True), ("36+17", True), ("47+26", True)], []),  # never hard
        ([("28+15", False), ("36+17", True), ("47+26", True), ("58+13", False)], []),  # not yet
        ([], []),
    ],
)
def test_of_a_skill(outcomes: list[tuple[str, bool]], shown: list[str]) -> None:
    assert found(tried(*outcomes)) == shown


def test_the_newest_skill_comes_first() -> None:
    sums = [("28+15", False), ("36+17", True), ("47+26", True)]
    differences = [("52-38", False), ("61-27", True), ("43-15", True)]
    assert [one[:5] for one in found(tried(*sums, *differences))] == ["43−15", "47+26"]
