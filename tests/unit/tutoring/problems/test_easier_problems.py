"""Anchors without the difficulty that failed, and the same skill with smaller numbers, over the whole bank."""

from itertools import chain

import pytest

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.tutoring.problems.easier_problems import anchor_without_the_difficulty, simplified
from maththera.tutoring.problems.scaffolds import anchor
from tests.support.known_skills import ladder

BANK = [*chain.from_iterable(ladder().problems.values())]


def problem(text: str) -> Problem:
    a, op, b = parse_expression(text)
    return make_problem(a, op, b)


def test_an_anchor_carries_or_borrows_only_as_a_direct_prerequisite_does() -> None:
    skills, replaced = ladder().skills, set()
    for original in BANK[::7]:
        found, table = anchor_without_the_difficulty(original, ladder()), anchor(original)
        own = ladder().skill_of(original)
        assert own is not None
        if not (original.carries and table.carries):
            assert found == table
            continue
        assert ladder().skill_of(found) in skills[own].requires
        assert (found.op, found.layout) in {(original.op, original.layout), ("+", original.layout)}
        replaced.add(own)
    assert {"C11.carry_more", "C8.carry_both", "C12.borrow_one", "C15.carry_1d"} <= replaced


@pytest.mark.parametrize(
    ("text", "expected"), [("943+159", "395+461"), ("67+58", "76+50"), ("98x76", "60×79"), ("28+15", "30+15")]
)
def test_the_anchor_keeps_the_operation_and_shares_most_digits(text: str, expected: str) -> None:
    assert anchor_without_the_difficulty(problem(text), ladder()).expression == expected


def test_smaller_numbers_are_of_the_same_skill_and_lighter_else_of_what_it_stands_on() -> None:
    without = 0
    for one in BANK[::5]:
        found, own = simplified(one, ladder()), ladder().of_bank[one.problem_id]
        if found is None:
            assert not [skill for skill in ladder().skills[own].requires if skill in ladder().problems]
        elif ladder().skill_of(found) == own:
            assert max(found.a, found.b) < max(one.a, one.b)
            assert found.w_total < one.w_total
        else:
            without += 1
            assert ladder().skill_of(found) in ladder().skills[own].requires
    assert without


@pytest.mark.parametrize("text", ["1000+124", "20+0"])
def test_what_lies_outside_the_ladder_stays_as_it_is(text: str) -> None:
    assert simplified(problem(text), ladder()) is None
    assert anchor_without_the_difficulty(problem(text), ladder()) == anchor(problem(text))
