"""Pictures in letters: rows of dots, columns and the number line."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.number_pictures import drawn, in_columns, on_line


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


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (make_problem(52, "-", 34), "52 (−30)→ 22 (−2)→ 20 (−2)→ 18"),
        (make_problem(6, "+", 58), "58 (+2)→ 60 (+4)→ 64"),
        (make_problem(41, "+", 20), "41 (+20)→ 61"),
        (make_problem(4, "x", 3), "0 (+4)→ 4 (+4)→ 8 (+4)→ 12"),
        (make_problem(9, "/", 3), "9 (−3)→ 6 (−3)→ 3 (−3)→ 0"),
        (make_problem(2, "x", 40), ""),
    ],
)
def test_a_way_along_the_line_ends_at_the_result(problem: Problem, line: str) -> None:
    assert on_line(problem) == line


@pytest.mark.parametrize("problem", [make_problem(75, "-", 38), make_problem(46, "+", 27), make_problem(7, "x", 6)])
def test_a_way_along_the_line_can_leave_its_end_to_the_child(problem: Problem) -> None:
    way = on_line(problem, hide=True)
    assert way.endswith("?")
    assert str(problem.answer) not in way
