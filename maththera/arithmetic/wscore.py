"""The W-score: how heavily `a op b` loads working memory, in six parts, 0 to 9.5 in all.

The amounts are part of the definition, not settings: the problem bank is tagged with them and checked against them.
"""

from typing import Final

WScores = tuple[float, float, float, float, float, float]

_INVERSE_OPERATION: Final = 1.5
_TWO_DIGITS: Final = 3.0
_TWO_DIGITS_BOTH_FACTORS: Final = 4.0
_BIG_DIGIT: Final = "6"
_BIG_OPERANDS: Final = (0.0, 0.5, 1.5)
"""The score by the number of big operands: the first adds 0.5, the second 1.0 more."""
_CARRY: Final = 3.0
_EQUAL_OPERANDS: Final = -0.5
_ROUND_OPERAND: Final = -1.0
_HORIZONTAL: Final = 0.5


def w_scores(a: int, op: str, b: int, layout: str, *, carries: bool) -> WScores:
    """W1..W6 of `a op b` (op one of + - x /): operation, digits, number size, complexity, special numbers, layout.

    `carries` says whether any column carries or borrows (`columns.carry_columns`).
    """
    return (
        _INVERSE_OPERATION if op in "-/" else 0.0,
        _digits_score(a, op, b),
        _BIG_OPERANDS[(max(str(a)) >= _BIG_DIGIT) + (max(str(b)) >= _BIG_DIGIT)],
        _CARRY if carries else 0.0,
        _special_score(a, b),
        _HORIZONTAL if layout == "horizontal" else 0.0,
    )


def w_total(scores: WScores) -> float:
    """The sum of the six parts, never below 0."""
    return max(0.0, sum(scores))


def _digits_score(a: int, op: str, b: int) -> float:
    if a < 10 and b < 10:
        return 0.0
    return _TWO_DIGITS_BOTH_FACTORS if op == "x" and a >= 10 and b >= 10 else _TWO_DIGITS


def _special_score(a: int, b: int) -> float:
    score = _EQUAL_OPERANDS if a == b else 0.0
    if (a and a % 10 == 0) or (b and b % 10 == 0):
        score += _ROUND_OPERAND
    return score
