"""The check values of the W-score, horizontal and vertical."""

import pytest

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.arithmetic.wscore import w_scores


@pytest.mark.parametrize(
    ("expression", "horizontal", "vertical"),
    [
        ("8+6", 5.0, 4.5),
        ("7+5", 4.0, 3.5),
        ("98+90", 7.0, 6.5),
        ("100+90", 3.0, 2.5),
        ("10+9", 3.0, 2.5),
        ("28+15", 7.0, 6.5),
        ("20+15", 2.5, 2.0),
        ("52−38", 8.5, 8.0),
        ("15−8", 8.5, 8.0),
        ("5+5", 3.0, 2.5),
        ("7×8", 2.0, 1.5),
        ("98×76", 9.0, 8.5),
        ("56÷8", 6.5, 6.0),
        ("3+4", 0.5, 0.0),
        ("96−87", 9.5, 9.0),
        ("1+1", 0.0, 0.0),
    ],
)
def test_check_values(expression: str, horizontal: float, vertical: float) -> None:
    a, op, b = parse_expression(expression)
    assert make_problem(a, op, b, layout="horizontal").w_total == horizontal
    assert make_problem(a, op, b, layout="vertical").w_total == vertical


@pytest.mark.parametrize(
    ("a", "op", "b", "carries", "scores"),
    [
        (96, "-", 87, True, (1.5, 3.0, 1.5, 3.0, 0.0, 0.5)),
        (98, "x", 76, True, (0.0, 4.0, 1.5, 3.0, 0.0, 0.5)),
        (98, "x", 7, True, (0.0, 3.0, 1.5, 3.0, 0.0, 0.5)),
        (50, "+", 50, True, (0.0, 3.0, 0.0, 3.0, -1.5, 0.5)),
        (0, "+", 6, False, (0.0, 0.0, 0.5, 0.0, 0.0, 0.5)),
        (8, "/", 8, False, (1.5, 0.0, 1.5, 0.0, -0.5, 0.5)),
    ],
)
def test_the_six_parts(a: int, op: str, b: int, carries: bool, scores: tuple[float, ...]) -> None:
    assert w_scores(a, op, b, "horizontal", carries=carries) == scores


def test_a_gap_weighs_what_its_operation_weighs() -> None:
    gap = make_problem(100, "-", 98, form="addend")
    assert gap.w_scores == make_problem(100, "-", 98).w_scores
