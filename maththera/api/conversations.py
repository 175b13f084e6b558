"""The caller's own conversations: listed, searched, named, deleted, and the last answer given anew."""

from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field

from maththera.api.chat import EXAMPLE_THREAD, Sender, chat_frames, known_thread
from maththera.api.chat_events import ChatFrame
from maththera.api.chat_turns import StartedTurn
from maththera.api.http_layer.auth import Caller, Services, log_access
from maththera.api.http_layer.identifiers import Limit
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.api.http_layer.sse import EventStream
from maththera.json_types import JsonObject
from maththera.store.conversations import Profile
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/chat", tags=["chat"], route_class=ApiRoute)

_TITLE_SHOWN = 80

ThreadPath = Annotated[str, Path(description="As it was begun with.")]


_SHOWN: Final[JsonObject] = {
    "thread_id": EXAMPLE_THREAD,
    "profile": "assistant",
    "student_id": None,
    "title": "자릿값이 뭐야?",
    "turns": 3,
    "updated_at": "2026-11-22T01:10:00+00:00",
}


class OwnThread(Answer):
    """`title`: as it was named, else the beginning of its first message."""

    model_config = example(_SHOWN)

    thread_id: str
    profile: Profile
    student_id: str | None
    title: str
    turns: int
    updated_at: Moment


class OwnThreads(Answer):
    """The newest first."""

    model_config = example({"threads": [_SHOWN]})

    threads: list[OwnThread]


class ThreadTitle(Strict):
    """`PATCH /api/v1/chat/{thread_id}`."""

    model_config = example({"title": "하늘이 지난주 기록"})

    title: Annotated[str, Field(min_length=1, max_length=_TITLE_SHOWN)]


@router.get("", summary="One's own conversations", response_description="The conversations")
async def list_conversations(
    who: Caller,
    services: Services,
    search: Annotated[str, Query(max_length=100, description="Words that were said, or of the title.")] = "",
    limit: Limit = 50,
) -> OwnThreads:
    """Those that the caller began: a child's conversations are in no list of its adults."""
    found = await services.chat.own_threads(who, search.strip(), limit)
    return OwnThreads(threads=[from_row(OwnThread, one, title=one.title[:_TITLE_SHOWN]) for one in found])


@router.patch("/{thread_id}", status_code=204, summary="Name a conversation", response_model=None)
async def rename_conversation(
    who: Caller, services: Services, thread_id: ThreadPath, sent: JsonBody[ThreadTitle]
) -> None:
    await services.chat.rename(who, known_thread(thread_id), sent.title)


@router.delete("/{thread_id}", status_code=204, summary="Delete a conversation", response_model=None)
async def delete_conversation(who: Caller, services: Services, thread_id: ThreadPath) -> None:
    """With all that was said. An adult's own only: a child's are deleted with its records."""
    await services.chat.delete(who, known_thread(thread_id))


@router.post(
    "/{thread_id}/regenerate",
    summary="Answer the last message again",
    status_code=200,
    response_class=EventStream,
    responses=errors("thread_busy")
    | {200: {"model": ChatFrame, "description": "The events of the new turn, then `[DONE]`."}},
)
async def regenerate_answer(request: Request, who: Sender, services: Services, thread_id: ThreadPath) -> EventStream:
    """The answer before is gone, the question stays."""
    run_id = await services.chat.regenerate(who, known_thread(thread_id))
    thread = await services.chat.find(who, run_id)
    await log_access(request, who, "chat", thread.student_id)
    begun = StartedTurn(run_id, thread_id, (), services.chat.events(run_id))
    return EventStream(chat_frames(begun.events), begun.headers)
