"""What a child that follows a malrule wrote down or thought, with the numbers of its problem: "8+5만 썼다"."""

from collections.abc import Iterable, Sequence

from maththera.arithmetic.malrules.malrule import Sheet
from maththera.arithmetic.problem import SIGNS


def tens(number: int) -> int:
    """Without its ones: 28 is 20."""
    return number - number % 10


def calculated(a: int, op: str, b: int) -> str:
    """A whole equation: 8+5=13."""
    value = {"+": a + b, "-": a - b, "x": a * b, "/": a // b if b else 0}[op]
    return f"{a}{SIGNS[op]}{b}={value}"


def from_the_left(parts: Sequence[str]) -> str:
    """Parts that stand ones first, as they are read."""
    return ", ".join(reversed(parts))


def column_sums(sheet: Sheet) -> str:
    """Each column of a sum by itself: 2+1=3, 8+5=13."""
    return from_the_left([calculated(one, "+", other) for one, other in zip(sheet.top, sheet.bottom, strict=True)])


def carried(sheet: Sheet) -> str:
    """The first column of a sum that carries: 8+5=13."""
    return _first(
        calculated(one, "+", other) for one, other in zip(sheet.top, sheet.bottom, strict=True) if one + other > 9
    )


def plain(sheet: Sheet) -> str:
    """The first column, of those with one to their left, that needs nothing of it: 3+4=7, 7−2=5."""
    sums = sheet.op == "+"
    pairs = zip(sheet.top[:-1], sheet.bottom[:-1], strict=True)
    fine = ((one, other) for one, other in pairs if (one + other < 10 if sums else one >= other))
    return _first(calculated(one, sheet.op, other) for one, other in fine)


def leading(sheet: Sheet) -> str:
    """The leftmost column of a sum with what was carried to it: 9+9=18, 4+6+1=11."""
    one, other, more = sheet.top[-1], sheet.bottom[-1], int(sheet.width - 2 in sheet.carries)
    return f"{one}+{other}{'+1' if more else ''}={one + other + more}"


def short(sheet: Sheet) -> str:
    """The first column of a difference that has too little: 2−8."""
    at = _short_at(sheet)
    return f"{sheet.top[at]}−{sheet.bottom[at]}"


def turned(sheet: Sheet) -> str:
    """That column, the other way round: 8−2=6."""
    at = _short_at(sheet)
    return calculated(sheet.bottom[at], "-", sheet.top[at])


def borrowed(sheet: Sheet) -> str:
    """That column with the ten that was lent, and the digit to its left: 12−8=4 하고 앞자리(5)."""
    at = _short_at(sheet)
    return f"{calculated(sheet.top[at] + 10, '-', sheet.bottom[at])} 하고 앞자리({sheet.top[at + 1]})"


def by_a_zero(sheet: Sheet) -> str:
    """The first column that has too little and a 0 to its left: 6−7."""
    pairs = zip(sheet.top, sheet.bottom, sheet.top[1:], strict=False)
    return _first(f"{one}−{other}" for one, other, left in pairs if one < other and not left) or short(sheet)


def from_zero(sheet: Sheet) -> str:
    """The first column in which something is taken from 0: 0−7."""
    pairs = enumerate(zip(sheet.top, sheet.bottom, strict=True))
    return _first(f"0−{other}" for at, (one, other) in pairs if one == 0 < other and at - 1 not in sheet.carries)


def minus_zero(sheet: Sheet) -> str:
    """The first column in which 0 is taken from something: 7−0."""
    shown = enumerate(zip(sheet.top, sheet.bottom[: sheet.lengths[1]], strict=False))
    return _first(f"{one}−0" for at, (one, other) in shown if not other and at not in sheet.carries and one)


def same_digits(sheet: Sheet) -> str:
    """The first column in which a digit is taken from itself: 3−3."""
    shown = enumerate(zip(sheet.top, sheet.bottom, strict=True))
    return _first(f"{one}−{one}" for at, (one, other) in shown if one == other and one and at - 1 not in sheet.carries)


def longer_first(sheet: Sheet) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The digits of the number that is multiplied, and of the one it is multiplied by."""
    top, bottom = sheet.top[: sheet.lengths[0]], sheet.bottom[: sheet.lengths[1]]
    return (top, bottom) if len(top) >= len(bottom) else (bottom, top)


def product_carried(sheet: Sheet) -> str:
    """The first part of a long product that carries: 7×4=28."""
    multiplied, by = longer_first(sheet)
    pairs = ((digit, factor) for factor in by for digit in multiplied[:-1])
    return _first(calculated(digit, "x", factor) for digit, factor in pairs if digit * factor > 9)


def _short_at(sheet: Sheet) -> int:
    pairs = enumerate(zip(sheet.top, sheet.bottom, strict=True))
    return next(at for at, (one, other) in pairs if one < other)


def _first(found: Iterable[str]) -> str:
    """Empty where there is none."""
    return next(iter(found), "")
