"""F-08, F-09, F-13: the scaffolds of a problem: its anchor, its gap, the moved problem and the sub-step (tables D).

t(n) is n without its ones, u(n) its ones. Each scaffold is a Problem in the original's layout.
"""

from functools import lru_cache
from typing import NamedTuple

from maththera.arithmetic.problem import Layout, Problem, make_problem


class Scaffolds(NamedTuple):
    """`anchor`: an easy problem near the original. `gap`: the small step between the two. `moved`: the original, moved
    onto the anchor, with the same answer. `sub_step`: a part of the original, for route B."""

    anchor: Problem
    gap: Problem
    moved: Problem
    sub_step: Problem


def anchor(problem: Problem) -> Problem:
    """The problem that step 1 of route A shows."""
    return scaffolds(problem).anchor


def gap(problem: Problem) -> Problem:
    """The gap of step 2 of route A, of the Bridge Loop and of the diagnostic question."""
    return scaffolds(problem).gap


def moved(problem: Problem) -> Problem:
    """The Bridge Loop's moved problem."""
    return scaffolds(problem).moved


def sub_step(problem: Problem) -> Problem:
    """The part of the original that step 2 of route B shows."""
    return scaffolds(problem).sub_step


@lru_cache(maxsize=1024)
def scaffolds(problem: Problem) -> Scaffolds:
    """The row of tables D for an ordinary problem of the ladder. Kept, as a loop asks for one after the other."""
    builder = _Builder(problem.layout)
    found = {"+": _addition, "-": _subtraction, "x": _multiplication, "/": _division}[problem.op](problem, builder)
    return found._replace(gap=_discreet(found.gap, problem, builder), moved=_other(found.moved, problem, builder))


class _Builder:
    """Makes problems in one layout; gaps are always written in a line."""

    def __init__(self, layout: Layout) -> None:
        self._layout: Layout = layout

    def add(self, a: int, b: int) -> Problem:
        return make_problem(a, "+", b, layout=self._layout)

    def subtract(self, a: int, b: int) -> Problem:
        return make_problem(a, "-", b, layout=self._layout)

    def multiply(self, a: int, b: int) -> Problem:
        return make_problem(a, "x", b, layout=self._layout)

    def divide(self, a: int, b: int) -> Problem:
        return make_problem(a, "/", b, layout=self._layout)

    def gap(self, known: int, whole: int) -> Problem:
        """known + □ = whole"""
        return make_problem(whole, "-", known, form="addend")

    def times_gap(self, known: int, product: int) -> Problem:
        """known × □ = product"""
        return make_problem(product, "/", known, form="factor")

    def tens(self, number: int) -> Problem:
        """How many tens a number is."""
        return make_problem(number, "/", 10, form="tens")


def _t(n: int) -> int:
    return n - n % 10


def _u(n: int) -> int:
    return n % 10


def _discreet(found: Problem, original: Problem, b: _Builder) -> Problem:
    """The gap, changed if it shows the original's answer, unless the original shows it itself (6−3)."""
    if found.form != "addend" or original.answer in (original.a, original.b):
        return found
    others = (b.gap(known, original.b) for known in (original.b - 1, original.b - 2) if known >= 0)
    return next((one for one in (found, *others) if original.answer not in (one.a, one.b)), found)


def _other(found: Problem, original: Problem, b: _Builder) -> Problem:
    """The moved problem, replaced if it is the original or its mirror: then the tens go first."""
    if found.form != "result" or found.op != original.op or found.key != original.key:
        return found
    if 0 in (original.a, original.b):
        return found
    if original.op == "x":
        return b.add(original.a * (original.b - 10), original.a * 10)
    return b.add(_t(original.a) + _t(original.b), _u(original.a) + _u(original.b))


# --- addition ---------------------------------------------------------------------------------------------------------


def _addition(p: Problem, b: _Builder) -> Scaffolds:
    large, small = max(p.a, p.b), min(p.a, p.b)
    if small == 0:
        step = b.gap(large, large + 1)
        return Scaffolds(b.add(large, 1), step, b.add(p.b, p.a), step)
    if p.c_level <= 3:
        return _small_addition(large, small, b)
    if p.c_level == 5:
        return _ten_and_ones(large, small, b)
    if p.c_level == 6:
        return _partners_of_ten(large, small, b)
    return _columns_addition(p, large, small, b)


def _small_addition(large: int, small: int, b: _Builder) -> Scaffolds:
    if small >= 2:
        step = b.gap(1, small)
        return Scaffolds(b.add(large, 1), step, b.add(large + 1, small - 1), step)
    step = b.gap(large - 1, large)
    return Scaffolds(b.add(large - 1, 1) if large > 1 else b.add(2, 1), step, b.add(large - 1, 2), step)


