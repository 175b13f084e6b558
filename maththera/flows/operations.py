"""What expressions do when they run: every operation checks its operands and pays for its work."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from maththera.flows.schemas import kind_of

WORK: Final = 100_000  # steps of one evaluation, elements and characters that are touched included: about 20 ms
MOST_BITS: Final = 63
"""Of a whole number: what JSON is sure to carry, and the stores that keep results."""

_TOO_LARGE: Final = "the numbers become too large"


class EvaluationError(Exception):
    """An expression that has no value for this data."""


@dataclass(slots=True)
class Evaluation:
    """What an evaluation reads: `values` by root name. `now` is the moment the run began."""

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


def size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | Mapping) else 0


def is_index(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def at(value: Any, index: Any) -> Any:
    if value is None or index is None:
        return None
    if isinstance(value, Mapping) and isinstance(index, str):
        return value.get(index)
    if isinstance(value, list | str) and isinstance(index, int) and not isinstance(index, bool):
        return value[index] if -len(value) <= index < len(value) else None
    raise EvaluationError(f"[{index!r:.40}] cannot be read from {kind_shown(value)}")


def as_number(value: Any, sign: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EvaluationError(f"'{sign}' needs numbers, not {kind_shown(value)}")
    return value


def calculated(apply: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
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
    """Whether a number means the same wherever it goes."""
    return number.bit_length() <= MOST_BITS if isinstance(number, int) else math.isfinite(number)


def added(evaluation: Evaluation, one: Any, other: Any) -> Any:
    if isinstance(one, str | list) and type(one) is type(other):
        evaluation.spend(len(one) + len(other) + 1)
        return operator.add(one, other)
    if isinstance(one, str | list | Mapping) or isinstance(other, str | list | Mapping) or one is None or other is None:
        raise EvaluationError(f"'+' cannot join {kind_shown(one)} and {kind_shown(other)}")
    evaluation.spend(1)
    return calculated(operator.add, as_number(one, "+"), as_number(other, "+"))


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
