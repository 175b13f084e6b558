import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem


@pytest.mark.parametrize(
    ("name", "a", "b", "result"),
    [
        ("count_on_one_less", 5, 0, None),
        ("count_on_one_less", 28, 15, 42),
        ("count_on_one_less", 98, 90, None),
        ("count_on_one_more", 98, 90, None),
        ("next_number", 28, 15, None),
        ("next_number", 5, 0, None),
        ("next_after_second", 0, 5, None),
        ("addend_repeated", 0, 5, None),
        ("second_addend_repeated", 5, 0, None),
        ("sum_hand_missed", 3, 4, None),
        ("sum_hand_missed", 9, 0, None),
        ("sum_hand_added", 28, 15, None),
        ("double_of_smaller", 6, 8, None),
        ("double_of_smaller", 0, 1, None),
        ("double_of_larger", 28, 27, None),
        ("zero_wipes_out", 0, 5, 0),
        ("zero_wipes_out", 20, 15, 30),
        ("zero_wipes_out", 20, 5, 20),
        ("zero_wipes_out", 28, 15, None),
        ("zero_adds_one", 20, 15, None),
        ("zero_adds_one", 5, 4, None),
        ("make_ten_rest_lost", 3, 4, None),
        ("make_ten_rest_lost", 28, 15, None),
        ("ten_dropped", 7, 3, 0),
        ("ten_dropped", 3, 4, None),
        ("ten_partner_too_small", 3, 4, None),
        ("ten_partner_too_large", 3, 4, None),
        ("sum_not_compensated", 98, 90, 190),
        ("sum_not_compensated", 44, 15, None),
        ("sum_not_compensated", 38, 1, None),
        ("sum_compensated_upwards", 8, 5, None),
        ("sum_compensated_upwards", 44, 16, None),
    ],
)
def test_where_it_works_and_where_it_has_nothing_to_work_on(name: str, a: int, b: int, result: int | None) -> None:
    assert CATALOGUE[name].apply(make_problem(a, "+", b)) == result
