"""Each edit takes out its variable and nothing else."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.tutoring.diagnosis import variable_removal
from maththera.tutoring.diagnosis.variable_removal import REMOVALS

FUNCTIONS = {variable: remove for variable, _, remove in REMOVALS}


def problem(expression: str) -> Problem:
    return make_problem(*parse_expression(expression))


@pytest.mark.parametrize(
    ("variable", "original", "edited"),
    [
        ("carry", "28+15", "20+15"),
        ("carry", "98+90", "18+80"),
        ("carry", "67+58", "10+58"),
        ("carry", "367+285", "300+285"),
        ("carry", "5+98", "1+98"),
        ("carry", "7+93", "1+93"),
        ("carry", "8+6", "8+1"),
        ("carry", "9+6", "3+6"),
        ("carry", "9+9", None),
        ("carry", "7+3", "7+2"),
        ("carry", "23+14", None),
        ("carry", "52−38", None),
        ("carry", "27×4", "21×4"),
        ("carry", "4×27", "4×21"),
        ("carry", "98×76", "91×76"),
        ("carry", "24×2", None),
        ("borrow", "52−38", "52−31"),
        ("borrow", "503−278", "503−201"),
        ("borrow", "15−8", "15−1"),
        ("borrow", "50−38", "50−30"),
        ("borrow", "57−32", None),
        ("borrow", "28+15", None),
        ("zero", "80−27", "81−27"),
        ("zero", "503−278", "513−278"),
        ("zero", "5+0", "5+1"),
        ("zero", "7×0", "7×1"),
        ("zero", "100+90", None),
        ("zero", "52−38", None),
        ("length", "34+5", "34+15"),
        ("length", "5+34", "15+34"),
        ("length", "548−2", "548−112"),
        ("length", "904−7", "904−117"),
        ("length", "95+1", None),
        ("length", "104−9", None),
        ("length", "28+15", None),
        ("digits", "28+15", "8+5"),
        ("digits", "52−38", "12−8"),
        ("digits", "57−32", "7−2"),
        ("digits", "24×3", "4×3"),
        ("digits", "100+90", None),
        ("size", "52−38", "52−35"),
        ("size", "47+26", "45+25"),
        ("size", "8+6", "5+5"),
        ("size", "62+13", "52+13"),
        ("size", "9+4", None),
        ("size", "15−8", None),
        ("size", "28−16", "25−15"),
        ("size", "23−12", None),
        ("size", "7×8", "7×5"),
        ("size", "7×5", None),
        ("size", "56÷8", "35÷5"),
        ("operation", "8+6", "8+6"),
        ("layout", "8+6", None),
    ],
)
def test_the_edit(variable: str, original: str, edited: str | None) -> None:
    found = FUNCTIONS[variable](problem(original))
    assert (found.expression if found else None) == edited


def test_the_layout_of_the_original_stays() -> None:
    vertical = make_problem(28, "+", 15, layout="vertical")
    found = variable_removal.without_carry(vertical)
    assert found is not None
    assert found.problem_id == "X:20+15:v"


def test_only_the_layout_edit_changes_the_layout() -> None:
    found = variable_removal.without_layout(problem("28+15"))
    assert found is not None
    assert found.problem_id == "X:28+15:v"
