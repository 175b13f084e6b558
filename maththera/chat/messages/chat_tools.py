"""A tool of the chat: its description for a model, its arguments, and the errors of a call."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal


@dataclass(frozen=True, slots=True)
class Asker:
    """The caller of a tool. `student_id`: the student whom the turn is about, if any."""

    principal: Principal
    student_id: str | None


class ToolFailed(Exception):
    """A call without a result. A person or a model reads the message."""


class ToolRefused(ToolFailed):
    """The tool does not answer questions of this kind."""


@dataclass(frozen=True, slots=True)
class ChatTool:
    """`description` and the schema of `arguments` are what a model sees; `call` gets an instance of `arguments` and
    answers with plain JSON types, or raises ToolFailed."""

    name: str
    description: str
    arguments: type[BaseModel]
    call: Callable[[Asker, Any], Awaitable[JsonObject]]
