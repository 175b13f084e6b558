"""What a training item can ask: each widget's tasks, as the right answers to the steps of an item.

A front end draws a widget from `params`, says each step's prompt and waits for its answer. A new task is one decorated
function in a module of this package.
"""

from typing import Any

from pydantic import ValidationError

from maththera.tutoring.content.training_tasks import (  # noqa: F401 - importing a module enters its tasks
    attention,
    calculation,
    number_sense,
)
from maththera.tutoring.content.training_tasks.task import TASKS, Answer, TaskError, TaskParams, require

__all__ = ["TASKS", "Answer", "TaskError", "TaskParams", "answers", "require"]


def answers(widget: str, ask: str, params: dict[str, Any]) -> tuple[Answer, ...]:
    """The right answer of each step. TaskError: the widget cannot ask this, or not with these parameters."""
    task = TASKS.get((widget, ask))
    if task is None:
        asks = ", ".join(sorted(known for name, known in TASKS if name == widget))
        raise TaskError((), f"{widget} cannot ask {ask!r}; it can ask {asks or 'nothing'}")
    try:
        return task(**params)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise TaskError(first["loc"], first["msg"]) from error
