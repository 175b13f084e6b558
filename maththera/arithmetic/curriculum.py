"""The curriculum ladder Cur-C: fifteen units, their problems, and their prerequisites.

C5, C7 and C8 are given; the others follow the national curriculum of grades 1 to 3. Membership is code, and the other
columns of each unit stand beside it in one table.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of the ladder.

    `down` is its prerequisite (itself at the bottom), `cog_c` the cognitive concept 1..6 that it rests on,
    `l_level` and `l_level_with_carry` its L-level 0..6 without and with a carry or borrow.
    """

    c: int
    title: str
    down: int
    cog_c: int
    l_level: int
    l_level_with_carry: int


UNITS: Final = (
    Unit(1, "9까지의 수, 하나 더 하나 덜", down=1, cog_c=2, l_level=2, l_level_with_carry=2),
    Unit(2, "모으기와 가르기 (합 6까지)", down=1, cog_c=3, l_level=3, l_level_with_carry=3),
    Unit(3, "9까지의 덧셈", down=2, cog_c=3, l_level=3, l_level_with_carry=3),
    Unit(4, "9까지의 뺄셈", down=2, cog_c=3, l_level=3, l_level_with_carry=3),
    Unit(5, "십과 몇 (19까지의 수)", down=3, cog_c=4, l_level=3, l_level_with_carry=3),
    Unit(6, "10이 되는 더하기, 10에서 빼기", down=3, cog_c=4, l_level=3, l_level_with_carry=3),
    Unit(7, "받아올림이 있는 (한 자리)+(한 자리)", down=6, cog_c=4, l_level=3, l_level_with_carry=3),
    Unit(8, "두 자리 수의 덧셈 (백 몇십 포함)", down=7, cog_c=5, l_level=4, l_level_with_carry=5),
    Unit(9, "받아내림이 있는 (십몇)−(몇)", down=6, cog_c=4, l_level=3, l_level_with_carry=3),
    Unit(10, "두 자리 수의 뺄셈", down=9, cog_c=5, l_level=4, l_level_with_carry=5),
    Unit(11, "세 자리 수의 덧셈", down=8, cog_c=5, l_level=5, l_level_with_carry=5),
    Unit(12, "세 자리 수의 뺄셈", down=10, cog_c=5, l_level=5, l_level_with_carry=5),
    Unit(13, "곱셈구구", down=8, cog_c=6, l_level=6, l_level_with_carry=6),
    Unit(14, "나눗셈 (곱셈구구 범위)", down=13, cog_c=6, l_level=6, l_level_with_carry=6),
    Unit(15, "(두 자리)×(한·두 자리)", down=13, cog_c=5, l_level=5, l_level_with_carry=5),
)
LOWEST_C: Final = UNITS[0].c
HIGHEST_C: Final = UNITS[-1].c

_STRATEGY: Final = {
    1: "STR_COUNT_ON",
    2: "STR_PART_WHOLE",
    4: "STR_COUNT_ON",
    5: "STR_PLACE_VALUE",
    6: "STR_MAKE10",
    7: "STR_MAKE10",
    9: "STR_MAKE10",
    10: "STR_PLACE_VALUE",
    11: "STR_PLACE_VALUE",
    12: "STR_PLACE_VALUE",
    13: "STR_RETRIEVE",
    14: "STR_RETRIEVE",
    15: "STR_PLACE_VALUE",
}
"""The strategy a unit asks for; C3 and C8 depend on the numbers."""

_NEAR_A_HUNDRED: Final = frozenset({98, 99, 101, 102})
"""Numbers next to 100, for which compensation pays; 100 itself needs none."""


def unit(c: int) -> Unit:
    """The unit of a C in 1..15; KeyError for any other number."""
    if not LOWEST_C <= c <= HIGHEST_C:
        raise KeyError(f"C {c} is outside {LOWEST_C}..{HIGHEST_C}")
    return UNITS[c - 1]


def down(c: int, steps: int = 1) -> int:
    """The C that is `steps` steps down the prerequisites: down(8) is 7, down(13, 2) is 7."""
    for _ in range(steps):
        c = unit(c).down
    return c


def curriculum_level(a: int, op: str, b: int) -> int | None:
    """The C of `a op b` (op one of + - x /), None outside the ladder."""
    if a < 0 or b < 0:
        return None
    if op == "+":
        return _addition_level(a, b)
    if op == "-":
        return _subtraction_level(a, b)
    return _multiplication_level(a, b) if op == "x" else _division_level(a, b)


def nearest_level(a: int, op: str, b: int) -> int:
    """The C that a problem outside the ladder (1000+5, 600÷10, 0+0) counts to: one of its operation, by size."""
    if op == "x":
        return 15
    if op == "/":
        return 14
    one_digit, two_digits, more = (3, 8, 11) if op == "+" else (4, 10, 12)
    largest = max(a, b)
    if largest <= 9:
        return one_digit
    return two_digits if largest <= 99 else more


def strategy(c: int, a: int, b: int) -> str:
    """The strategy (`STR_…`) that a problem of unit C with operands a and b asks for."""
    if c == 3:
        return "STR_DOUBLE" if abs(a - b) <= 1 else "STR_COUNT_ON"
    if c == 8:
        return "STR_PLACE_VALUE" if _NEAR_A_HUNDRED.isdisjoint((a, b)) else "STR_COMPENSATE"
    return _STRATEGY[c]


def _addition_level(a: int, b: int) -> int | None:
    low, high = (a, b) if a <= b else (b, a)
    if high <= 9:
        return _one_digit_addition_level(a, b)
    if low == 0 or high > 999:
        return None
    if high <= 99:
        return 5 if high == 10 and low <= 9 else 8
    return 8 if high % 10 == 0 and high <= 190 and a + b <= 199 else 11


def _one_digit_addition_level(a: int, b: int) -> int | None:
    if a == 0 or b == 0:
        return 3 if a != b else None
    total = a + b
    if total >= 10:
        return 6 if total == 10 else 7
    if b == 1:
        return 1
    return 2 if total <= 6 else 3


def _subtraction_level(a: int, b: int) -> int | None:
    if b > a or a > 999:
        return None
    if a <= 9:
        return _one_digit_subtraction_level(a, b)
    if b == 0:
        return None
    if a <= 19:
        return _teens_subtraction_level(a, b)
    return 10 if a <= 99 else 12


def _one_digit_subtraction_level(a: int, b: int) -> int | None:
    if a == 0:
        return None
    if b in (0, a):
        return 4
    if b == 1:
        return 1
    return 2 if a <= 6 else 4


def _teens_subtraction_level(a: int, b: int) -> int:
    if a == 10:
        return 6 if b <= 9 else 10
    if b in (10, a - 10):
        return 5
    return 9 if a - 10 < b <= 9 else 10


def _multiplication_level(a: int, b: int) -> int | None:
    low, high = (a, b) if a <= b else (b, a)
    if high <= 9:
        return 13
    return 15 if low >= 2 and high <= 99 else None


def _division_level(a: int, b: int) -> int | None:
    return 14 if 1 <= b <= 9 and a % b == 0 and 1 <= a // b <= 9 else None
