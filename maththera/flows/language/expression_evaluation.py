"""The operations of expressions at run time. Each one checks its operands and spends work of a limited budget."""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from maththera.flows.language.schema_types import kind_of

WORK: Final = 100_000  # steps of one evaluation, elements and characters that are touched included: about 20 ms
MOST_BITS: Final = 63
"""The largest size of a whole number: JSON and the stores of results can all carry it."""

_MOST_DAYS: Final = 40_000
_TOO_LARGE: Final = "the numbers become too large"


class EvaluationError(Exception):
    """The expression has no value for this data."""


@dataclass(slots=True)
class Evaluation:
    """One evaluation. `values`: by root name; `now`: the beginning of the run; `work`: the budget that is left."""

    values: Mapping[str, Any]
    now: datetime
    work: int = WORK

    def spend(self, amount: int) -> None:
        self.work -= amount
        if self.work < 0:
            raise EvaluationError("needs more work than an expression may do; use a python step or a tool")


def kind_shown(value: Any) -> str:
    kind = kind_of(value)
    return {"string": "a text", "array": "a list", "object": "an object", "null": "null"}.get(
        kind, f"{kind} {value!r:.20}"
    )


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | Mapping) else 0


def is_index(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def item_at(value: Any, index: Any) -> Any:
    if value is None or index is None:
        return None
    if isinstance(value, Mapping) and isinstance(index, str):
        return value.get(index)
    if isinstance(value, list | str) and isinstance(index, int) and not isinstance(index, bool):
        return value[index] if -len(value) <= index < len(value) else None
    raise EvaluationError(f"[{index!r:.40}] cannot be read from {kind_shown(value)}")


def field_of(value: Any, name: str) -> Any:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise EvaluationError(f"'.{name}' cannot be read from {kind_shown(value)}")
    return value.get(name)


def part_of(evaluation: Evaluation, value: Any, start: Any, end: Any) -> Any:
    if value is None:
        return None
    if not isinstance(value, list | str) or not all(is_index(each) for each in (start, end)):
        raise EvaluationError(f"no part of {kind_shown(value)} can be taken")
    cut = value[start:end]
    evaluation.spend(len(cut) + 1)
    return cut


def days_ago(evaluation: Evaluation, number: Any) -> str:
    if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) <= _MOST_DAYS:
        raise EvaluationError(f"days_ago needs a number of days up to {_MOST_DAYS:,}, not {number!r:.40}")
    return (evaluation.now - timedelta(days=number)).isoformat(timespec="seconds")


def compared(evaluation: Evaluation, test: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
    evaluation.spend(1 + _size(one) + _size(other))
    try:
        return bool(test(one, other))
    except (TypeError, RecursionError):
        raise EvaluationError(f"{kind_shown(one)} cannot be compared with {kind_shown(other)}") from None


def as_number(value: Any, sign: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EvaluationError(f"'{sign}' needs numbers, not {kind_shown(value)}")
    return value


def checked_arithmetic(apply: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    try:
        return _in_range(apply(one, other))
    except ZeroDivisionError:
        raise EvaluationError("divides by zero") from None
    except OverflowError:
        raise EvaluationError(_TOO_LARGE) from None


def _in_range(number: Any) -> Any:
    if is_json_number(number):
        return number
    raise EvaluationError(_TOO_LARGE)


def is_json_number(number: float) -> bool:
    """Whether every JSON reader and store takes the number as it is."""
    return number.bit_length() <= MOST_BITS if isinstance(number, int) else math.isfinite(number)


def added(evaluation: Evaluation, one: Any, other: Any) -> Any:
    if isinstance(one, str | list) and type(one) is type(other):
        evaluation.spend(len(one) + len(other) + 1)
        return operator.add(one, other)
    if isinstance(one, str | list | Mapping) or isinstance(other, str | list | Mapping) or one is None or other is None:
        raise EvaluationError(f"'+' cannot join {kind_shown(one)} and {kind_shown(other)}")
    evaluation.spend(1)
    return checked_arithmetic(operator.add, as_number(one, "+"), as_number(other, "+"))


def _items(evaluation: Evaluation, name: str, arguments: Sequence[Any]) -> list[Any]:
    many = arguments[0] if len(arguments) == 1 else list(arguments)
    if isinstance(many, Mapping):
        many = list(many.values())
    if not isinstance(many, list):
        raise EvaluationError(f"{name}() needs a list, not {kind_shown(many)}")
    evaluation.spend(len(many) + 1)
    return many


def _length(_: Evaluation, arguments: Sequence[Any]) -> int:
    value = arguments[0]
    if value is None:
        return 0
    if not isinstance(value, str | list | Mapping):
        raise EvaluationError(f"len() needs a list, not {kind_shown(value)}")
    return len(value)


def _over(name: str, function: Callable[[list[Any]], Any]) -> Callable[[Evaluation, Sequence[Any]], Any]:
    def call(evaluation: Evaluation, arguments: Sequence[Any]) -> Any:
        items = _items(evaluation, name, arguments)
        try:
            return function(items)
        except TypeError:
            raise EvaluationError(f"{name}() cannot handle what the list holds") from None
        except OverflowError:
            raise EvaluationError(_TOO_LARGE) from None

    return call


def _sum(items: list[Any]) -> Any:
    return _in_range(sum(as_number(each, "sum()") for each in items))


def _round(_: Evaluation, arguments: Sequence[Any]) -> Any:
    number = as_number(arguments[0], "round()")
    digits = arguments[1] if len(arguments) > 1 else None
    if not is_index(digits) or abs(digits or 0) > 20:
        raise EvaluationError("round() takes at most 20 digits")
    try:
        return _in_range(round(number, digits))
    except (OverflowError, ValueError):
        raise EvaluationError("round() needs a finite number") from None


CALLS: Final[dict[str, Callable[[Evaluation, Sequence[Any]], Any]]] = {
    "len": _length,
    "min": _over("min", lambda items: min(items, default=None)),
    "max": _over("max", lambda items: max(items, default=None)),
    "sum": _over("sum", _sum),
    "any": _over("any", any),
    "all": _over("all", all),
    "round": _round,
    "sorted": _over("sorted", sorted),
}
ARGUMENTS: Final[Mapping[str, tuple[int, int]]] = {"round": (1, 2), "min": (1, 20), "max": (1, 20)}
"""The least and the most arguments of a function that may have more than one."""


COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in (many or ()),
    ast.NotIn: lambda one, many: one not in (many or ()),
}
ARITHMETIC: Final[dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]]] = {
    ast.Sub: ("-", operator.sub),
    ast.Mult: ("*", operator.mul),
    ast.Div: ("/", operator.truediv),
    ast.FloorDiv: ("//", operator.floordiv),
    ast.Mod: ("%", operator.mod),
}
