"""The chat: say something and read the answer as it comes, come back to it, end it, look back."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Request
from pydantic import Field
from sse_starlette import ServerSentEvent

from maththera.api.chat_events import Chart, ChatFrame, Intent
from maththera.api.chat_turns import LONGEST_MESSAGE, MessageText, Numbered, StartedTurn, ThreadId, start_turn
from maththera.api.http_layer.auth import Caller, Services, caller_who, log_access
from maththera.api.http_layer.identifiers import HEX_ID, NAME, StudentId
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, Problems, invalid_field
from maththera.api.http_layer.response_models import Answer, HelplineView, Moment, example
from maththera.api.http_layer.sse import EventStream, json_frame, last_event_id
from maththera.chat.front_end_requests import FrontEndMessage
from maththera.chat.service import Conversation, NewTurn, NotAllowed, StudentNeeded, ThreadBusy, ThreadNotFound
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, Role, redact_for_role
from maththera.store.conversations import Message, Profile, Speaker
from maththera.tutoring.turns.events import Strict

router = APIRouter(tags=["chat"], route_class=ApiRoute)

Sender = Annotated[Principal, Depends(caller_who(fresh=True, speaks=True))]
"""Who sends words: they are read for danger also where nothing can be done with them."""

DONE: Final = "[DONE]"
"""The last line of a stream; it has no id, as there is nothing to come back to."""

_EXAMPLE_RUN: Final = "8c1f5d0f6f0b4a5e9a3de1a3c2a7b1f4"
EXAMPLE_THREAD: Final = "0d9a4f4e2a6c4c0f8e3b7a5d1c2e9f60"
_QUESTION: Final = "내 약점 보여줘"
_STREAM: Final[JsonObject] = {
    "model": ChatFrame,
    "description": "The events of the turn, then `[DONE]`. The ids count within the run.",
    "headers": {
        "X-Run-Id": {"schema": {"type": "string"}, "description": "To come back to the turn, or to end it."},
        "X-Thread-Id": {"schema": {"type": "string"}, "description": "To go on with the conversation."},
    },
}
_STARTS: Final[JsonObject] = {
    "status_code": 200,
    "response_class": EventStream,
    "responses": errors("not_found", "thread_busy") | {200: _STREAM},
}

RunId = Annotated[str, Path(description="As the header X-Run-Id gave it.")]


class ChatBody(Strict):
    """`POST /api/v1/chat`."""

    model_config = example(
        {"message": _QUESTION, "student_id": "s1"},
        {"message": "자릿값이 뭐야?", "profile": "assistant", "difficulty": "easy"},
        {"message": "그만, 다른 거", "student_id": "s1", "thread_id": EXAMPLE_THREAD, "on_conflict": "interrupt"},
    )

    message: MessageText = Field(description=f"1 to {LONGEST_MESSAGE} characters.")
    profile: Profile = Field("coach", description="coach: about one's own learning. assistant: for adults.")
    thread_id: ThreadId | None = Field(None, description="Goes on with a conversation, or begins one of this id.")
    student_id: StudentId | None = Field(None, description="Whom it is about. Default: whom the token stands for.")
    difficulty: Annotated[str, Field(max_length=32)] | None = Field(
        None, description="Of the assistant: easy, hard, or anything else for what lies between. Default: easy."
    )
    on_conflict: Literal["refuse", "interrupt"] = Field(
        "refuse", description="What becomes of a turn that this conversation has under way."
    )
    resumable: bool = Field(
        default=False,
        description="True: models are asked to the end, even if no client is connected. False: when the last client "
        "disconnects, the rules finish the answer. Following a run's events sets it to true.",
    )


class CoachBody(Strict):
    """`POST /api/core/ai-coach/chat/`."""

    model_config = example({"message": _QUESTION, "student_id": "s1"})

    message: MessageText
    thread_id: ThreadId | None = None
    student_id: StudentId | None = None


class CancelledRun(Answer):
    model_config = example({"run_id": _EXAMPLE_RUN})

    run_id: str


class ToolResult(Answer):
    """`error`: why there is no result. `left_out`: so many texts of it gave orders to a model."""

    tool: str
    arguments: JsonObject
    result: JsonObject
    error: str | None
    cached: bool
    left_out: int | None = None


class SafetyMark(Answer):
    """Of words that tell of danger and of the answer to them. `asks`: the answer asks if the child is all right.
    `numbers` and `choices` as `SafetyView` has them; of earlier records neither."""

    asks: bool
    numbers: list[HelplineView] | None = None
    choices: list[str] | None = None


class MessageDetail(Answer):
    """What came with an answer, as far as there was anything. `final_answers`: level → text. `private`: the question
    told what no model is to see."""

    intent: Intent | None = None
    steps: list[ToolResult] = Field(default_factory=list)
    chart: Chart | None = None
    tool_pipeline: list[str] = Field(default_factory=list)
    final_answers: dict[str, str] = Field(default_factory=dict)
    errors: list[str] = Field(default_factory=list)
    safety: SafetyMark | None = None
    private: bool = False


class ChatMessage(Answer):
    """`detail`: of an answer; with a question null, or its mark `safety`."""

    number: int
    role: Speaker
    text: str
    run_id: str
    at: Moment
    detail: MessageDetail | None


class ChatThread(Answer):
    """`run_id`: the turn under way, null where there is none. `turns` counts all, `messages` are the last ones."""

    model_config = example(
        {
            "thread_id": EXAMPLE_THREAD,
            "profile": "coach",
            "student_id": "s1",
            "turns": 1,
            "run_id": None,
            "messages": [
                {
                    "number": 1,
                    "role": "user",
                    "text": _QUESTION,
                    "run_id": _EXAMPLE_RUN,
                    "at": "2026-11-22T01:10:00+00:00",
                    "detail": None,
                }
            ],
        }
    )

    thread_id: str
    profile: Profile
    student_id: str | None
    turns: int
    run_id: str | None
    messages: list[ChatMessage]


@router.post("/api/v1/chat", summary="Say something", **_STARTS)
async def send_chat_message(request: Request, who: Sender, sent: JsonBody[ChatBody]) -> EventStream:
    """Answers with the events of the turn. The turn outlives the connection: come back to it with its run id."""
    return await _begin(request, who, sent)


@router.post("/api/core/ai-coach/chat/", summary="Say something to the coach", **_STARTS)
async def send_coach_message(request: Request, who: Sender, sent: JsonBody[CoachBody]) -> EventStream:
    """As `POST /api/v1/chat` with the profile coach."""
    return await _begin(request, who, ChatBody(**sent.model_dump()))


@router.get(
    "/api/v1/chat/runs/{run_id}/events",
    summary="Come back to a turn",
    status_code=200,
    response_class=EventStream,
    responses={200: _STREAM},
)
async def follow_chat_run(request: Request, who: Caller, services: Services, run_id: RunId) -> EventStream:
    """All events after `Last-Event-ID`, without it all from the first, and then each as it comes."""
    thread = await services.chat.find(who, _known(HEX_ID, run_id))
    await services.chat.resume(run_id)
    await log_access(request, who, "chat", thread.student_id)
    told = services.chat.events(run_id, last_event_id(request) or "0-0", who.role)
    return EventStream(chat_frames(told), StartedTurn(run_id, thread.thread_id, (), told).headers)


@router.post("/api/v1/chat/runs/{run_id}/cancel", status_code=202, summary="End a turn", response_description="It ends")
async def cancel_chat_run(who: Caller, services: Services, run_id: RunId) -> CancelledRun:
    """Its stream ends with an `error` of the code `cancelled` and `final`. One that has ended stays as it is."""
    await services.chat.cancel(who, _known(HEX_ID, run_id))
    return CancelledRun(run_id=run_id)


@router.get(
    "/api/v1/chat/{thread_id}",
    summary="A conversation",
    response_description="What was said",
    response_model_exclude_unset=True,
)
async def read_conversation(
    request: Request,
    who: Caller,
    services: Services,
    thread_id: Annotated[str, Path(description="As it was begun with.")],
) -> ChatThread:
    found = await services.chat.conversation(who, _known(NAME, thread_id))
    await log_access(request, who, "chat", found.thread.student_id)
    return _view(found, who.role)


PROBLEMS: Final[Problems] = {
    ThreadNotFound: lambda _: ApiProblem("not_found", "There is no such conversation."),
    NotAllowed: lambda error: ApiProblem("forbidden", str(error)),
    StudentNeeded: lambda error: invalid_field("body.student_id", str(error), str(error)),
    ThreadBusy: lambda busy: ApiProblem("thread_busy", "`run_id` is the turn under way.", run_id=busy.run_id),
}


async def _begin(request: Request, who: Principal, sent: ChatBody) -> EventStream:
    wanted = NewTurn(**sent.model_dump(exclude_none=True))
    begun = await start_turn(request, who, [FrontEndMessage("user", wanted.message)], wanted)
    return EventStream(chat_frames(begun.events), begun.headers)


async def chat_frames(told: AsyncGenerator[Numbered, None]) -> AsyncGenerator[ServerSentEvent, None]:
    async with aclosing(told) as events:
        async for number, event in events:
            yield json_frame(event, number)
    yield ServerSentEvent(DONE)


def known_thread(thread_id: str) -> str:
    """The id, if it could be one. ThreadNotFound."""
    return _known(NAME, thread_id)


def _known(pattern: re.Pattern[str], name: str) -> str:
    if not pattern.fullmatch(name):
        raise ThreadNotFound(name)
    return name


def _view(found: Conversation, role: Role) -> ChatThread:
    """Messages are counted as they are shown: a gap would tell a guardian that there was something."""
    thread = found.thread
    messages = redact_for_role(role, [_message(one) for one in found.messages])
    first = found.messages[0].number if found.messages else 1
    return ChatThread.model_validate(
        {
            "thread_id": thread.thread_id,
            "profile": thread.profile,
            "student_id": thread.student_id,
            "turns": thread.turns - (len(found.messages) - len(messages)) // 2,
            "run_id": found.run_id,
            "messages": [{**one, "number": number} for number, one in enumerate(messages, start=first)],
        }
    )


def _message(one: Message) -> JsonObject:
    """Without what the record keeps of an answer for the next turn alone."""
    told = one.detail and {name: value for name, value in one.detail.items() if name in MessageDetail.model_fields}
    return {"role": one.role, "text": one.text, "run_id": one.run_id, "at": one.created_at, "detail": told}
