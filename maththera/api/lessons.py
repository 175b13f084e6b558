"""Lessons: begin, say something, look."""

import re
from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, FastAPI, Path, Query, Request, Response
from redis.exceptions import RedisError
from sse_starlette import EventSourceResponse, ServerSentEvent

from maththera.api import lesson_docs as docs
from maththera.api.auth import authorize, away, caller, resources, speaker
from maththera.api.bodies import read
from maththera.api.problems import Problem
from maththera.api.sse import RETRY_MS
from maththera.learners.access import Action, Principal, Role
from maththera.learners.database import RETRY_AFTER_S, StoreUnavailable
from maththera.learners.guarded import shown
from maththera.lessons.events import new_lesson, said
from maththera.lessons.service import BadLesson, LessonNotFound, NotNow, Turn
from maththera.lessons.state import TutorState
from maththera.runtime.locks import LockTimeout
from maththera.words.safety import Heard

router = APIRouter(prefix="/api/v1/lessons", tags=["lessons"])

LessonId = Annotated[str, Path(description="As `POST /api/v1/lessons` gave it.")]
HEARTBEAT_SECONDS: Final = 15
_ID: Final = re.compile(r"[0-9a-f]{32}")
_EVENT_ID: Final = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
_NO_STORE: Final = {"Cache-Control": "no-store"}
_REPLAYED: Final = {"Idempotent-Replay": "true"}


@router.post("", status_code=201, summary="Begin a lesson", **docs.CREATE)
async def create_lesson(request: Request) -> Response:
    """`user_id` is the learner, `user_type` decides how things are explained."""
    who = await caller(request, fresh=True)
    wanted = await read(request, new_lesson)
    authorize(who, "write", wanted.student_id)
    lesson_id, state = await resources(request).lessons.create(wanted)
    headers = {"Location": f"{router.prefix}/{lesson_id}"}
    return _answer({"lesson_id": lesson_id, "state": state}, 201, headers)


@router.post("/{lesson_id}/messages", summary="Say something, answer the question, ask for a hint", **docs.MESSAGE)
async def send_message(request: Request, lesson_id: LessonId) -> Response:
    """Server-sent events, to `final`, which has the state. The same `request_id` again gives the same events and
    changes nothing; with `Last-Event-ID` those after it."""
    who = await _admit(request, lesson_id, "write", speaks=True)
    inbox, lessons = (await read(request, said)).inbox(), resources(request).lessons
    try:
        if error := away(request):
            raise error
        turn = await lessons.begin(lesson_id, inbox, who.role)
    except (NotNow, StoreUnavailable, RedisError, LockTimeout) as why:
        heard = await lessons.heard(lesson_id, inbox, who.role, await lessons.owner(lesson_id))
        if heard.told is None:
            raise
        state = await lessons.state(lesson_id) if isinstance(why, NotNow) else None
        return EventSourceResponse(_aside(heard, who.role, inbox["request_id"], state), headers=_NO_STORE)
    last_id = request.headers.get("last-event-id", "")
    headers = {**_NO_STORE, **(_REPLAYED if turn.replayed else {})}
    frames = _frames(request, turn, last_id if _EVENT_ID.fullmatch(last_id) else None)
    return EventSourceResponse(frames, headers=headers, ping=HEARTBEAT_SECONDS)


@router.get("", summary="What a learner's lessons came to", **docs.JUDGED)
async def judged_sessions(
    request: Request,
    user_id: Annotated[str, Query(max_length=64, description="The learner.")],
    before: Annotated[str | None, Query(max_length=200, description="`next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="How many at most.")] = 20,
) -> Response:
    """Each completed session with its question, the answer and its score; `graded_by` says whose the score is, and
    `rule_score` what the rules alone give."""
    authorize(await caller(request), "read", user_id)
    found = await resources(request).learners.profiles.lessons.judged(user_id, limit, before)
    return _answer({"sessions": found, "next": found[-1]["session_id"] if len(found) == limit else None})


@router.get("/{lesson_id}", summary="Where the lesson stands", **docs.VIEW)
async def lesson_state(request: Request, lesson_id: LessonId) -> Response:
    who = await _admit(request, lesson_id, "read")
    state = shown(who.role, await resources(request).lessons.state(lesson_id))
    return _answer({"lesson_id": lesson_id, "state": state})


def install_errors(app: FastAPI) -> None:
    @app.exception_handler(LessonNotFound)
    async def _no_lesson(_: Request, __: LessonNotFound) -> Response:
        return Problem("not_found", "There is no such lesson.").response()

    @app.exception_handler(NotNow)
    async def _not_now(_: Request, error: NotNow) -> Response:
        return Problem("lesson_state", f"{error}.").response()

    @app.exception_handler(BadLesson)
    async def _bad_lesson(_: Request, bad: BadLesson) -> Response:
        return Problem("invalid_input", str(bad), errors=[{"loc": bad.loc, "msg": bad.msg}]).response()

    @app.exception_handler(LockTimeout)
    async def _busy(_: Request, __: LockTimeout) -> Response:
        headers = {"Retry-After": str(RETRY_AFTER_S)}
        return Problem("store_unavailable", "Another turn is under way. Try again.", headers=headers).response()


async def _admit(request: Request, lesson_id: str, action: Action, *, speaks: bool = False) -> Principal:
    """The caller, if the lesson is theirs to do that with. `speaks`: as `speaker`."""
    who = await (speaker(request) if speaks else caller(request))
    if not _ID.fullmatch(lesson_id):
        raise LessonNotFound(lesson_id)
    authorize(who, action, await resources(request).lessons.owner(lesson_id))
    return who


async def _aside(heard: Heard, role: Role, request_id: str, state: TutorState | None) -> AsyncIterator[ServerSentEvent]:
    """The answer to danger where the lesson cannot take a turn: it is at its end, or a store is down, and then its
    `state` is not known."""
    said = {"type": "token", "text": heard.answer}
    last = {"type": "final", "state": state} if state else {"type": "error", "code": "store_unavailable"}
    for event in ({"type": "safety", **heard.shown(role)}, said, last):
        yield ServerSentEvent(orjson.dumps({**event, "request_id": request_id}).decode(), retry=RETRY_MS)


async def _frames(request: Request, turn: Turn, last_id: str | None) -> AsyncIterator[ServerSentEvent]:
    async for number, event in resources(request).lessons.events(turn, last_id):
        yield ServerSentEvent(orjson.dumps(event).decode(), id=number, retry=RETRY_MS)


def _answer(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, {**_NO_STORE, **(headers or {})}, "application/json")
