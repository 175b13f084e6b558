"""Wrong procedures of children's own. Some are known from the literature, others are made up to be strange to any
catalogue: they are what a child might do who has half understood. Each gives a number, or None where it has no hold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from maththera.simulation.independent.sums import MINUS, PLUS, SHARED, TIMES, Sum

Way = Callable[[int, int], int | None]


@dataclass(frozen=True, slots=True)
class Procedure:
    """`months`: the time at school between which a child may have it."""

    name: str
    sign: str
    months: tuple[float, float]
    way: Way

    def answer(self, one: Sum) -> int | None:
        """The wrong answer; None where the procedure has no hold or gives the right one."""
        if one.sign != self.sign or one.part:
            return None
        found = self.way(one.a, one.b)
        return found if found is not None and found >= 0 and found != one.answer else None


PROCEDURES: Final[dict[str, Procedure]] = {}


def _procedure(name: str, sign: str, first: float, last: float) -> Callable[[Way], Way]:
    def enter(way: Way) -> Way:
        PROCEDURES[name] = Procedure(name, sign, (first, last), way)
        return way

    return enter


def _columns(a: int, b: int) -> list[tuple[int, int]]:
    """Pairs of digits, the ones first."""
    width = max(len(str(a)), len(str(b)))
    above, below = str(a).zfill(width)[::-1], str(b).zfill(width)[::-1]
    return [(int(x), int(y)) for x, y in zip(above, below, strict=True)]


def _written(digits: list[int]) -> int:
    """A number from what was written under each column, the ones first; two digits stay two digits."""
    return int("".join(str(digit) for digit in reversed(digits)))


# --- adding -----------------------------------------------------------------------------------------------------------


@_procedure("counts the first one too", PLUS, 4, 14)
def _counts_first(a: int, b: int) -> int | None:
    return a + b - 1 if 1 < min(a, b) <= 9 and max(a, b) <= 20 else None


@_procedure("forgets the ten in hand", PLUS, 14, 30)
def _forgets_hand(a: int, b: int) -> int | None:
    columns = _columns(a, b)
    last = len(columns) - 1
    return (
        _written([x + y if place == last else (x + y) % 10 for place, (x, y) in enumerate(columns)]) if last else None
    )


@_procedure("writes both digits of a column", PLUS, 13, 30)
def _writes_both(a: int, b: int) -> int | None:
    return _written([x + y for x, y in _columns(a, b)]) if max(a, b) > 9 else None


@_procedure("puts ones under tens", PLUS, 12, 24)
def _ones_under_tens(a: int, b: int) -> int | None:
    low, high = sorted((a, b))
    return high + 10 * low if 0 < low <= 9 < high <= 99 else None


@_procedure("goes to ten and adds the larger", PLUS, 8, 14)
def _ten_and_larger(a: int, b: int) -> int | None:
    return 10 + max(a, b) if a <= 9 and b <= 9 and a + b > 10 else None


@_procedure("a column holds nine at most", PLUS, 13, 30)
def _nine_at_most(a: int, b: int) -> int | None:
    return _written([min(9, x + y) for x, y in _columns(a, b)]) if max(a, b) > 9 else None


@_procedure("takes the ten in hand away", PLUS, 13, 30)
def _hand_taken_away(a: int, b: int) -> int | None:
    columns, hand, digits = _columns(a, b), 0, []
    for x, y in columns:
        total = x + y - hand
        hand = int(total > 9)
        digits.append(abs(total) % 10)
    return _written([*digits, 1] if hand else digits) if max(a, b) > 9 else None


@_procedure("hands the ten on too far", PLUS, 14, 30)
def _hand_too_far(a: int, b: int) -> int | None:
    columns = _columns(a, b)
    if max(a, b) <= 9 or columns[0][0] + columns[0][1] <= 9:
        return None
    return a + b - 10 + 100


@_procedure("rounds before adding", PLUS, 14, 30)
def _rounds(a: int, b: int) -> int | None:
    return (a + 5) // 10 * 10 + (b + 5) // 10 * 10 if min(a, b) > 9 and a % 10 + b % 10 > 9 else None


# --- taking away ------------------------------------------------------------------------------------------------------


@_procedure("small from large in each column", MINUS, 13, 34)
def _small_from_large(a: int, b: int) -> int | None:
    return _written([abs(x - y) for x, y in _columns(a, b)]) if a > 19 else None


@_procedure("nothing where it does not go", MINUS, 13, 34)
def _nothing_left(a: int, b: int) -> int | None:
    return _written([max(0, x - y) for x, y in _columns(a, b)]) if a > 19 else None


def _lending(a: int, b: int, price: int) -> int:
    """In columns, where a broken ten costs the next column `price`."""
    owed, digits = 0, []
    for x, y in _columns(a, b):
        top = x - owed
        owed = price if top < y else 0
        digits.append(max(0, top + 10 - y if top < y else top - y))
    return _written(digits)


@_procedure("breaks a ten for nothing", MINUS, 16, 34)
def _free_ten(a: int, b: int) -> int | None:
    return _lending(a, b, 0) if a > 19 else None


@_procedure("breaks two tens for one", MINUS, 16, 34)
def _dear_ten(a: int, b: int) -> int | None:
    return _lending(a, b, 2) if a > 19 else None


@_procedure("small from large, and a ten broken for it", MINUS, 16, 34)
def _small_and_broken(a: int, b: int) -> int | None:
    owed, digits = 0, []
    for x, y in _columns(a, b):
        top = x - owed
        owed = int(top < y)
        digits.append(abs(top - y))
    return _written(digits) if a > 19 else None


@_procedure("copies the lower digit where it does not go", MINUS, 13, 34)
def _copies_lower(a: int, b: int) -> int | None:
    return _written([y if y > x else x - y for x, y in _columns(a, b)]) if a > 19 else None


@_procedure("counts both ends going back", MINUS, 4, 14)
def _both_ends(a: int, b: int) -> int | None:
    return a - b + 1 if 1 < b <= 9 and a <= 19 else None


@_procedure("goes back past ten by two too few", MINUS, 10, 16)
def _two_too_few(a: int, b: int) -> int | None:
    return a - b + 2 if 10 < a <= 18 and a % 10 < b <= 9 else None


# --- times and sharing ------------------------------------------------------------------------------------------------


@_procedure("nought leaves it as it is", TIMES, 15, 36)
def _nought_leaves(a: int, b: int) -> int | None:
    return max(a, b) if 0 in (a, b) else None


@_procedure("adds where it says times", TIMES, 14, 30)
def _adds(a: int, b: int) -> int | None:
    return a + b


@_procedure("one row too many", TIMES, 15, 30)
def _row_too_many(a: int, b: int) -> int | None:
    return a * (b + 1) if min(a, b) > 1 and max(a, b) <= 9 else None


@_procedure("five rows and the rest once", TIMES, 18, 34)
def _five_rows(a: int, b: int) -> int | None:
    return 5 * a + b - 5 if 5 < b <= 9 and 1 < a <= 9 else None


@_procedure("tens times, ones added", TIMES, 26, 36)
def _ones_added(a: int, b: int) -> int | None:
    low, high = sorted((a, b))
    return high // 10 * low * 10 + high % 10 + low if 1 < low <= 9 < high and high % 10 else None


@_procedure("squares the larger", TIMES, 16, 34)
def _squares(a: int, b: int) -> int | None:
    return max(a, b) ** 2 if 1 < min(a, b) < max(a, b) <= 9 else None


@_procedure("one by one is one", SHARED, 21, 36)
def _by_one(a: int, b: int) -> int | None:
    return 1 if b == 1 and a else None


@_procedure("one share too few", SHARED, 22, 36)
def _share_too_few(a: int, b: int) -> int | None:
    return a // b - 1 if 1 < b < a else None


@_procedure("halves whatever it is shared by", SHARED, 22, 36)
def _halves(a: int, b: int) -> int | None:
    return a // 2 if b > 2 and a > b else None


@_procedure("digits of the shared number added", SHARED, 22, 36)
def _digits_added(a: int, b: int) -> int | None:
    return sum(int(digit) for digit in str(a)) if b > 1 and 9 < a <= 81 else None
