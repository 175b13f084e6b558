import pytest

from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import make_problem


@pytest.mark.parametrize(
    ("name", "a", "b", "result"),
    [
        ("one_group_more", 7, 0, None),
        ("one_group_less", 24, 3, None),
        ("table_above", 24, 3, None),
        ("table_below", 0, 7, None),
        ("product_one_more", 7, 0, None),
        ("product_one_less", 24, 3, None),
        ("product_concatenated", 24, 3, None),
        ("times_zero_is_itself", 0, 7, 7),
        ("times_zero_is_itself", 7, 8, None),
        ("times_zero_is_itself", 20, 3, 63),
        ("times_zero_is_itself", 24, 3, None),
        ("times_zero_is_itself", 20, 13, None),
        ("times_one_is_one_more", 7, 8, None),
        ("times_one_is_one_more", 1, 0, None),
        ("product_carry_dropped", 7, 8, None),
        ("product_carry_dropped", 4, 27, 88),
        ("product_carry_dropped", 27, 14, 358),
        ("carry_added_first", 24, 2, 48),
        ("product_carry_in_full", 7, 8, None),
        ("product_carry_in_full", 27, 14, None),
        ("product_carry_in_full", 4, 27, 828),
        ("tens_not_multiplied", 7, 8, None),
        ("tens_not_multiplied", 3, 24, 32),
        ("tens_not_multiplied", 27, 14, None),
        ("product_of_ones", 7, 8, None),
        ("no_cross_products", 24, 3, None),
        ("no_cross_products", 12, 34, 308),
        ("partial_product_unshifted", 24, 3, None),
        ("only_ones_multiplied_by", 24, 3, None),
        ("only_ones_multiplied_by", 24, 30, None),
        ("only_tens_multiplied_by", 24, 3, None),
    ],
)
def test_where_it_works_and_where_it_has_nothing_to_work_on(name: str, a: int, b: int, result: int | None) -> None:
    assert CATALOGUE[name].apply(make_problem(a, "x", b)) == result
