"""How every way in over HTTP begins a turn. Clients of other makers send a whole conversation, of which the last words
count."""

import hashlib
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, TypeVar
from uuid import uuid4

from fastapi import Request
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from redis.exceptions import RedisError

from maththera.api.auth import away, resources
from maththera.api.chat_bodies import Message
from maththera.api.problems import Problem
from maththera.api.schemas import student_id
from maththera.chat.front_ends import Role, Spoken
from maththera.chat.service import NewTurn
from maththera.learners.access import Principal
from maththera.learners.database import StoreUnavailable
from maththera.runtime.events import Event

T = TypeVar("T")

Numbered: TypeAlias = tuple[str | None, Event]
"""An event and its id; None where there is nothing to come back to."""

LARGEST_BODY: Final = 1024 * 1024  # bytes: a long conversation with what its tools said
STREAM_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
GRAVE: Final = frozenset({"store_unavailable", "cancelled", "interrupted", "lost", "stopping", "internal"})
"""Codes of errors that end a turn; after the others it goes on by rules."""

_ROLES: Final[dict[str, Role]] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
_FIT: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_message: Final = TypeAdapter[str](Message)


class ClientMessage(BaseModel):
    """One message; fields that are not ours to know are let be, as are parts that are no text."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    role: str
    content: Any = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        parts = self.content if isinstance(self.content, list) else []
        texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
        return "\n".join(text for text in texts if isinstance(text, str))


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that tells its events; `thread_id` is None where a front end asked on its own behalf. `heeded`: of what
    the client sent, the words that the answer rests on."""

    run_id: str
    thread_id: str | None
    heeded: tuple[str, ...]
    events: AsyncGenerator[Numbered, None]

    @property
    def headers(self) -> dict[str, str]:
        thread = {"X-Run-Id": self.run_id, "X-Thread-Id": self.thread_id} if self.thread_id else {}
        return {**STREAM_HEADERS, **thread}


def spoken(messages: Sequence[ClientMessage]) -> list[Spoken]:
    """What people and the chat said, without tools and the like. Problem where the last words are not a person's."""
    said = [Spoken(_ROLES[one.role], one.text) for one in messages if one.role in _ROLES]
    if not said or said[-1].role != "user":
        raise refused("messages", "must end with what the user says")
    return said


def refused(field: str, why: str) -> Problem:
    return Problem("invalid_input", f"body.{field}: {why}", errors=[{"loc": f"body.{field}", "msg": why}])


def thread_name(name: str) -> str:
    """A client's name of a conversation as a thread id: itself where it is one, else a digest of it."""
    return name if _FIT.fullmatch(name) else hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def student(field: str, name: str | None) -> str | None:
    """Problem for what is no student id."""
    return None if name is None else _checked(student_id, field, name)


async def begin(request: Request, who: Principal, said: Sequence[Spoken], wanted: NewTurn) -> Begun:
    """Begins `wanted`, whose message and earlier words are those of `said`; errors as `ChatService.start`.

    What a front end asks on its own behalf is answered here without a turn, so that it leaves no record, whichever way
    it comes in. Danger is answered also where no turn can be begun.
    """
    front_ends, service = resources(request).front_ends, resources(request).chat
    if (own := front_ends.answer(said, wanted.profile)) is not None:
        return Begun(uuid4().hex, None, (), _canned(own))
    message = _checked(_message, "messages", said[-1].text)
    turn = replace(wanted, message=message, earlier=front_ends.earlier(said, wanted.profile))
    try:
        if error := away(request):
            raise error
        run_id = await service.start(who, turn)
    except (StoreUnavailable, RedisError):
        if (heard := await service.heard(who, turn)).told is None:
            raise
        return Begun(uuid4().hex, None, (message,), _canned(heard.told.text, heard.shown(who.role)))
    heeded = (*(one["text"] for one in turn.earlier), message)
    return Begun(run_id, turn.thread_id, heeded, service.events(run_id))


def _checked(adapter: TypeAdapter[T], field: str, value: object) -> T:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise refused(field, error.errors()[0]["msg"].removeprefix("Value error, ")) from None


async def _canned(text: str, safety: Mapping[str, Any] | None = None) -> AsyncGenerator[Numbered, None]:
    if safety:
        yield None, {"type": "safety", **safety}
    if text:
        yield None, {"type": "token", "token": text}
    yield None, {"type": "final"}
