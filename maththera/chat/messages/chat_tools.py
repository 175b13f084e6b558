"""A tool of the chat: its description for a model, its arguments, and the errors of a call."""

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Asker:
    """The caller of a tool, in one turn. `student_id`: the student whom the turn is about, if any."""

    principal: Principal
    student_id: str | None
    _read: dict[Hashable, object] = field(default_factory=dict, init=False, repr=False, compare=False)

    async def once(self, what: Hashable, read: Callable[[], Awaitable[Read]]) -> Read:
        """What `read` finds in the records: several steps of a turn need it, and it is read for the first of them."""
        if what not in self._read:
            self._read[what] = await read()
        return cast("Read", self._read[what])


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
