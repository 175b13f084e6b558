"""The parameters of a training's task, made from the numbers that a pattern draws for it.

Most tasks take them as they are; the others are made by a function here, which refuses numbers that make no such task.
"""

from collections.abc import Callable
from typing import Final

from maththera.arithmetic.problem import SIGNS
from maththera.korean.numbers import written
from maththera.tutoring.content.item_wording import Numbers
from maththera.tutoring.content.training_tasks import TaskParams, require

_LINES: Final = (10, 20, 50, 100, 1000)
"""Number lines from 0 up to these numbers."""
_CARDS: Final = 3


def params_of(widget: str, ask: str, numbers: Numbers) -> TaskParams:
    """What `training_tasks` and the front ends know the task by. TaskError."""
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
