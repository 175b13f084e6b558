import pytest

from maththera.arithmetic.columns import carry_columns, digits


@pytest.mark.parametrize(("number", "expected"), [(0, (0,)), (7, (7,)), (305, (5, 0, 3))])
def test_digits_come_ones_first(number: int, expected: tuple[int, ...]) -> None:
    assert digits(number) == expected


@pytest.mark.parametrize(
    ("a", "op", "b", "columns"),
    [
        (28, "+", 15, (0,)),
        (98, "+", 90, (1,)),
        (95, "+", 7, (0, 1)),
        (367, "+", 285, (0, 1)),
        (34, "+", 5, ()),
        (52, "-", 38, (0,)),
        (503, "-", 278, (0, 1)),
        (500, "-", 400, ()),
        (904, "-", 7, (0, 1)),
        (9, "x", 9, ()),
        (24, "x", 2, ()),
        (24, "x", 3, (0,)),
        (3, "x", 24, (0,)),
        (27, "x", 4, (0, 1)),
        (20, "x", 7, (1,)),
        (12, "x", 34, (1,)),
        (13, "x", 15, (0,)),
        (81, "/", 9, ()),
    ],
)
def test_columns_that_carry_or_borrow(a: int, op: str, b: int, columns: tuple[int, ...]) -> None:
    assert carry_columns(a, op, b) == columns
