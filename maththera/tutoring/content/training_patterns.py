"""The pattern of a training's items: what is asked, the numbers it is asked about, and the words that go with it.

An item is one draw of its pattern's numbers. Its id says which: `T12-1.2.3` is the first pattern with the third of the
values of one number and the fourth of the other. So the item can be made again from its id alone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field

from maththera.arithmetic.problem import SIGNS
from maththera.korean.numbers import written
from maththera.korean.particles import PARTICLES, with_particle
from maththera.tutoring.content.training_tasks import Answer, TaskError, TaskParams, answers, require

Lines = Annotated[tuple[str, ...], Field(min_length=1, max_length=3)]
"""Lines shown together: at most three sentences, within the tone guide."""

_RANGE: Final = re.compile(r"(-?\d+)-(\d+)")
_FOLLOWS: Final = re.compile(r"=(\w+?)([+-]\d+)?")
_NUMBER: Final = re.compile(r"\d+")
_FRAME: Final = frozenset({"low", "high", "tick", "layout"})
"""Parameters that say how long a line is and how things lie, and so nothing of how large the numbers are."""
_LINES: Final = (10, 20, 50, 100, 1000)
"""Number lines from 0 up to these numbers."""
_CARDS: Final = 3

Numbers = Mapping[str, int | str]
"""Numbers and words by name."""


def _span(value: object) -> object:
    """`2-9`: 2 to 9, both included."""
    found = _RANGE.fullmatch(value) if isinstance(value, str) else None
    return (int(found[1]), int(found[2])) if found else value


def _values(value: object) -> object:
    """A range, a list, or the one value that there is."""
    span = _span(value)
    if isinstance(span, tuple):
        return tuple(range(span[0], span[1] + 1))
    return value if isinstance(value, list) else (value,)


Span = Annotated[tuple[int, int], BeforeValidator(_span)]
Values = Annotated[tuple[int | str, ...], Field(min_length=1), BeforeValidator(_values)]


class Strict:
    """Fields that are not known are refused."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Step(Strict):
    """One question. Without `choices` the child types, writes or places the answer."""

    prompt: Lines
    answer: Answer
    choices: tuple[Answer, ...] | None = None


@dataclass(frozen=True, slots=True)
class Item(Strict):
    """One drawing and the questions about it, step by step. `ask` and `params` name a task of `training_tasks`."""

    id: str
    ask: str
    params: TaskParams
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    widget: str | None = None
    """None: the training's."""
    hint: str | None = None

    @property
    def largest(self) -> int:
        """The largest number that is shown or sought."""
        numbers = [step.answer for step in self.steps if isinstance(step.answer, int)]
        for name, value in self.params.items():
            if name not in _FRAME and not name.endswith("_ms"):
                numbers += [one for one in (value if isinstance(value, list) else [value]) if type(one) is int]
        blocks = [self.params.get(name, 0) for name in ("hundreds", "tens", "ones")]
        numbers.append(sum(int(count) * worth for count, worth in zip(blocks, (100, 10, 1), strict=True)
                           if isinstance(count, int)))  # fmt: skip
        return max(numbers)


@dataclass(frozen=True, slots=True)
class PatternStep(Strict):
    """A question with slots (`worded`). `within`: the answers that are wanted."""

    prompt: Lines
    choices: tuple[Answer, ...] | None = None
    within: Span | None = None


