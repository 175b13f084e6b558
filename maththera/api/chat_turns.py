"""How every way in over HTTP begins a turn. Clients of other makers send a whole conversation, of which the last words
count."""

import hashlib
import unicodedata
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypeAlias, TypeVar
from uuid import uuid4

from fastapi import Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from redis.exceptions import RedisError

from maththera.api.http_layer.auth import deferred_error, log_access, require_consents, services_of
from maththera.api.http_layer.identifiers import NAME, student_id
from maththera.api.http_layer.problem_details import ApiProblem, invalid_field
from maththera.chat.front_end_requests import FrontEndMessage, Role
from maththera.chat.service import NewTurn
from maththera.config_files import fault_reason
from maththera.runtime.event_log import Event
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Thread
from maththera.store.database import StoreUnavailable

T = TypeVar("T")

Numbered: TypeAlias = tuple[str | None, Event]
"""An event and its id; None where there is nothing to come back to."""

WHO_READS: Final = "who_reads"
"""The first event of a conversation about a child: it tells the child who can read what it writes, adults that they are
logged."""
LONGEST_MESSAGE: Final = 4_000  # characters
LARGEST_BODY: Final = 1024 * 1024  # bytes: a long conversation with what its tools said
STREAM_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
FATAL_CODES: Final = frozenset({"store_unavailable", "cancelled", "interrupted", "lost", "stopping", "internal"})
"""Codes of errors that end a turn; after the others it goes on by rules."""

_ROLES: Final[dict[str, Role]] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
_REFUSED_CATEGORIES: Final = frozenset({"Cc", "Cs", "Cn"})  # control characters, lone surrogates, unassigned


def _composed(text: str) -> str:
    """The message as it is kept: in composed form. Raises ValueError for an empty one, and for characters that no
    screen or database can take."""
    text = unicodedata.normalize("NFC", text)
    if not text.strip():
        raise ValueError("must not be empty")
    odd = (sign for sign in text if not sign.isprintable() and sign not in "\n\r\t")
    if any(unicodedata.category(sign) in _REFUSED_CATEGORIES for sign in odd):
        raise ValueError("must be text, without control characters")
    return text


MessageText = Annotated[str, Field(min_length=1, max_length=LONGEST_MESSAGE), AfterValidator(_composed)]
ThreadId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
_message: Final = TypeAdapter[str](MessageText)


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
class StartedTurn:
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


def conversation_of(messages: Sequence[ClientMessage]) -> list[FrontEndMessage]:
    """What people and the chat said, without tools and the like. Problem where the last words are not a person's."""
    said = [FrontEndMessage(_ROLES[one.role], one.text) for one in messages if one.role in _ROLES]
    if not said or said[-1].role != "user":
        raise refused("messages", "must end with what the user says")
    return said


def refused(field: str, why: str) -> ApiProblem:
    return invalid_field(f"body.{field}", why)


def thread_name(name: str) -> str:
    """A client's name of a conversation as a thread id: itself where it is one, else a digest of it."""
    return name if NAME.fullmatch(name) else hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()


def student(field: str, name: str | None) -> str | None:
    """The checked student id. Raises ApiProblem if it is malformed."""
    return None if name is None else _checked(student_id, field, name)


async def start_turn(request: Request, who: Principal, said: Sequence[FrontEndMessage], wanted: NewTurn) -> StartedTurn:
    """Begins `wanted`, whose message and earlier words are those of `said`; errors as `ChatService.start`.

    What a front end asks on its own behalf is answered here without a turn, so that it leaves no record, whichever way
    it comes in. Danger is answered also where no turn can be begun.
    """
    front_ends, service = services_of(request).front_ends, services_of(request).chat
    if deferred_error(request) is None and (own := front_ends.answer(said, wanted.profile)) is not None:
        return StartedTurn(uuid4().hex, None, (), _fixed_answer(own))
    message = _checked(_message, "messages", said[-1].text)

    told: list[Event] = []

    async def heed(thread: Thread) -> None:
        if thread.student_id is None:
            return
        await require_consents(request, thread.student_id, learns=who.role == "student")
        await log_access(request, who, "chat", thread.student_id)
        if not (thread.turns or turn.earlier):
            text = services_of(request).learners.privacy.who_reads.to(who.role)
            told.append({"type": WHO_READS, "text": text})

    turn = replace(wanted, message=message, earlier=front_ends.earlier_messages(said, wanted.profile))
    try:
        if error := deferred_error(request):
            raise error
        run_id = await service.start(who, turn, heed)
    except (StoreUnavailable, RedisError, ApiProblem):
        if (heard := await service.heard(who, turn)).told is None:
            raise
        return StartedTurn(uuid4().hex, None, (message,), _fixed_answer(heard.told.text, heard.shown(who.role)))
    heeded = (*(one["text"] for one in turn.earlier), message)
    return StartedTurn(run_id, turn.thread_id, heeded, _behind(told, service.events(run_id)))


def _checked(adapter: TypeAdapter[T], field: str, value: object) -> T:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise refused(field, fault_reason(error.errors()[0])) from None


async def _behind(told: Sequence[Event], events: AsyncGenerator[Numbered, None]) -> AsyncGenerator[Numbered, None]:
    """Sends `told` before the other events. They have no id, so a client that reconnects does not get them again."""
    async with aclosing(events):
        async for numbered in events:
            for event in told:
                yield None, event
            told = ()
            yield numbered


async def _fixed_answer(text: str, safety: Mapping[str, Any] | None = None) -> AsyncGenerator[Numbered, None]:
    if safety:
        yield None, {"type": "safety", **safety}
    if text:
        yield None, {"type": "token", "token": text}
    yield None, {"type": "final"}
