"""Streams of server-sent events, which end in good order; and a turn as a stream of its envelopes.

The turn is finished, recorded and saved before the first frame is sent, so an error keeps its own status, and a client
that loses the stream asks again with the same `request_id`."""

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, Literal

import anyio
import orjson
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

RETRY_MS: Final = 2000
HEARTBEAT_SECONDS: Final = 15
_EVENT_ID: Final = re.compile(r"[0-9]{1,15}-[0-9]{1,15}")
NO_STORE: Final = {"Cache-Control": "no-store"}
REPLAYED: Final = {"Idempotent-Replay": "true"}
"""Header of the answer to a request that was answered before."""
_FAREWELL_SECONDS: Final = 1.0
# Frame type → the member of the turn that it carries. A member the role may not see has no frame.
_PARTS: Final = {
    "safety": "safety",
    "diagnostic_result": "diagnosis",
    "adaptation_result": "adaptation",
    "feedback_result": "feedback",
}


@dataclass(frozen=True, slots=True)
class JsonOf:
    """Annotation of a string that holds the JSON of `model`."""

    model: Any

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.json_schema(handler.generate_schema(self.model))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        content = handler(schema["schema"])
        return {"type": "string", "contentMediaType": "application/json", "contentSchema": content}


class Frame(BaseModel):
    """A server-sent event. `id`: to come back with, as `Last-Event-ID`. `retry`: milliseconds until a client whose
    connection broke comes back. A model of a stream adds `data`."""

    id: str | None = None
    retry: int | None = None


def json_frame(event: object, number: str | None = None) -> ServerSentEvent:
    """An event as JSON, under its number, with which a client comes back."""
    return ServerSentEvent(orjson.dumps(event).decode(), id=number, retry=RETRY_MS)


def plain_frame(event: object) -> ServerSentEvent:
    """An event as JSON alone, for clients of other makers."""
    return ServerSentEvent(orjson.dumps(event).decode(), sep="\n")


def last_event_id(request: Request) -> str | None:
    """The number of the last event that the client has; None for a text that is no such number."""
    found = request.headers.get("last-event-id", "")
    return found if _EVENT_ID.fullmatch(found) else None


class StreamClosing(BaseModel):
    """The service stops; come back with `Last-Event-ID`."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["closing"]


class EventStream(EventSourceResponse):
    """Tells its client when the service ends: by an event `closing`, or with `plain` by a comment, where clients know
    only the events of their protocol. Closes its frames with the connection: left to the garbage collector, somebody
    would seem to be watching."""

    media_type = "text/event-stream"

    def __init__(
        self,
        frames: AsyncGenerator[ServerSentEvent, None],
        headers: Mapping[str, str],
        *,
        sep: str | None = None,
        plain: bool = False,
    ) -> None:
        self._pieces = batched_frames(frames)
        super().__init__(self._pieces, headers=headers, ping=HEARTBEAT_SECONDS, sep=sep)
        last = ServerSentEvent(comment="closing") if plain else ServerSentEvent('{"type":"closing"}', retry=RETRY_MS)
        self._farewell = last.encode()
        self._begun = self._closed = False
        self._last_send: Send | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if not self._closed:
                self._begun = True
                await send(message)

        self._last_send = send
        try:
            await super().__call__(scope, receive, sent)
        finally:
            await self._pieces.aclose()

    async def _listen_for_exit_signal_with_grace(self) -> None:
        """Waits for the end of the service in place of the library, which then cancels the rest of the stream."""
        await self._listen_for_exit_signal()
        if self._begun and self.active and self._last_send is not None:
            self._closed = True
            with anyio.move_on_after(_FAREWELL_SECONDS):
                last = {"type": "http.response.body", "body": self._farewell, "more_body": False}
                await self._last_send(last)


def turn_stream(body: Mapping[str, Any], headers: Mapping[str, str]) -> EventStream:
    """The frames of a turn: `id` is `<turn>-<n>`, `data` an envelope {type, request_id, payload}."""
    return EventStream(_frames(body), {**headers, **NO_STORE})


async def _frames(body: Mapping[str, Any]) -> AsyncGenerator[ServerSentEvent, None]:
    parts = [(kind, body[member]) for kind, member in _PARTS.items() if member in body]
    parts += [("task", body["task"])] if "task" in body else []
    parts.append(("final", body))
    for number, (kind, payload) in enumerate(parts):
        envelope = {"type": kind, "request_id": body["request_id"], "payload": payload}
        yield json_frame(envelope, f"{body.get('turn', 0)}-{number}")


async def batched_frames(frames: AsyncGenerator[ServerSentEvent, None]) -> AsyncGenerator[bytes, None]:
    """The frames, with those that are ready at the same time in one piece, as sending costs more than encoding."""
    ready: list[bytes] = []
    bell = asyncio.Event()

    async def read() -> None:
        try:
            async with aclosing(frames):
                async for frame in frames:
                    ready.append(frame.encode())
                    bell.set()
        finally:
            bell.set()

    reading = asyncio.create_task(read(), name="frames")
    try:
        while True:
            await bell.wait()
            bell.clear()
            if ready:
                piece = b"".join(ready)
                ready.clear()
                yield piece
            elif reading.done():
                reading.result()
                return
            if reading.done():
                bell.set()
    finally:
        reading.cancel()
        await asyncio.wait([reading])  # is cancelled again and again where the client has left; the reading only once