@dataclass(frozen=True, slots=True)
class Pattern(Strict):
    """`numbers`: what each may be; `=name+1` follows another. `levels`: the levels C of the ladder whose children it is
    for. `widget` None: the training's."""

    ask: str
    numbers: Mapping[str, Values]
    steps: Annotated[tuple[PatternStep, ...], Field(min_length=1)]
    levels: Span = (1, 15)
    widget: str | None = None
    hint: str | None = None

    def low_places(self, limit: int | None) -> list[Sequence[int]]:
        """For each number that follows no other, the places of its values up to `limit`; of all where there is none."""
        places: list[Sequence[int]] = []
        for values in self._free.values():
            low = [place for place, value in enumerate(values) if limit is None or not _above(value, limit)]
            places.append(low or range(len(values)))
        return places

    def item(self, item_id: str, places: tuple[int, ...], widget: str) -> Item:
        """The item with these numbers; `widget`: the training's. TaskError where they make none."""
        free = self._free
        require(len(places) == len(free), "numbers", f"there are {len(free)}")
        drawn = [(values, place) for values, place in zip(free.values(), places, strict=True)]
        require(all(place < len(values) for values, place in drawn), "numbers", "is none of the values")
        numbers = self._followed(dict(zip(free, (values[place] for values, place in drawn), strict=True)))
        params = params_of(self.widget or widget, self.ask, numbers)
        found = answers(self.widget or widget, self.ask, params)
        require(len(found) == len(self.steps), "steps", f"{self.ask} has {len(found)} steps")
        slots = {**numbers, **{name: value for name, value in params.items() if isinstance(value, int | str)}}
        hint = worded(self.hint, slots, found) if self.hint else None
        steps = tuple(_step(step, answer, slots, found, hint) for step, answer in zip(self.steps, found, strict=True))
        return Item(item_id, self.ask, params, steps, self.widget, hint)

    @property
    def _free(self) -> dict[str, tuple[int | str, ...]]:
        """The numbers that follow no other."""
        return {name: values for name, values in self.numbers.items() if not _follows(values[0])}

    def _followed(self, numbers: dict[str, int | str]) -> Numbers:
        for name in self.numbers.keys() - numbers.keys():
            found = _follows(self.numbers[name][0])
            base = numbers.get(found[1]) if found else None
            require(isinstance(base, int), name, "follows no number")
            numbers[name] = int(base or 0) + int(found[2] or 0) if found else 0
        return numbers


def _follows(value: int | str) -> re.Match[str] | None:
    return _FOLLOWS.fullmatch(value) if isinstance(value, str) else None


def _above(value: int | str, limit: int) -> bool:
    return isinstance(value, int) and value > limit


def _step(step: PatternStep, answer: Answer, slots: Numbers, found: tuple[Answer, ...], hint: str | None) -> Step:
    prompt = tuple(worded(line, slots, found) for line in step.prompt)
    if step.within is not None:
        low, high = step.within
        require(isinstance(answer, int) and low <= answer <= high, "steps", f"{answer} is not within {low}-{high}")
    said = _NUMBER.findall(" ".join((*prompt, hint or "")))
    require(not isinstance(answer, int) or str(answer) not in said, "steps", f"{answer} is said beside it")
    require(step.choices is None or answer in step.choices, "steps", f"the choices lack {answer}")
    return Step(prompt, answer, step.choices)


def parsed_id(item_id: str) -> tuple[str, int, tuple[int, ...]]:
    """Training, number of the pattern from 1, places of the numbers. TaskError."""
    training_id, dash, rest = item_id.partition("-")
    numbers = rest.split(".")
    if not dash or not all(number.isascii() and number.isdecimal() and len(number) <= 6 for number in numbers):
        raise TaskError((), f"{item_id} is no item")
    pattern, *places = map(int, numbers)
    return training_id, pattern, tuple(places)


# --- words, with the numbers in them ----------------------------------------------------------------------------------


