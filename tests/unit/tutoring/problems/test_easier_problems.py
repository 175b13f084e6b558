"""Anchors without the difficulty that failed, and the same skill with smaller numbers, over the whole bank."""

from itertools import chain

import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.knowledge.knowledge import Knowledge
from maththera.tutoring.diagnosis.hypotheses import malrule_results
from maththera.tutoring.problems.easier_problems import anchor_without_the_difficulty, simplified
from maththera.tutoring.problems.scaffolds import anchor, scaffolds
from tests.support.known_skills import ladder
from tests.support.tutoring import rules

BANK = [*chain.from_iterable(ladder().problems.values())]


def problem(text: str) -> Problem:
    a, op, b = parse_expression(text)
    return make_problem(a, op, b)


def nothing_is_spoilt(_: Problem) -> bool:
    return False


NOTHING_KNOWN = Knowledge.start(rules().knowledge, 0)


def test_an_anchor_carries_or_borrows_only_as_a_direct_prerequisite_does() -> None:
    skills, replaced = ladder().skills, set()
    for original in BANK[::7]:
        found, table = anchor_without_the_difficulty(original, ladder(), nothing_is_spoilt), anchor(original)
        own = ladder().skill_of(original)
        assert own is not None
        if not table.carries:
            assert found == table
            continue
        assert ladder().skill_of(found) in skills[own].requires
        assert (found.op, found.layout) in {(original.op, original.layout), ("+", original.layout)}
        replaced.add(own)
    assert {"C11.carry_more", "C8.carry_both", "C12.borrow_one", "C15.carry_1d"} <= replaced


@pytest.mark.parametrize(
    ("text", "expected"), [("943+159", "395+461"), ("67+58", "76+50"), ("98x76", "60×79"), ("28+15", "30+15"),
     ("4+190", "10+24"), ("9+0", "1+1")]
)  # fmt: skip
def test_the_anchor_keeps_the_operation_and_shares_most_digits(text: str, expected: str) -> None:
    assert anchor_without_the_difficulty(problem(text), ladder(), nothing_is_spoilt).expression == expected


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_the_anchor_is_not_spoilt_by_the_procedure_that_failed_where_it_can_be_helped(name: str) -> None:
    """Of every malrule, for each seventh problem that it spoils."""

    def is_spoilt(one: Problem) -> bool:
        return name in malrule_results(one)

    for original in filter(is_spoilt, BANK[::7]):
        found, table = anchor_without_the_difficulty(original, ladder(), is_spoilt), scaffolds(original)
        if not is_spoilt(found):
            continue
        if table.anchor.carries:
            own = ladder().skill_of(original)
            assert own is not None
            below = (one for skill in ladder().skills[own].requires for one in ladder().problems.get(skill, ()))
            assert all(is_spoilt(one) for one in below if one.layout == original.layout), (original, found)
        else:
            assert found == table.anchor
            no_part = table.sub_step == table.gap or (table.sub_step.carries and table.sub_step.op == original.op)
            assert no_part or is_spoilt(table.sub_step), (original, found)


@pytest.mark.parametrize(
    ("text", "procedure", "expected"), [("7x6", "product_added", "7+7"), ("8+5", "count_on_one_less", "10+5")]
)
def test_what_the_procedure_spoils_is_replaced_by_a_part_that_is_not_the_gap(
    text: str, procedure: str, expected: str
) -> None:
    found = anchor_without_the_difficulty(problem(text), ladder(), lambda one: procedure in malrule_results(one))
    assert found.expression == expected


def test_smaller_numbers_are_of_the_same_skill_and_lighter_else_of_what_it_stands_on() -> None:
    of_same, of_others = set(), set()
    for one in BANK[::5]:
        found, own = simplified(one, ladder(), NOTHING_KNOWN), ladder().of_bank[one.problem_id]
        if found is not None and ladder().skill_of(found) == own:
            of_same.add(own)
            assert max(found.a, found.b) < max(one.a, one.b)
            assert found.w_total < one.w_total
        elif found is not None:
            of_others.add(own)
            assert ladder().skill_of(found) in ladder().below[own]
    assert {"C8.plain", "C10.borrow", "C15.two_by_two"} <= of_same
    assert {"C9.minus_8_9", "C10.borrow", "C14.one_itself"} <= of_others


@pytest.mark.parametrize("text", ["1000+124", "20+0"])
def test_what_lies_outside_the_ladder_stays_as_it_is(text: str) -> None:
    assert simplified(problem(text), ladder(), NOTHING_KNOWN) is None
    assert anchor_without_the_difficulty(problem(text), ladder(), nothing_is_spoilt) == anchor(problem(text))
