import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem


@pytest.mark.parametrize(
    ("name", "a", "op", "b", "result"),
    [
        ("digits_reversed", 3, "+", 4, None),
        ("digits_reversed", 81, "-", 38, 34),
        ("digits_reversed", 5, "+", 5, 1),
        ("written_as_spoken", 3, "+", 4, None),
        ("written_as_spoken", 98, "x", 76, None),
        ("written_as_spoken", 98, "+", 10, 1008),
        ("written_as_spoken", 98, "+", 90, 100808),
        ("zero_left_out", 5, "-", 5, None),
        ("zero_left_out", 28, "+", 15, None),
        ("zero_left_out", 98, "+", 10, 18),
        ("six_read_as_nine", 8, "+", 5, None),
        ("six_read_as_nine", 9, "-", 6, -3),
        ("six_read_as_nine", 6, "x", 7, 63),
        ("operand_digits_swapped", 8, "+", 5, None),
        ("operand_digits_swapped", 8, "+", 15, 59),
        ("operand_digits_swapped", 52, "-", 38, -13),
        ("operand_digits_swapped", 24, "x", 3, 126),
    ],
)
def test_where_it_works_and_where_it_has_nothing_to_work_on(
    name: str, a: int, op: str, b: int, result: int | None
) -> None:
    assert CATALOGUE[name].apply(make_problem(a, op, b)) == result