def _ten_and_ones(large: int, small: int, b: _Builder) -> Scaffolds:
    n = small if large == 10 else large
    if n == 1:
        return Scaffolds(b.add(10, 2), b.gap(9, 10), b.add(9, 2), b.gap(9, 10))
    known = 5 if n >= 6 else 1
    step = b.gap(known, n)
    return Scaffolds(b.add(10, 1), step, b.add(10 + known, n - known), step)


def _partners_of_ten(large: int, small: int, b: _Builder) -> Scaffolds:
    if large == 5:
        step = b.gap(4, 5)
        return Scaffolds(b.add(4, 4), step, b.add(6, 4), step)
    step = b.gap(5, large)
    return Scaffolds(b.add(5, 5), step, b.add(8, 2) if large == 9 else b.add(large + 1, small - 1), step)


def _columns_addition(p: Problem, large: int, small: int, b: _Builder) -> Scaffolds:
    """C7, C8, C11."""
    if 0 in p.carries:
        x, other = (p.a, p.b) if (_u(p.a), p.a) >= (_u(p.b), p.b) else (p.b, p.a)
        step = 10 - _u(x)
        part = b.gap(x, x + step) if p.c_level == 7 else b.add(_u(p.a), _u(p.b))
        return _filled_up(x, other, step, part, b)
    if p.carries and (near := [n for n in (large, small) if n % 100 >= 90]):
        x = max(near, key=lambda n: n % 100)
        other, step = p.a + p.b - x, 100 - x % 100
        return _filled_up(x, other, step, b.gap(x, x + step), b)
    if _u(small) and small >= 11:
        tens = _t(small)
        return Scaffolds(
            b.add(large, tens),
            b.gap(tens, small),
            b.add(large + _u(small), tens),
            b.add(_u(large), _u(small)),
        )
    if _u(large):
        tens = _t(large)
        return Scaffolds(
            b.add(tens, small), b.gap(tens, large), b.add(tens, small + _u(large)), b.add(_u(large), small)
        )
    return _whole_tens(large, small, b)


def _filled_up(x: int, other: int, step: int, part: Problem, b: _Builder) -> Scaffolds:
    """x is filled up to the next ten or hundred; the other number gives the difference."""
    shifted = b.add(x + step, other - step) if other > step else b.add(x - 1, other + 1)
    return Scaffolds(b.add(x + step, other), b.gap(x, x + step), shifted, part)


