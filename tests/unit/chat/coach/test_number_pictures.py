"""Pictures in letters: rows of dots, and columns."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.number_pictures import drawn, in_columns


def test_what_is_shared_out_is_drawn_in_groups() -> None:
    assert drawn(make_problem(12, "/", 3)) == ["●●● ●●● ●●● ●●●", "3개씩 묶으면 4묶음"]


@pytest.mark.parametrize(
    ("problem", "lines"),
    [
        (make_problem(23, "x", 4), ["  23", "×  4", "────"]),
        (make_problem(76, "+", 48), ["   76", "+  48", "─────"]),
        (make_problem(12, "/", 3), []),
    ],
)
def test_columns_stand_right_and_hold_no_result(problem: Problem, lines: list[str]) -> None:
    assert [line.replace("\u2007", " ") for line in in_columns(problem)] == lines
