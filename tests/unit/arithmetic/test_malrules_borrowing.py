import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem

AT_ZERO = (
    "borrow_from_zero",
    "zero_becomes_ten",
    "borrow_across_zero",
    "stops_borrow_at_zero",
    "zero_not_decremented",
)


@pytest.mark.parametrize(
    ("name", "a", "b", "result"),
    [
        ("smaller_from_larger", 8, 3, None),
        ("smaller_from_larger", 503, 278, 375),
        ("zero_instead_of_borrow", 8, 3, None),
        ("zero_minus_n_is_n", 8, 3, None),
        ("zero_minus_n_is_n", 304, 127, 177),
        ("zero_minus_n_is_n", 300, 127, 187),
        ("zero_minus_n_is_zero", 52, 38, 14),
        ("borrow_no_decrement", 8, 3, None),
        ("borrow_no_decrement", 57, 32, 25),
        ("borrow_adds_to_neighbour", 15, 8, 27),
        ("borrow_adds_to_neighbour", 342, 293, 269),
        ("borrow_adds_to_neighbour", 192, 8, None),
        ("leftover_ten_lost", 15, 8, None),
        ("leftover_ten_lost", 32, 28, None),
        ("borrow_across_zero", 202, 119, None),
        ("borrow_across_zero", 104, 97, None),
        ("leftover_ten_lost", 605, 248, 347),
        ("leftover_ten_lost", 215, 198, None),
        ("always_borrows", 8, 3, None),
        ("always_borrows", 52, 38, 14),
        ("always_borrows", 37, 32, None),
        ("borrow_from_leftmost", 52, 38, 14),
        ("borrow_from_leftmost", 112, 98, None),
        ("borrow_from_leftmost", 111, 92, None),
    ],
)
def test_where_it_works_and_where_it_cannot_go_on(name: str, a: int, b: int, result: int | None) -> None:
    assert CATALOGUE[name].apply(make_problem(a, "-", b)) == result


@pytest.mark.parametrize("name", AT_ZERO)
def test_without_a_zero_to_borrow_from_the_borrowing_is_right(name: str) -> None:
    assert CATALOGUE[name].apply(make_problem(533, "-", 278)) == 255


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("borrow_from_zero", 5028),
        ("zero_becomes_ten", 5038),
        ("borrow_across_zero", 3038),
        ("stops_borrow_at_zero", 5038),
        ("zero_not_decremented", 4038),
    ],
)
def test_borrowing_from_a_row_of_zeros(name: str, result: int) -> None:
    assert CATALOGUE[name].apply(make_problem(5006, "-", 78)) == result
