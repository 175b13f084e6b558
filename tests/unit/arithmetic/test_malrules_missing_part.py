"""Problems that ask for a part know only the malrules made for them."""

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import make_problem


def test_a_missing_addend() -> None:
    assert wrong_answers(make_problem(100, "-", 98, form="addend")) == {
        "gap_parts_added": 198,
        "gap_whole_repeated": 100,
        "gap_part_repeated": 98,
        "gap_start_counted": 3,
        "gap_end_not_counted": 1,
        "gap_next_number": 99,
    }


def test_a_missing_factor() -> None:
    assert wrong_answers(make_problem(56, "/", 8, form="factor")) == {
        "gap_factor_subtracted": 48,
        "gap_factors_multiplied": 448,
        "gap_product_repeated": 56,
        "gap_factor_repeated": 8,
        "gap_one_group_less": 6,
        "gap_one_group_more": 8,
    }


def test_the_number_of_tens() -> None:
    assert wrong_answers(make_problem(120, "/", 10, form="tens")) == {
        "tens_number_repeated": 120,
        "tens_digit_only": 2,
        "tens_leading_digit_only": 1,
        "tens_size_repeated": 10,
    }


def test_the_tens_of_a_number_below_a_hundred_are_its_first_digit() -> None:
    assert wrong_answers(make_problem(90, "/", 10, form="tens")) == {
        "tens_number_repeated": 90,
        "tens_size_repeated": 10,
    }
