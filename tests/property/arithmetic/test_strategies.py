"""Every problem of the bank is explained truly, with numbers that are there, by pictures of what is done."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, ProblemError, make_problem
from maththera.arithmetic.problem_bank import Bank
from maththera.arithmetic.strategies import STRATEGIES, Step, division_with_rest, solution
from maththera.knowledge.explanations import explained
from maththera.knowledge.skills import Skills, load_skills
from maththera.tutoring.feedback import tone
from tests.support.flow_home import ROOT

EQUATION = re.compile(r"(\d+)([+−×÷])(\d+)=(\d+)")
LANDMARKS = {1, 2, 5, 10, 100}
"""What is known without the problem: one, two and five rows, a ten, a hundred."""
WAYS = [False, True]


@cache
def bank() -> list[Problem]:
    return [*Bank.load(ROOT / "configs" / "arithmetic" / "problem_bank.csv")]


@cache
def skills() -> Skills:
    return load_skills(ROOT / "configs" / "knowledge" / "skills.yaml", bank())


@cache
def solved(*, other: bool) -> list[tuple[Problem, Sequence[Step]]]:
    return [(one, explained(one, other=other)) for one in bank()]


def numbers(text: str) -> set[int]:
    return {int(found) for found in re.findall(r"\d+", text)}


def places(number: int) -> Iterator[int]:
    """The number, its digits, what they stand for, and the units of its places."""
    yield number
    for place, digit in enumerate(reversed(str(number))):
        yield from (int(digit), int(digit) * 10**place, 10**place)


def next_tens(number: int) -> set[int]:
    return {number + 10 - number % 10, number + 100 - number % 100}


def assert_true(step: Step) -> None:
    a, op, b, result = EQUATION.fullmatch(step.expression).groups()  # type: ignore[union-attr]
    right = {"+": int(a) + int(b), "−": int(a) - int(b), "×": int(a) * int(b), "÷": int(a) / (int(b) or 1)}[op]
    assert right == int(result), step


def test_every_skill_of_the_ladder_has_two_strategies() -> None:
    assert STRATEGIES.keys() == {skill.skill_id for skill in skills() if skill.strand != "N"}


@pytest.mark.parametrize("other", WAYS)
def test_every_equation_is_true_and_the_last_ends_at_the_answer(*, other: bool) -> None:
    for problem, steps in solved(other=other):
        for step in steps:
            assert_true(step)
        assert steps[-1].found == problem.answer, (problem.expression, steps)


@pytest.mark.parametrize("other", WAYS)
def test_every_number_comes_from_the_problem_or_a_step_before(*, other: bool) -> None:
    for problem, steps in solved(other=other):
        known = {*places(problem.a), *places(problem.b), *LANDMARKS}
        for step in steps:
            asked = {step.left, step.result} if step.fills else {step.left, step.right}
            landmarks = next_tens(step.left) if step.fills else set()
            assert asked <= known | landmarks, (problem.expression, step)
            assert numbers(step.say) <= known | landmarks, (problem.expression, step)
            known |= {*places(step.found), *asked}


@pytest.mark.parametrize("other", WAYS)
def test_the_picture_shows_the_operation_and_fits_its_numbers(*, other: bool) -> None:
    for _, steps in solved(other=other):
        for step in steps:
            a, op, b, result = EQUATION.fullmatch(step.expression).groups()  # type: ignore[union-attr]
            shown = {
                ("+", False): ("join", (int(a), int(b))),
                ("+", True): ("gap", (int(a), int(result))),
                ("−", False): ("take", (int(a), int(b))),
                ("×", False): ("groups", (int(a), int(b))),
                ("÷", False): ("share", (int(a), int(b))),
            }[op, step.fills]
            assert (step.picture.model, step.picture.shown) == shown
            assert step.picture.fits, step
            limit = {"ten_frame": 20, "number_line": 100, "base_ten": 1999}.get(step.mode)
            assert limit is None or max(int(a), int(b), int(result)) <= limit, step


def test_the_second_representation_is_another_one() -> None:
    for (problem, main), (_, other) in zip(solved(other=False), solved(other=True), strict=True):
        assert {step.mode for step in main}.isdisjoint(step.mode for step in other), problem.expression


@pytest.mark.parametrize("other", WAYS)
def test_an_outline_does_not_tell_the_answer(*, other: bool) -> None:
    """What is asked before a step is done holds the answer only where the problem itself does."""
    for problem, steps in solved(other=other):
        asked = {*places(problem.a), *places(problem.b), *LANDMARKS}
        told = {number for step in steps for number in numbers(f"{step.say} {step.outline}")}
        assert problem.answer not in told or problem.answer in asked, (problem.expression, steps)
        assert not any(step.op == "+" and step.found in (step.left, step.right) for step in steps[1:][-1:])


@pytest.mark.slow
@pytest.mark.parametrize("other", WAYS)
def test_what_is_said_keeps_to_the_tone_guide(*, other: bool) -> None:
    said = {step.say for _, steps in solved(other=other) for step in steps}
    one_of_each = {re.sub(r"\d", "", line): line for line in said}.values()
    for line in said:
        assert tone.check([line], None, answer=None, revealed=False, mode="quick") == []
    for line in one_of_each:
        assert tone.check([line], None, answer=None, revealed=False) == []
    for problem, steps in solved(other=other):
        if problem.answer not in {*places(problem.a), *places(problem.b), *LANDMARKS}:
            hint = steps[0].say
            assert tone.check([hint], hint, answer=problem.answer, revealed=False, mode="quick") == []


@given(st.integers(0, 999_999), st.sampled_from("+-x/"), st.integers(0, 9_999), st.booleans())
def test_beyond_the_ladder_as_well(a: int, op: str, b: int, other: bool) -> None:
    a, b = (a * b, b) if op == "/" else (max(a, b), min(a, b))
    try:
        problem = make_problem(a, op, b)
    except ProblemError:
        return
    steps = solution(problem, None, other=other)
    for step in steps:
        assert_true(step)
    assert steps[-1].found == problem.answer


@given(st.integers(1, 999), st.integers(0, 999), st.booleans())
def test_a_gap_is_filled(a: int, b: int, other: bool) -> None:
    for problem in (
        make_problem(a + b, "-", b, form="addend"),
        make_problem(a % 9 * (b % 9 + 1), "/", b % 9 + 1, form="factor"),
        make_problem(a // 10 * 10, "/", 10, form="tens"),
    ):
        steps = explained(problem, other=other)
        assert steps[-1].found == problem.answer, (problem.expression, steps)
        for step in steps:
            assert_true(step)
        asked = {*places(problem.a), *places(problem.b), *LANDMARKS}
        told = {number for step in steps for number in numbers(f"{step.say} {step.outline}")}
        assert problem.answer not in told or problem.answer in asked


@given(st.integers(1, 9_999), st.integers(1, 99))
def test_a_division_ends_at_what_is_left(a: int, b: int) -> None:
    steps = division_with_rest(a, b)
    for step in steps:
        assert_true(step)
    assert bool(steps) == (a >= b)
    if a % b and steps and a // b % 10:
        assert steps[-1].found == a % b


def test_what_stands_in_columns_is_explained_in_columns() -> None:
    for problem, steps in solved(other=False):
        if problem.layout == "vertical" and max(problem.a, problem.b) > 9 and problem.op != "/":
            assert steps[0].mode == "columns"


def test_each_step_in_columns_has_pieces_at_its_place_and_none_is_about_nothing() -> None:
    """2+1 among the tens is two tens and one ten. Only sums of long products are too large to be laid."""
    for problem, steps in solved(other=False):
        if steps[0].mode != "columns":
            continue
        for step in steps:
            pieces = step.in_pieces
            times = 10**step.place if pieces.mode == "base_ten" else 1
            assert pieces.mode in ("base_ten", "array"), step
            assert pieces.shown == tuple(one * times for one in step.picture.shown), step
            assert pieces.model == step.picture.model
            assert pieces.fits or problem.op == "x", (problem.expression, step)
            assert (step.left, step.right) != (0, 0), (problem.expression, step)
    written = solution(make_problem(28, "+", 15, layout="vertical"), "C8.carry_ones")
    assert [(step.expression, step.in_pieces.shown) for step in written] == [
        ("8+5=13", (8, 5)), ("2+1=3", (20, 10)), ("3+1=4", (30, 10)), ("28+15=43", (28, 15)),
    ]  # fmt: skip
    assert [step.expression for step in solution(make_problem(20, "+", 10, layout="vertical"), "C8.tens")] == [
        "2+1=3", "20+10=30",
    ]  # fmt: skip
