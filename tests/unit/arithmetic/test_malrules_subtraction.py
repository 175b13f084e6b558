import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem


@pytest.mark.parametrize(
    ("name", "a", "b", "result"),
    [
        ("count_back_one_less", 57, 30, None),
        ("count_back_one_more", 5, 0, None),
        ("number_before", 28, 5, None),
        ("number_before", 5, 0, None),
        ("minuend_repeated", 5, 5, None),
        ("subtrahend_repeated", 5, 5, None),
        ("subtrahend_repeated", 5, 0, None),
        ("difference_hand_missed", 5, 3, None),
        ("difference_hand_missed", 52, 38, None),
        ("difference_hand_kept", 9, 3, None),
        ("n_minus_zero_is_zero", 57, 32, None),
        ("n_minus_zero_is_zero", 5, 0, 0),
        ("n_minus_zero_is_zero", 503, 208, 295),
        ("n_minus_zero_is_one_less", 5, 3, None),
        ("n_minus_n_is_n", 5, 5, 5),
        ("n_minus_n_is_n", 52, 31, 21),
        ("n_minus_n_is_n", 533, 134, 399),
        ("taken_from_ten_only", 10, 4, 6),
        ("taken_from_ten_only", 18, 7, None),
        ("taken_from_ten_only", 25, 8, None),
        ("ten_left_too_small", 18, 7, None),
        ("ten_left_too_large", 18, 7, None),
        ("difference_not_compensated", 52, 34, None),
        ("difference_not_compensated", 59, 38, None),
        ("difference_compensated_downwards", 52, 34, None),
        ("stutter", 52, 38, None),
        ("stutter", 31, 6, -35),
        ("blank_takes_one", 52, 38, None),
        ("quits_at_blank", 52, 38, None),
        ("quits_at_blank", 43, 6, 7),
        ("difference_left_aligned", 52, 38, None),
        ("difference_left_aligned", 34, 5, -16),
        ("partial_difference_of_ones", 52, 8, None),
        ("partial_difference_of_ones", 52, 38, 4),
        ("partial_difference_of_tens", 52, 8, None),
        ("tens_never_taken", 52, 8, None),
        ("tens_never_taken", 52, 30, None),
        ("ones_never_taken", 52, 8, None),
    ],
)
def test_where_it_works_and_where_it_has_nothing_to_work_on(name: str, a: int, b: int, result: int | None) -> None:
    assert CATALOGUE[name].apply(make_problem(a, "-", b)) == result
