"""The edits behind the probes: each function takes one variable out of a problem.

Each returns the edited problem in the original's layout, or None if the variable is not in the problem or cannot be
removed alone. Digits stand ones first.
"""

from collections.abc import Callable, Iterable
from typing import Final

from maththera.arithmetic.columns import carry_columns, digits
from maththera.arithmetic.problem import Problem, make_problem

Remove = Callable[[Problem], Problem | None]

_SMALL: Final = 5
"""The largest digit and factor that is not big; fives are also the facts children know best."""


def without_carry(problem: Problem) -> Problem | None:
    """28+15 → 20+15, 8+6 → 8+1, 27×4 → 21×4."""
    if problem.op == "x":
        return _multiplied_without_carry(problem)
    if problem.op != "+" or not problem.carries:
        return None
    if max(problem.a, problem.b) > 9:
        return _added_without_carry(problem)
    if problem.a < 9:
        return _edited(problem, problem.a, 9 - problem.a)
    # The only partner of 9 is 0, which would add a zero: the first addend is changed instead.
    return _edited(problem, 9 - problem.b, problem.b) if problem.b < 9 else None


def _added_without_carry(problem: Problem) -> Problem | None:
    a, b = list(digits(problem.a)), list(digits(problem.b))
    # No carry comes into the lowest column that carries: both numbers have a digit there, and afterwards
    # it no longer carries.
    while carries := carry_columns(_number(a), "+", _number(b)):
        column = carries[0]
        leads = column == len(a) - 1
        a[column] = 1 if leads else 0
        if leads:
            b[column] = min(b[column], 8)
    return _edited(problem, _number(a), _number(b))


def _multiplied_without_carry(problem: Problem) -> Problem | None:
    """No carry out of the ones of the multiplied number; beyond them the products themselves have two digits."""
    longer, other = (problem.a, problem.b) if problem.a >= problem.b else (problem.b, problem.a)
    if all(longer % 10 * digit <= 9 for digit in digits(other)):
        return None
    without = longer - longer % 10 + 1
    return _edited(problem, *((without, other) if longer == problem.a else (other, without)))


def without_borrow(problem: Problem) -> Problem | None:
    """52−38 → 52−31, 503−278 → 503−201."""
    if problem.op != "-" or not problem.carries:
        return None
    a, b = digits(problem.a), list(digits(problem.b))
    while borrows := carry_columns(problem.a, "-", _number(b)):
        b[borrows[0]] = 1 if a[borrows[0]] > 1 else 0
    return _edited(problem, problem.a, _number(b))


def without_zero(problem: Problem) -> Problem | None:
    """Each 0 becomes the smallest digit that leaves every carry as it was: 80−27 → 81−27."""
    numbers = [list(digits(problem.a)), list(digits(problem.b))]
    for places in numbers:
        for column, digit in enumerate(places):
            if digit == 0 and not _filled(problem, numbers, places, column):
                return None
    return _edited(problem, _number(numbers[0]), _number(numbers[1]))


def _filled(problem: Problem, numbers: list[list[int]], places: list[int], column: int) -> bool:
    for digit in range(1, 10):
        places[column] = digit
        if _carries_stay(problem, _number(numbers[0]), _number(numbers[1])):
            return True
    return False


def without_length(problem: Problem) -> Problem | None:
    """The shorter number gets leading ones: 34+5 → 34+15, 548−2 → 548−112."""
    a, b = str(problem.a), str(problem.b)
    longer_a, longer_b = int(a.rjust(len(b), "1")), int(b.rjust(len(a), "1"))
    return _edited(problem, longer_a, longer_b) if _carries_stay(problem, longer_a, longer_b) else None


def without_digits(problem: Problem) -> Problem | None:
    """The ones column alone: 28+15 → 8+5, 52−38 → 12−8."""
    a, b = problem.a % 10, problem.b % 10
    if a == 0 and b == 0:
        return None
    if problem.op == "-" and 0 in problem.carries:
        a += 10
    return _edited(problem, a, b)


def without_size(problem: Problem) -> Problem | None:
    """Big digits become the largest small one that leaves the carries: 52−38 → 52−35; 7×8 → 7×5, 56÷8 → 35÷5."""
    if problem.op == "x":
        return _edited(problem, problem.a, _SMALL)
    if problem.op == "/":
        return _edited(problem, problem.answer * _SMALL, _SMALL)
    for small in range(_SMALL, 0, -1):
        a, b = (_number(small if digit > _SMALL else digit for digit in digits(n)) for n in (problem.a, problem.b))
        if _carries_stay(problem, a, b):
            return _edited(problem, a, b)
    return None


def without_layout(problem: Problem) -> Problem | None:
    """The same numbers in columns, shown with a place-value grid."""
    if max(problem.a, problem.b) <= 9:
        return None
    return make_problem(problem.a, problem.op, problem.b, layout="vertical")


def without_operation(problem: Problem) -> Problem | None:
    """The same numbers, shown with a large, coloured sign."""
    return make_problem(problem.a, problem.op, problem.b, layout=problem.layout)


REMOVALS: Final[tuple[tuple[str, frozenset[int], Remove], ...]] = (
    # C6 beside C7: 7+3→11 is a slip in counting or a wrong partner of ten, and 7+2 shows which.
    ("carry", frozenset({6, 7, 8, 11, 15}), without_carry),
    ("borrow", frozenset({9, 10, 12}), without_borrow),
    ("zero", frozenset({3, 4, 8, 10, 11, 12, 13, 15}), without_zero),
    ("length", frozenset({8, 10, 11, 12}), without_length),
    ("digits", frozenset({8, 10, 11, 12, 15}), without_digits),
    ("size", frozenset({7, 8, 9, 10, 13, 14}), without_size),
    ("layout", frozenset(range(1, 16)), without_layout),
    ("operation", frozenset(range(1, 16)), without_operation),
)
"""Variable, the levels C where it is taken out, and how; between equal probes the earlier row wins."""


def _number(places: Iterable[int]) -> int:
    return int("".join(str(digit) for digit in places)[::-1])


def _carries_stay(problem: Problem, a: int, b: int) -> bool:
    return (problem.op != "-" or b <= a) and carry_columns(a, problem.op, b) == problem.carries


def _edited(problem: Problem, a: int, b: int) -> Problem | None:
    """The problem with other numbers; None where they are the same."""
    if (a, b) == (problem.a, problem.b):
        return None
    return make_problem(a, problem.op, b, layout=problem.layout)
