"""The chat: say something and read the answer as it comes, come back to it, end it, look back."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, FastAPI, Path, Request, Response
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.types import Receive, Scope, Send

from maththera.api import chat_docs as docs
from maththera.api.auth import caller, resources, speaker
from maththera.api.bodies import read
from maththera.api.chat_bodies import ChatBody, chat, coach
from maththera.api.client_turns import Begun, Numbered, begin
from maththera.api.executions import HEARTBEAT_SECONDS, answer
from maththera.api.problems import Problem
from maththera.api.sse import RETRY_MS
from maththera.chat.front_ends import Spoken
from maththera.chat.service import Conversation, NewTurn, NoSuchThread, NotAllowed, StudentNeeded, ThreadBusy
from maththera.learners.access import Principal, Role
from maththera.learners.conversations import Message
from maththera.learners.guarded import shown

router = APIRouter(tags=["chat"])

RunId = Annotated[str, Path(description="As the header X-Run-Id gave it.")]
_RUN_ID: Final = re.compile(r"[0-9a-f]{32}")
_THREAD_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EVENT_ID: Final = re.compile(r"[0-9]{1,15}-[0-9]{1,15}")
DONE: Final = "[DONE]"
"""The last line of a stream; it has no id, as there is nothing to come back to."""


@router.post("/api/v1/chat", summary="Say something", **docs.CHAT)
async def say(request: Request) -> Response:
    """Answers with the events of the turn. The turn outlives the connection: come back to it with its run id."""
    who = await speaker(request, fresh=True)
    return await _begin(request, who, await read(request, chat))


@router.post("/api/core/ai-coach/chat/", summary="Say something to the coach", **docs.COACH)
async def say_to_coach(request: Request) -> Response:
    """As `POST /api/v1/chat` with the profile coach."""
    who = await speaker(request, fresh=True)
    sent = await read(request, coach)
    return await _begin(request, who, ChatBody(**sent.model_dump()))


@router.get("/api/v1/chat/runs/{run_id}/events", summary="Come back to a turn", **docs.EVENTS)
async def events(request: Request, run_id: RunId) -> EventSourceResponse:
    """All events after `Last-Event-ID`, without it all from the first, and then each as it comes."""
    who = await caller(request)
    service = resources(request).chat
    thread = await service.find(who, _known(_RUN_ID, run_id))
    await service.resume(run_id)
    last_id = request.headers.get("last-event-id", "")
    told = service.events(run_id, last_id if _EVENT_ID.fullmatch(last_id) else "0-0", who.role)
    return _Watched(_frames(told), Begun(run_id, thread.thread_id, (), told).headers)


@router.post("/api/v1/chat/runs/{run_id}/cancel", summary="End a turn", **docs.CANCEL)
async def cancel(request: Request, run_id: RunId) -> Response:
    """Its stream ends with an `error` of the code `cancelled` and `final`. One that has ended stays as it is."""
    who = await caller(request)
    await resources(request).chat.cancel(who, _known(_RUN_ID, run_id))
    return answer({"run_id": run_id}, 202)


@router.get("/api/v1/chat/{thread_id}", summary="A conversation", **docs.THREAD)
async def conversation(
    request: Request, thread_id: Annotated[str, Path(description="As it was begun with.")]
) -> Response:
    who = await caller(request)
    found = await resources(request).chat.conversation(who, _known(_THREAD_ID, thread_id))
    return answer(_view(found, who.role))


def install_errors(app: FastAPI) -> None:
    @app.exception_handler(NoSuchThread)
    async def _no_thread(_: Request, __: NoSuchThread) -> Response:
        return Problem("not_found", "There is no such conversation.").response()

    @app.exception_handler(NotAllowed)
    async def _not_allowed(_: Request, error: NotAllowed) -> Response:
        return Problem("forbidden", str(error)).response()

    @app.exception_handler(StudentNeeded)
    async def _whom(_: Request, error: StudentNeeded) -> Response:
        return Problem("invalid_input", str(error), errors=[{"loc": "body.student_id", "msg": str(error)}]).response()

    @app.exception_handler(ThreadBusy)
    async def _busy(_: Request, busy: ThreadBusy) -> Response:
        return Problem("thread_busy", "`run_id` is the turn under way.", run_id=busy.run_id).response()


async def _begin(request: Request, who: Principal, sent: ChatBody) -> EventSourceResponse:
    wanted = NewTurn(**sent.model_dump(exclude_none=True))
    begun = await begin(request, who, [Spoken("user", wanted.message)], wanted)
    return _Watched(_frames(begun.events), begun.headers)


class _Watched(EventSourceResponse):
    """Closes its events with the connection: left to the garbage collector, somebody would seem to be watching."""

    def __init__(self, events: AsyncGenerator[ServerSentEvent, None], headers: dict[str, str]) -> None:
        super().__init__(events, headers=headers, ping=HEARTBEAT_SECONDS)
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._events.aclose()


async def _frames(told: AsyncGenerator[Numbered, None]) -> AsyncGenerator[ServerSentEvent, None]:
    async with aclosing(told) as events:
        async for number, event in events:
            yield ServerSentEvent(orjson.dumps(event).decode(), id=number, retry=RETRY_MS)
    yield ServerSentEvent(DONE)


def _known(pattern: re.Pattern[str], name: str) -> str:
    if not pattern.fullmatch(name):
        raise NoSuchThread(name)
    return name


def _view(found: Conversation, role: Role) -> dict[str, Any]:
    """Messages are counted as they are shown: a gap would tell a guardian that there was something."""
    thread = found.thread
    messages = shown(role, [_message(one) for one in found.messages])
    first = found.messages[0].number if found.messages else 1
    return {
        "thread_id": thread.thread_id,
        "profile": thread.profile,
        "student_id": thread.student_id,
        "turns": thread.turns - (len(found.messages) - len(messages)) // 2,
        "run_id": found.run_id,
        "messages": [{**one, "number": number} for number, one in enumerate(messages, start=first)],
    }


def _message(one: Message) -> dict[str, Any]:
    return {
        "role": one.role,
        "text": one.text,
        "run_id": one.run_id,
        "at": one.created_at.isoformat(),
        "detail": one.detail,
    }
