"""Items of number sense, each made from its skill, its level and a number; and the copying that measures typing.

An item is kept as its id, `N3.compare:2:7313`: from it everything follows, on every machine. A child sees the widget
with its parameters; the right answer is worked out from these (`training_tasks`) and never shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from maththera.korean.numbers import Style, written
from maththera.korean.particles import with_particle
from maththera.tutoring.content.training_tasks import answers
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import Widget, WidgetParams

COPY: Final = "copy"
"""The kind of item that measures typing; it asks for no skill."""
ENUMERATE: Final = "enumerate"
"""Scattered dots that stay until they are counted: they measure how long one takes, and are evidence for no skill. The
level is the number of dots."""

_SIDES: Final = {"왼쪽": 1, "오른쪽": 2}
_SLOPE: Final = 0.45
"""Logits of difficulty from one level to the next, as for a standard deviation within a skill of the ladder; chosen."""
_TOLERANCE: Final = 0.1
"""The share of a line by which a place may be off and still counts as right, but at least half a step; chosen."""


class ItemError(ValueError):
    """There is no such item."""


@dataclass(frozen=True, slots=True)
class Item:
    """`skill_id`: None where it is evidence for none. `choices`: the numbers that can be tapped: 1 the left side, 2 the
    right one, or the place of a card. `difficulty`: within the skill, in logits."""

    item_id: str
    skill_id: str | None
    widget: Widget
    prompt: str
    choices: tuple[int, ...]
    difficulty: float

    @property
    def key(self) -> str:
        """What may not be shown again and again: everything but where dots lie."""
        params = self.widget["params"]
        return f"{self.widget['ask']}:{[params[name] for name in sorted(params) if name != 'layout']}"

    @property
    def answer(self) -> int:
        """The right answer; on a line the right place."""
        (found,) = answers(self.widget["name"], self.widget["ask"], self.widget["params"])
        return found if isinstance(found, int) else _SIDES.get(found) or int(found.removesuffix("번"))

    def is_right(self, given: int) -> bool:
        """Whether an answer counts as right: on a line, near enough."""
        return self.off(given) <= (max(0.5, _TOLERANCE * self.range) if self.range else 0)

    def off(self, given: int) -> int:
        """How far an answer is from the right one."""
        return abs(given - self.answer)

    @property
    def range(self) -> int:
        """The length of a line on which a number is to be placed; else 0."""
        params = self.widget["params"]
        if self.widget["ask"] != "place":
            return 0
        low, high = params["low"], params["high"]
        return high - low if isinstance(low, int) and isinstance(high, int) else 0


class _Shown(NamedTuple):
    """What a child is shown."""

    name: str
    ask: str
    params: WidgetParams
    prompt: str
    choices: tuple[int, ...] = ()


class _Draw:
    """Numbers that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def between(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included."""
        self._count += 1
        return low + seeded_index(high - low + 1, self._seed, self._count)

    def layout(self) -> int:
        """What the places of scattered dots are drawn from."""
        return self.between(1, 1 << 20)


_COUNT: Final = "몇 개일까?"
_BEYOND_COUNTING_MS: Final = 1500
"""Dots to compare are shown too shortly to be counted."""


def _subitize(level: int, draw: _Draw) -> _Shown:
    """One to four, the more and the shorter the higher the level."""
    low, high, show_ms = ((1, 3, 900), (1, 4, 600), (2, 4, 300))[level - 1]
    params: WidgetParams = {"dots": draw.between(low, high), "pattern": "scattered", "show_ms": show_ms}
    return _Shown("dot_flash", "how_many", {**params, "layout": draw.layout()}, _COUNT)


def _structured(level: int, draw: _Draw) -> _Shown:
    """Five to ten in fives, as dice, in a ten frame."""
    high, show_ms = ((6, 2000), (8, 1500), (10, 1000))[level - 1]
    pattern = ("fives", "dice", "ten_frame")[draw.between(0, 2)]
    return _Shown(
        "dot_flash", "how_many", {"dots": draw.between(5, high), "pattern": pattern, "show_ms": show_ms}, _COUNT
    )


_RATIOS: Final = ((1, 2), (2, 3), (3, 4), (5, 6))
"""The levels of dots: how the fewer stand to the more."""


def _compare(level: int, draw: _Draw) -> _Shown:
    """Dots at four ratios, then digits, then numbers of two digits that are near each other."""
    if level <= len(_RATIOS):
        few, many = _RATIOS[level - 1]
        times = draw.between(6 // few, 18 // many)
        return _sides(few * times, many * times, draw, dots=True)
    if level == len(_RATIOS) + 1:
        low = draw.between(1, 7)
        return _sides(low, low + draw.between(1, min(3, 9 - low)), draw, dots=False)
    low = draw.between(12, 88)
    return _sides(low, low + draw.between(1, 9), draw, dots=False)


def _sides(less: int, more: int, draw: _Draw, *, dots: bool) -> _Shown:
    left, right = (less, more) if draw.between(0, 1) else (more, less)
    if not dots:
        return _Shown("compare", "more", {"left": left, "right": right, "shown": "numbers"}, "어느 수가 커?", (1, 2))
    params: WidgetParams = {"left": left, "right": right, "shown": "dots", "show_ms": _BEYOND_COUNTING_MS}
    return _Shown("compare", "more", {**params, "layout": draw.layout()}, "어느 쪽이 많아?", (1, 2))


def _next(level: int, draw: _Draw) -> _Shown:
    """The next number, then the one before, then counting on."""
    if level == 1:
        return _neighbour(draw.between(1, 9), 1)
    if level == 2:
        step = (1, -1)[draw.between(0, 1)]
        return _neighbour(draw.between(2, 18 if step == 1 else 10), step)
    if draw.between(0, 1):
        return _neighbour(draw.between(10, 20), -1)
    start, gap = draw.between(5, 17), draw.between(0, 1)
    sequence: list[int | None] = [start, start + 1, start + 2, start + 3]
    sequence[-1 if gap else 0] = None
    return _Shown("number_line", "missing", {"sequence": sequence}, "빈 곳은 몇일까?")


def _neighbour(number: int, step: int) -> _Shown:
    prompt = f"{number} 다음 수는?" if step == 1 else f"{number} 앞의 수는?"
    return _Shown("number_line", "neighbour", {"number": number, "step": step}, prompt)


_LINES: Final = (10, 20, 100, 1000)


def _line(level: int, draw: _Draw) -> _Shown:
    """A place on a line with nothing but its ends, from 0 to 10 up to 0 to 1000."""
    high = _LINES[level - 1]
    target = draw.between(1, high - 1)
    prompt = f"{with_particle(target, '은는')} 어디일까?"
    return _Shown("number_line", "place", {"low": 0, "high": high, "target": target}, prompt)


def _tens_ones(level: int, draw: _Draw) -> _Shown:
    """Tens and ones as blocks, a number word in digits, digits as a number word."""
    number = draw.between(*((11, 19), (21, 59), (21, 98))[level - 1])
    way = draw.between(0, 2)
    if way == 0:
        tens, ones = divmod(number, 10)
        return _Shown("base_ten", "value", {"hundreds": 0, "tens": tens, "ones": ones}, "얼마일까?")
    style: Style = "native" if draw.between(0, 1) else "sino"
    if way == 1:
        return _Shown("digit_write", "word", {"word": written(number, style)}, "숫자로 써 볼까?")
    others = [
        one for one in (number % 10 * 10 + number // 10, number + 10, number + 1) if one != number and 10 <= one <= 99
    ]
    cards = [written(one, style) for one in dict.fromkeys(others)][:2]
    cards.insert(draw.between(0, len(cards)), written(number, style))
    choices = tuple(range(1, len(cards) + 1))
    return _Shown("digit_write", "words", {"number": number, "words": cards}, "어떻게 읽을까?", choices)


def _enumerate(level: int, draw: _Draw) -> _Shown:
    params: WidgetParams = {"dots": level, "pattern": "scattered", "show_ms": 0, "layout": draw.layout()}
    return _Shown("dot_flash", "how_many", params, _COUNT)


def _copy(_: int, draw: _Draw) -> _Shown:
    return _Shown("copy", "copy", {"source": str(draw.between(12, 98)), "hide_after_ms": 0}, "그대로 써 볼까?")


_MAKERS: Final[Mapping[str, tuple[int, Callable[[int, _Draw], _Shown]]]] = {
    "N1.subitize": (3, _subitize),
    "N2.structured": (3, _structured),
    "N3.compare": (6, _compare),
    "N4.next": (3, _next),
    "N5.line": (4, _line),
    "N6.tens_ones": (3, _tens_ones),
    ENUMERATE: (9, _enumerate),
    COPY: (1, _copy),
}
"""Kind of item → its highest level, and what makes it."""

SKILLS: Final = tuple(kind for kind in _MAKERS if kind not in (ENUMERATE, COPY))
"""The skills that have items, in teaching order."""


def highest_level(kind: str) -> int:
    """The hardest level of a skill's items; 1 is the easiest."""
    return _MAKERS[kind][0]


def item_id(kind: str, level: int, seed: int) -> str:
    """The id of an item. `seed`: the same number makes the same item."""
    return f"{kind}:{level}:{seed}"


@lru_cache(maxsize=4096)
def item(one: str) -> Item:
    """The item of an id. ItemError."""
    kind, level, seed = _parts(one)
    highest, make = _MAKERS[kind]
    shown = make(level, _Draw(seed))
    return Item(
        one,
        kind if kind in SKILLS else None,
        {"name": shown.name, "ask": shown.ask, "params": shown.params},
        shown.prompt,
        shown.choices,
        round(_SLOPE * (level - (1 + highest) / 2), 3) if kind in SKILLS else 0.0,
    )


def _parts(one: str) -> tuple[str, int, int]:
    kind, _, rest = one.partition(":")
    level, _, seed = rest.partition(":")
    if (
        kind not in _MAKERS
        or not (level.isdecimal() and seed.isdecimal())
        or not 1 <= int(level) <= highest_level(kind)
    ):
        raise ItemError(f"there is no item {one}")
    return kind, int(level), int(seed)
