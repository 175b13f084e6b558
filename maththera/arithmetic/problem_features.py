"""What can be said of a problem's numbers, by name: `configs/knowledge/skills.yaml` tells skills apart by these."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Problem

Feature = Callable[[Problem], bool]


def _borrows_across_zero(problem: Problem) -> bool:
    """A column borrows, and the digit of the minuend to its left is a 0."""
    minuend = (*digits(problem.a), 0, 0)
    return any(minuend[column + 1] == 0 for column in problem.carries if column + 1 < len(digits(problem.a)))


FEATURES: Final[Mapping[str, Feature]] = MappingProxyType({
    # the operands
    "operand_is_0": lambda p: 0 in (p.a, p.b),
    "operand_is_1": lambda p: 1 in (p.a, p.b),
    "operand_is_2_or_5": lambda p: not {2, 5}.isdisjoint((p.a, p.b)),
    "operand_is_3_or_4": lambda p: not {3, 4}.isdisjoint((p.a, p.b)),
    "operand_is_9": lambda p: 9 in (p.a, p.b),
    "operand_is_98_or_99": lambda p: not {98, 99}.isdisjoint((p.a, p.b)),
    "operand_has_one_digit": lambda p: min(p.a, p.b) <= 9,
    "operand_has_at_most_two_digits": lambda p: min(p.a, p.b) <= 99,
    "operand_is_at_least_100": lambda p: max(p.a, p.b) >= 100,
    "operand_is_a_multiple_of_10": lambda p: p.a % 10 == 0 or p.b % 10 == 0,
    "operand_is_a_multiple_of_100": lambda p: p.a % 100 == 0 or p.b % 100 == 0,
    "operand_has_a_digit_0": lambda p: "0" in f"{p.a}{p.b}",
    "operands_are_equal": lambda p: p.a == p.b,
    "operands_are_equal_or_1_apart": lambda p: abs(p.a - p.b) <= 1,
    "operands_are_multiples_of_10": lambda p: p.a % 10 == 0 and p.b % 10 == 0,
    # the first and the second number
    "first_is_a_multiple_of_10": lambda p: p.a % 10 == 0,
    "second_is_0": lambda p: p.b == 0,
    "second_is_1_or_the_first": lambda p: p.b in (1, p.a),
    "second_is_2_or_5": lambda p: p.b in (2, 5),
    "second_is_3_or_4": lambda p: p.b in (3, 4),
    "second_is_10": lambda p: p.b == 10,
    "second_is_at_least_8": lambda p: p.b >= 8,
    "second_is_a_multiple_of_10": lambda p: p.b % 10 == 0,
    "second_has_one_digit": lambda p: p.b <= 9,
    "second_has_at_most_two_digits": lambda p: p.b <= 99,
    # the columns that carry or borrow
    "no_column_carries": lambda p: not p.carries,
    "a_column_carries": lambda p: bool(p.carries),
    "one_column_carries": lambda p: len(p.carries) == 1,
    "two_columns_carry": lambda p: len(p.carries) >= 2,
    "the_ones_carry": lambda p: 0 in p.carries,
    "only_the_tens_carry": lambda p: p.carries == (1,),
    "ones_and_tens_carry": lambda p: {0, 1} <= set(p.carries),
    "a_column_borrows_across_0": _borrows_across_zero,
})  # fmt: skip
"""Name → whether it holds. To carry means to borrow where the operation is −."""