class Numeral(int):
    """A number that can stand in a sentence: `{a.ones:은는}` is its ones digit with the particle of its sound."""

    @property
    def ones(self) -> "Numeral":
        """The digit of the ones."""
        return Numeral(self % 10)

    @property
    def tens(self) -> "Numeral":
        """The digit of the tens."""
        return Numeral(self // 10 % 10)

    @property
    def hundreds(self) -> "Numeral":
        """The digit of the hundreds."""
        return Numeral(self // 100 % 10)

    def __format__(self, particle: str) -> str:
        if not particle:
            return str(int(self))
        if particle not in PARTICLES:
            raise ValueError(f"{particle} is none of {', '.join(PARTICLES)}")
        return with_particle(int(self), particle)


def worded(text: str, numbers: Numbers, found: tuple[int | str, ...]) -> str:
    """The text with its slots filled: names are those of `numbers`, `{1}` is what the first step found. ValueError for
    a slot that there is nothing for."""
    slots = {name: Numeral(value) if isinstance(value, int) else value for name, value in numbers.items()}
    steps = [None, *(Numeral(value) if isinstance(value, int) else value for value in found)]
    try:
        return text.format(*steps, **slots)
    except (LookupError, AttributeError, ValueError, TypeError) as error:
        raise ValueError(f"{text!r}: {error}") from error


# --- the parameters of a task, from the numbers that were drawn -------------------------------------------------------


def params_of(widget: str, ask: str, numbers: Numbers) -> TaskParams:
    """What `training_tasks` and the front ends know the task by: mostly the numbers as they are; the makers refuse
    those that make no such task. TaskError."""
    make = _MAKERS.get((widget, ask))
    return make(numbers) if make else dict(numbers)


def _number(numbers: Numbers, name: str) -> int:
    value = numbers.get(name)
    require(isinstance(value, int), name, "must be a number")
    return value if isinstance(value, int) else 0


def _jump(numbers: Numbers) -> TaskParams:
    """`times` jumps, each `by` so many, on the shortest line that goes on after them: its end is no answer."""
    start, by, times = (_number(numbers, name) for name in ("start", "by", "times"))
    last = start + by * times
    line = next((line for line in _LINES if max(start, last) < line), 0)
    require(last >= 0 and line > 0, "times", "the frog leaves the line")
    return {"low": 0, "high": line, "start": start, "jumps": [by] * times}


def _missing(numbers: Numbers) -> TaskParams:
    """Four numbers from `start`, `by` apart, without the one at `gap` (1 to 4)."""
    start, by, gap = (_number(numbers, name) for name in ("start", "by", "gap"))
    sequence: list[int | None] = [start + by * place for place in range(4)]
    require(all(number is not None and number >= 0 for number in sequence), "by", "falls below 0")
    sequence[gap - 1] = None
    return {"sequence": sequence}


def _to_the_round(numbers: Numbers) -> TaskParams:
    """a+b by way of the next multiple of `round`."""
    a, b, whole = (_number(numbers, name) for name in ("a", "b", "round"))
    return {"a": a, "b": b, "target": -(-a // whole) * whole}


def _parts(numbers: Numbers) -> TaskParams:
    return {"parts": [_number(numbers, "first"), _number(numbers, "second")]}


def _digit(numbers: Numbers) -> TaskParams:
    """The digit of b in a column, counted from the ones as 1."""
    a, b, column = (_number(numbers, name) for name in ("a", "b", "column"))
    require(b >= 10 ** (column - 1), "column", "b has no such column")
    return {"a": a, "b": b, "digit": b // 10 ** (column - 1) % 10}


def _digit_value(numbers: Numbers) -> TaskParams:
    number = str(_number(numbers, "number"))
    require("0" not in number and len(set(number)) == len(number), "number", "a digit is 0 or stands there twice")
    return dict(numbers)


def _cards(numbers: Numbers) -> TaskParams:
    """Three digits, of which the one at `place` is not mirrored."""
    place = _number(numbers, "place")
    return {"digit": _number(numbers, "digit"), "mirrored": [card != place for card in range(1, _CARDS + 1)]}


def _word(numbers: Numbers) -> TaskParams:
    return {"word": written(_number(numbers, "number"), "sino")}


def _expression(numbers: Numbers) -> str:
    return f"{numbers['a']}{SIGNS[str(numbers['op'])]}{numbers['b']}"


def _copy(numbers: Numbers) -> TaskParams:
    return {"source": _expression(numbers), "hide_after_ms": _number(numbers, "hide_after_ms")}


def _same(numbers: Numbers) -> TaskParams:
    """`change`: what the copy changes: nothing, the order of b's digits, or the sign."""
    source, b = _expression(numbers), str(numbers["b"])
    turned = {"digits": {**numbers, "b": b[::-1]}, "sign": {**numbers, "op": "-" if numbers["op"] == "+" else "+"}}
    copied = _expression(turned.get(str(numbers["change"]), numbers))
    require(numbers["change"] == "nothing" or copied != source, "change", "changes nothing")
    return {"source": source, "copied": copied}


_MAKERS: Final[dict[tuple[str, str], Callable[[Numbers], TaskParams]]] = {
    ("number_line", "jump"): _jump,
    ("number_line", "missing"): _missing,
    ("number_line", "borrow_to_hundred"): _to_the_round,
    ("part_whole", "whole"): _parts,
    ("part_whole", "family"): _parts,
    ("vertical", "where"): _digit,
    ("base_ten", "digit_value"): _digit_value,
    ("digit_write", "which_is_right"): _cards,
    ("digit_write", "word"): _word,
    ("copy", "copy"): _copy,
    ("copy", "same"): _same,
}
