"""What a tool is to the chat: what a model is told of it, the arguments it takes, and how a call fails."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from maththera.learners.access import Principal


@dataclass(frozen=True, slots=True)
class Asker:
    """On whose behalf a tool is called. `student_id`: whom the turn is about; None where it is about nobody."""

    principal: Principal
    student_id: str | None


class ToolFailed(Exception):
    """A call without a result. The message is for whoever asked for the call, a person or a model."""


class ToolRefused(ToolFailed):
    """The tool was not used: what was asked is not for it."""


@dataclass(frozen=True, slots=True)
class ChatTool:
    """`description` and the schema of `arguments` are what a model sees; `call` gets an instance of `arguments` and
    answers with plain JSON types, or raises ToolFailed."""

    name: str
    description: str
    arguments: type[BaseModel]
    call: Callable[[Asker, Any], Awaitable[dict[str, Any]]]
