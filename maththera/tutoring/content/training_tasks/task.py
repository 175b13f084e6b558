"""A training task: a function from the parameters of an item to the right answer of each of its steps.

Numbers are natural numbers. A task refuses parameters that it could not be drawn with or that have no such answer.
"""

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from pydantic import ConfigDict, Field, NonNegativeInt, validate_call

Answer = int | str
TaskParams: TypeAlias = dict[str, int | str | list[int] | list[int | None] | list[bool]]
"""What a task is drawn from, by name."""
Task = Callable[..., tuple[Answer, ...]]
Pair = Annotated[list[NonNegativeInt], Field(min_length=2, max_length=2)]

TASKS: Final[dict[tuple[str, str], Task]] = {}
"""(widget, ask) → the task."""

PLACES: Final = ("일의 자리", "십의 자리", "백의 자리")


class TaskError(ValueError):
    """Parameters that make no such task; `loc` is the path of the field within them."""

    def __init__(self, loc: tuple[str | int, ...], reason: str) -> None:
        super().__init__(reason)
        self.loc = loc


def task(widget: str, ask: str) -> Callable[[Task], Task]:
    """Enters the decorated function in `TASKS`; its annotations are what its parameters must be."""

    def register(function: Task) -> Task:
        TASKS[widget, ask] = validate_call(config=ConfigDict(strict=True))(function)
        return function

    return register


def require(holds: bool, name: str, reason: str) -> None:
    """TaskError for the parameter `name` unless the condition holds."""
    if not holds:
        raise TaskError((name,), reason)
