"""The single things that a child can do or not, and which of them a sum asks for.

They are cut by what happens in the head and on paper, column by column, not by the tutor's skills: 47+38 asks for 7+8
past the ten, for two places, and for handing a ten on.
"""

from functools import lru_cache
from typing import Final

from maththera.simulation.independent.sums import MINUS, PLUS, TIMES, Sum

TAUGHT: Final[dict[str, dict[str, float]]] = {
    PLUS: {
        "one more": 0, "up to five": 1, "nothing added": 2, "up to nine": 3, "a ten and ones": 5, "full tens": 6,
        "past ten by a nine or twins": 8, "past ten": 9, "tens in one": 11, "two places": 12,
        "ones onto two places": 12, "a ten handed on": 14, "a hundred handed on": 17, "three places": 20,
        "handed on twice": 22,
    },
    MINUS: {
        "one less": 0, "off six": 2, "nothing or all taken": 3, "off nine": 4, "ones off a teen": 7,
        "the ten off a teen": 6, "off ten": 7, "back past ten": 10, "tens off tens": 12, "two places apart": 13,
        "a ten broken": 16, "broken above a nought": 18, "three places apart": 22, "broken twice": 25,
        "broken across a nought": 27,
    },
    TIMES: {
        "twos and fives": 14, "once": 15, "nought times": 16, "threes and fours": 17, "tables from six": 20,
        "tens times": 24, "places times": 26, "product handed on": 28, "times tens": 31, "four products": 33,
    },
    "/": {"by one or itself": 20, "shared by two or five": 21, "shared by three or four": 23, "shared by more": 25},
}  # fmt: skip
"""Sign → ability → the month, counted from the first day of school, in which it is usually taught (chosen, after
textbooks of grades 1 to 3)."""

MONTH: Final = {ability: month for group in TAUGHT.values() for ability, month in group.items()}
SIGN: Final = {ability: sign for sign, group in TAUGHT.items() for ability in group}


@lru_cache(maxsize=65_536)
def needed(one: Sum) -> tuple[str, ...]:
    """The abilities that a sum asks for, each once."""
    ways = {PLUS: _added, MINUS: _taken, TIMES: _multiplied}
    return tuple(dict.fromkeys(ways.get(one.sign, _shared)(one.a, one.b)))


def _places(number: int) -> list[int]:
    return [int(digit) for digit in reversed(str(number))]


def _small_sum(a: int, b: int) -> list[str]:
    total, low = a + b, min(a, b)
    if low == 0:
        return ["nothing added"]
    if low == 1 and total < 10:
        return ["one more"]
    if total < 10:
        return ["up to five"] if total <= 5 else ["up to nine"]
    if total == 10:
        return ["full tens"]
    return ["past ten by a nine or twins"] if max(a, b) == 9 or abs(a - b) <= 1 else ["past ten"]


def _added(a: int, b: int) -> list[str]:
    low, high = min(a, b), max(a, b)
    if high <= 9:
        return _small_sum(a, b)
    if high == 10 and low <= 9:
        return ["a ten and ones"]
    if high < 200 and a % 10 == 0 and b % 10 == 0:
        return ["tens in one", *_small_sum(min(low // 10, 9), min(high // 10, 9))]
    found = ["ones onto two places" if low <= 9 else "two places"]
    if high >= 200 or (high >= 100 and high % 10):
        found.append("three places")
    hand, times = 0, 0
    above, below = _places(high), _places(low)
    for place, digit in enumerate(above):
        other = below[place] if place < len(below) else 0
        if digit and other:
            found += _small_sum(digit, other)
        hand = int(digit + other + hand > 9)
        if hand:
            times += 1
            found.append("a hundred handed on" if place == 1 else "a ten handed on")
    return [*found, "handed on twice"] if times > 1 else found


def _small_difference(a: int, b: int) -> list[str]:
    if b in (0, a):
        return ["nothing or all taken"]
    if a <= 9:
        return ["one less"] if b == 1 else ["off six"] if a <= 6 else ["off nine"]
    return ["off ten"] if a == 10 else ["back past ten"]


def _taken(a: int, b: int) -> list[str]:
    if a <= 10:
        return _small_difference(a, b)
    if a <= 19 and b <= 10:
        if b == 10:
            return ["the ten off a teen"]
        return _small_difference(a, b) if b > a % 10 else ["ones off a teen", *_small_difference(a % 10, b)]
    if a < 200 and a % 10 == 0 and b % 10 == 0:
        return ["tens off tens", *_small_difference(a // 10, b // 10)]
    found = ["two places apart"] if a < 100 else ["two places apart", "three places apart"]
    top, times = _places(a), 0
    below = _places(b)
    for place, taken in enumerate(below):
        digit = top[place]
        if digit >= taken:
            if taken:
                found += _small_difference(digit, taken)
            continue
        times += 1
        lender = place + 1
        if top[lender] == 0:
            found.append("broken across a nought")
        while lender < len(top) - 1 and top[lender] <= 0:
            top[lender] = 9
            lender += 1
        top[lender] -= 1
        found += ["broken above a nought"] if digit == 0 else []
        found += ["a ten broken", *_small_difference(10 + max(digit, 0), taken)]
    return [*found, "broken twice"] if times > 1 else found


def _product(a: int, b: int) -> list[str]:
    if 0 in (a, b):
        return ["nought times"]
    if 1 in (a, b):
        return ["once"]
    if not {2, 5}.isdisjoint((a, b)):
        return ["twos and fives"]
    return ["threes and fours"] if not {3, 4}.isdisjoint((a, b)) else ["tables from six"]


def _multiplied(a: int, b: int) -> list[str]:
    low, high = min(a, b), max(a, b)
    if high <= 9:
        return _product(a, b)
    if low <= 9:
        found = ["tens times"] if high % 10 == 0 else ["tens times", "places times"]
        for digit in _places(high):
            found += _product(low, digit) if digit else []
        return [*found, "product handed on"] if low * (high % 10) > 9 else found
    one, other = _multiplied(high, low // 10), _multiplied(high, low % 10) if low % 10 else []
    if a % 10 == 0 or b % 10 == 0:
        return ["times tens", *one, *other]
    return ["times tens", "four products", "two places", *one, *other]


def _shared(a: int, b: int) -> list[str]:
    if b in (1, a) or a == 0:
        return ["by one or itself"]
    if b in (2, 5):
        return ["shared by two or five"]
    if b in (3, 4):
        return ["shared by three or four"]
    return ["tens in one"] if b == 10 else ["shared by more"]
