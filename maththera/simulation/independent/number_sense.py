"""A child's sense of numbers: how many dots it sees at once, how fast it counts, how finely it compares and places.

Every number is chosen. The words for numbers are read here once more, for the child shares nothing with the tutor.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

_ONES: Final = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_TENS: Final = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_DIGITS: Final = "영일이삼사오육칠팔구"
_LOOKS_MS: Final = 900.0
_SLIPS: Final = 0.04
_GAIN: Final = 0.06
"""Of what is missing, from one item."""
_SHORT_MS: Final = 2500
"""Seen for less than this, dots beyond a glance cannot be counted."""


@dataclass(slots=True)
class Senses:
    """`at_once`: dots seen at a glance; `glance_ms`, `count_ms`: what a dot costs up to there and beyond. `blur`: the
    noise of a quantity, a share of it. `line`: that of a place, a share of the line. `counts`, `reads`: the chance that
    the next number, and a number in tens and ones, come off."""

    at_once: int
    glance_ms: float
    count_ms: float
    blur: float
    line: float
    counts: float
    reads: float

    def practise(self, ask: str) -> None:
        """What an item leaves behind."""
        if ask in ("neighbour", "missing"):
            self.counts += _GAIN * (1 - self.counts)
        elif ask in ("value", "word", "words"):
            self.reads += _GAIN * (1 - self.reads)
        elif ask == "place":
            self.line *= 1 - _GAIN


def senses(months: float, speed: float, chance: Random) -> Senses:
    """Of a child after so many months of school."""
    grown = min(1.0, max(0.0, months / 24))
    return Senses(
        at_once=chance.choice((2, 3, 3, 4) if grown < 0.5 else (3, 3, 4, 4)),
        glance_ms=chance.uniform(60, 160) * speed,
        count_ms=(900 - 450 * grown) * chance.uniform(0.8, 1.3) * speed,
        blur=(0.3 - 0.12 * grown) * chance.uniform(0.8, 1.3),
        line=(0.2 - 0.12 * grown) * chance.uniform(0.7, 1.4),
        counts=min(0.97, 0.7 + 0.3 * grown + chance.uniform(-0.1, 0.1)),
        reads=min(0.97, 0.35 + 0.7 * grown + chance.uniform(-0.1, 0.1)),
    )


def perceive(widget: Mapping[str, Any], own: Senses, chance: Random) -> tuple[int, float, str]:
    """What the child makes of a widget: its answer, the time it takes it in ms, and why: right, or what went wrong."""
    ask, params = widget["ask"], widget["params"]
    if ask == "how_many":
        return _count(params, own, chance)
    if ask == "more":
        return _compare(params, own, chance)
    if ask == "place":
        low, high = params["low"], params["high"]
        seen = params["target"] + chance.gauss(0, own.line * (high - low))
        return min(high, max(low, round(seen))), 3500.0, "placed"
    if ask == "copy":
        return int(params["source"]), 1500.0, "right"
    right, able = _known(ask, params), own.counts if ask in ("neighbour", "missing") else own.reads
    if chance.random() < able:
        return right, 2200.0, "right"
    if ask == "words":
        return chance.randint(1, len(params["words"])), 3000.0, "guess"
    return max(0, right + chance.choice((-1, 1, 10) if right > 20 else (-1, 1))), 3000.0, "cannot"


def _count(params: Mapping[str, Any], own: Senses, chance: Random) -> tuple[int, float, str]:
    dots, structured = params["dots"], params["pattern"] != "scattered"
    beyond = 0 if structured and dots <= 10 else max(0, dots - own.at_once)
    took = _LOOKS_MS + own.glance_ms * min(dots, own.at_once) + own.count_ms * beyond
    gone = 0 < params["show_ms"] < _SHORT_MS and beyond > 0
    if gone or (structured and chance.random() < own.blur):
        seen = max(1, round(chance.gauss(dots, own.blur * dots)))
        return seen, took, "right" if seen == dots else "estimate"
    if chance.random() < _SLIPS * (1 + beyond / 2):
        return max(0, dots + chance.choice((-1, 1))), took, "slip"
    return dots, took, "right"


def _compare(params: Mapping[str, Any], own: Senses, chance: Random) -> tuple[int, float, str]:
    left, right = params["left"], params["right"]
    blur = own.blur if params["shown"] == "dots" else own.blur / 4
    more = 1 if chance.gauss(left, blur * left) > chance.gauss(right, blur * right) else 2
    near = min(left, right) / max(left, right)
    return more, 800 + 900 * near, "right" if (more == 1) == (left > right) else "blurred"


def _known(ask: str, params: Mapping[str, Any]) -> int:
    """What it would be if all came off."""
    if ask == "neighbour":
        return int(params["number"] + params["step"])
    if ask == "missing":
        place, known = next((at, one) for at, one in enumerate(params["sequence"]) if one is not None)
        return int(known + params["sequence"].index(None) - place)
    if ask == "value":
        return int(100 * params["hundreds"] + 10 * params["tens"] + params["ones"])
    if ask == "word":
        return _read(params["word"])
    return [_read(word) for word in params["words"]].index(params["number"]) + 1


def _read(word: str) -> int:
    """A number word below a hundred, of either kind."""
    return next(n for n in range(1, 100) if word in (_TENS[n // 10 % 10] + _ONES[n % 10], _by_digits(n)))


def _by_digits(number: int) -> str:
    tens, ones = divmod(number, 10)
    begun = "" if not tens else "십" if tens == 1 else _DIGITS[tens] + "십"
    return begun + (_DIGITS[ones] if ones else "")