def _whole_tens(large: int, small: int, b: _Builder) -> Scaffolds:
    if small >= 10:
        first = b.add(large // 10, small // 10)
        return Scaffolds(first, b.tens(large), b.add(large + 10, small - 10), first)
    if small == 1:
        return Scaffolds(b.add(large, 10), b.gap(9, 10), b.add(large - 1, 2), b.gap(9, 10))
    step = b.gap(1, small)
    return Scaffolds(b.add(large, 10), step, b.add(large + 1, small - 1), step)


# --- subtraction ------------------------------------------------------------------------------------------------------


def _subtraction(p: Problem, b: _Builder) -> Scaffolds:
    if p.b == 0:
        step = b.gap(p.a, p.a + 1)
        return Scaffolds(b.subtract(p.a, 1) if p.a else b.subtract(1, 1), step, b.gap(0, p.a), step)
    if p.c_level <= 4:
        return _small_subtraction(p, b)
    if p.c_level == 5:
        return _ten_and_ones_apart(p, b)
    if p.c_level == 6:
        five = b.gap(p.b, 5) if p.b < 5 else b.gap(5, p.b) if p.b > 5 else b.gap(4, 5)
        return Scaffolds(b.subtract(10, 9 if p.b == 5 else 5), five, b.gap(p.b, 10), five)
    return _columns_subtraction(p, b)


def _small_subtraction(p: Problem, b: _Builder) -> Scaffolds:
    if p.b >= 2:
        step = b.gap(1, p.b)
        return Scaffolds(b.subtract(p.a, 1), step, b.subtract(p.a - 1, p.b - 1), step)
    step = b.gap(p.a, p.a + 1)
    return Scaffolds(b.subtract(p.a - 1, 1) if p.a > 1 else b.subtract(2, 1), step, b.gap(1, p.a), step)


def _ten_and_ones_apart(p: Problem, b: _Builder) -> Scaffolds:
    """1n−n and 1n−10; the anchor of the smallest is the next one up."""
    low = 12 if p.a == 11 else 11
    if p.b == 10:
        return Scaffolds(b.subtract(low, 10), b.subtract(10, 10), b.gap(10, p.a), b.subtract(10, 10))
    step = b.tens(p.a)
    return Scaffolds(b.subtract(low, low - 10), step, b.gap(p.b, p.a), step)


def _columns_subtraction(p: Problem, b: _Builder) -> Scaffolds:
    """C9, C10, C12."""
    first, second = p.a, p.b
    if 0 in p.carries:
        step = 10 - _u(second)
        part = b.subtract(10, second) if p.c_level == 9 else b.subtract(10 + _u(first), _u(second))
        return _levelled(p, step, part, b)
    if p.carries and second % 100 >= 90:
        step = 100 - second % 100
        return _levelled(p, step, b.gap(second, second + step), b)
    if second >= 11 and _u(second):
        tens = _t(second)
        return Scaffolds(
            b.subtract(first, tens),
            b.gap(tens, second),
            b.subtract(first - _u(second), tens),
            b.subtract(_u(first), _u(second)),
        )
    back = b.gap(second, first)
    if second <= 9:
        ones = b.subtract(_u(first), second)
        return Scaffolds(ones, b.gap(_t(first), first), back, ones)
    if _u(first):
        tens = _t(first)
        # The gap of 41−40 is already the original asked backwards: the move goes down to 11−10.
        shifted = back if tens > second else b.subtract(10 + _u(first), 10)
        return Scaffolds(b.subtract(tens, second), b.gap(tens, first), shifted, b.subtract(tens // 10, second // 10))
    small = b.subtract(first // 10, second // 10)
    return Scaffolds(small, b.tens(first), back, small)


def _levelled(p: Problem, step: int, part: Problem, b: _Builder) -> Scaffolds:
    """The subtrahend is filled up to the next ten or hundred; the move raises both numbers."""
    whole = p.b + step
    return Scaffolds(b.subtract(p.a, whole), b.gap(p.b, whole), b.subtract(p.a + step, whole), part)


# --- multiplication and division --------------------------------------------------------------------------------------


def _multiplication(p: Problem, b: _Builder) -> Scaffolds:
    if p.c_level == 13:
        return _table_fact(p, b)
    one, two = (p.b, p.a) if p.b <= 9 else (p.a, p.b)
    if one <= 9:
        return _two_by_one(two, one, b)
    if _u(p.b) == 0:
        return _by_tens(p.a, p.b, b)
    tens, ones = _t(p.b), _u(p.b)
    return Scaffolds(b.multiply(p.a, tens), b.gap(tens, p.b), b.add(p.a * tens, p.a * ones), b.multiply(p.a, ones))


def _table_fact(p: Problem, b: _Builder) -> Scaffolds:
    if 0 in (p.a, p.b):
        n = max(p.a, p.b)
        step = b.gap(n, n + 1)
        return Scaffolds(b.multiply(n, 1), step, b.add(0, 0), step)
    known = _known_multiple(p.b)
    first = b.multiply(p.a, known) if known else b.multiply(2 if p.a == 1 else 1, 1)
    return Scaffolds(first, b.gap(known, p.b), b.add(known * p.a, (p.b - known) * p.a), b.add(p.a, p.a))


def _known_multiple(n: int) -> int:
    """The multiple of a table that most children know first, below n: five times, twice, once."""
    return 5 if n >= 6 else 2 if n >= 3 else n - 1


def _two_by_one(two: int, one: int, b: _Builder) -> Scaffolds:
    tens, ones = _t(two), _u(two)
    if ones:
        return Scaffolds(b.multiply(tens, one), b.gap(tens, two), b.add(tens * one, ones * one), b.multiply(ones, one))
    small = b.multiply(tens // 10, one)
    return Scaffolds(small, b.tens(two), b.add(two * (one - 1), two), small)


def _by_tens(a: int, tens: int, b: _Builder) -> Scaffolds:
    """A second factor that is a multiple of ten."""
    shifted = b.add(9 * a, a) if tens == 10 else b.multiply(a * tens // 10, 10)
    return Scaffolds(b.multiply(a, tens // 10), b.tens(tens), shifted, b.multiply(_u(a) or a // 10, tens // 10))


def _division(p: Problem, b: _Builder) -> Scaffolds:
    quotient, divisor = p.answer, p.b
    back = b.times_gap(divisor, p.a)
    if quotient == 1:
        return Scaffolds(b.divide(2 * divisor, divisor), b.gap(divisor, 2 * divisor), back, b.multiply(divisor, 2))
    known = _known_multiple(quotient)
    return Scaffolds(
        b.divide(known * divisor, divisor),
        b.gap(known * divisor, p.a),
        back,
        b.multiply(divisor, known),
    )
