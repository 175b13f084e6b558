import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem


@pytest.mark.parametrize(
    ("name", "a", "b", "result"),
    [
        ("partial_sum_of_ones", 8, 5, None),
        ("partial_sum_of_tens", 8, 5, None),
        ("partial_sum_of_tens", 100, 90, 190),
        ("carry_in_full", 8, 5, None),
        ("carry_in_full", 20, 15, 35),
        ("carry_in_full", 98, 90, 188),
        ("carry_in_full", 367, 285, 51412),
        ("sum_left_aligned", 28, 15, None),
        ("sum_left_aligned", 5, 34, 84),
        ("sum_left_aligned", 10, 4, 50),
        ("added_to_both_digits", 5, 34, 89),
        ("added_to_both_digits", 38, 5, 813),
        ("added_to_both_digits", 28, 15, None),
        ("all_digits_added", 8, 5, None),
        ("sum_concatenated", 34, 5, 345),
        ("sum_concatenated", 0, 5, None),
        ("sum_concatenated", 28, 15, None),
        ("sum_carry_dropped", 8, 5, None),
        ("sum_carry_dropped", 67, 58, 115),
        ("carry_added_twice", 8, 5, None),
        ("carry_added_twice", 23, 14, 37),
        ("always_carries", 8, 5, None),
        ("always_carries", 28, 15, 43),
        ("wrong_digit_carried", 8, 6, 41),
        ("wrong_digit_carried", 23, 14, 37),
        ("leading_carry_lost", 8, 5, None),
        ("leading_carry_lost", 23, 14, 37),
        ("tens_never_added", 34, 5, None),
        ("tens_never_added", 34, 20, None),
        ("ones_never_added", 34, 5, None),
        ("sum_subtracted", 28, 15, None),
        ("sum_subtracted", 15, 26, None),
        ("sum_subtracted", 47, 26, 21),
    ],
)
def test_where_it_works_and_where_it_has_nothing_to_work_on(name: str, a: int, b: int, result: int | None) -> None:
    assert CATALOGUE[name].apply(make_problem(a, "+", b)) == result
