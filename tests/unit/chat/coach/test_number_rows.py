"""Rows of numbers without signs, as the steps that they tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import make_problem
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.own_ways.number_rows import own_numbers, row_claims


@pytest.mark.parametrize(
    ("expression", "text", "parts"),
    [
        ("34+5", "4 5 9", ["4+5=9"]),
        ("420+365", "20 60 80", ["20+60=80"]),
        ("55+38", "5 8 13 이고 50 30 80", ["5+8=13", "50+30=80"]),
        ("27×3", "20 20 20 60 이고 7 7 7 21", ["20×3=60", "7×3=21"]),
        ("7+8", "7 7 은 14", ["7+7=14"]),
        ("6+7", "66은 12", ["6+6=12"]),
        ("299+156", "300 156 456", ["300+156=456"]),
        ("53×4", "3 4 12 올림 5 4 20", ["3×4=12", "5×4=20"]),
        ("465+213", "5 3 8 6 1 7 4 2 6", ["5+3=8", "6+1=7", "4+2=6"]),
        ("63-27", "7 8 9 10", []),
        ("47+28", "10 20 30 40", []),
        ("47+28", "2 3 4 5", []),
    ],
)
def test_a_row_tells_its_steps(expression: str, text: str, parts: list[str]) -> None:
    problem = exercise_of(expression)
    assert problem is not None
    assert [one.equation for one in row_claims(problem, text, own_numbers(problem))] == parts


def test_a_slip_is_told_of_numbers_of_the_task_alone() -> None:
    problem = make_problem(37, "+", 46)
    (slip,) = row_claims(problem, "7 6 14", own_numbers(problem))
    assert (slip.part, slip.value, slip.right_one) == ("7+6", 14, False)
    assert row_claims(problem, "8 9 16", own_numbers(problem)) == ()


@given(st.integers(11, 99), st.integers(11, 99), st.lists(st.integers(0, 200), max_size=9))
def test_what_is_read_stands_in_the_row(a: int, b: int, row: list[int]) -> None:
    problem = make_problem(a, "+", b)
    for one in row_claims(problem, " ".join(map(str, row)), own_numbers(problem)):
        assert one.value in row
        assert one.left in row
        assert abs((one.result or 0) - (one.value or 0)) in (0, 1, 2, 10)
