"""The chat for clients that speak OpenAI's chat completions: a profile is a model, a token of ours the API key.

Such a client repeats the whole conversation each time. Without a thread's name each question is a thread of its own,
with the words before it as what was said so far; with one, the record goes on.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Any, Final
from uuid import uuid4

import orjson
from fastapi import APIRouter, Path, Request, Response
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import ClientDisconnect

from maththera.api import client_docs as docs
from maththera.api.auth import caller, resources, speaker
from maththera.api.bodies import read
from maththera.api.chat import DONE
from maththera.api.client_turns import LARGEST_BODY, Begun, begin, spoken, student, thread_name
from maththera.api.executions import HEARTBEAT_SECONDS, answer
from maththera.api.openai_answers import Completion, OpenAiRoute, Prose, error_body, error_of
from maththera.api.openai_bodies import ChatCompletionBody, Metadata, chat_completion
from maththera.chat.service import NewTurn
from maththera.learners.conversations import Profile

router = APIRouter(prefix="/v1", tags=["chat"], route_class=OpenAiRoute)

MODELS: Final[dict[str, Profile]] = {"maththera-coach": "coach", "maththera-assistant": "assistant"}
_CREATED: Final = 1795305600  # 2026-11-22, when the names were given
_THREAD_HEADERS: Final = ("x-thread-id", "x-openwebui-chat-id")


@router.post("/chat/completions", summary="Answer as OpenAI's chat completions do", **docs.COMPLETION)
async def complete(request: Request) -> Response:
    """Of the assistant's answer the lower level comes first, then the higher one, each under its title."""
    who = await speaker(request, fresh=True)
    sent = await read(request, chat_completion, largest=LARGEST_BODY)
    if sent.model not in MODELS:
        return _unknown(sent.model)
    ours = sent.metadata or Metadata()
    said = spoken(sent.messages)
    begun = await begin(request, who, said, replace(_wanted(request, sent, ours), number=len(said)))
    prose = Prose(resources(request).front_ends.levels, ours.difficulty)
    completion = Completion(begun, sent.model)
    if sent.stream:
        with_usage = sent.stream_options is not None and sent.stream_options.include_usage
        frames = _frames(begun, prose, completion, with_usage=with_usage)
        return EventSourceResponse(frames, headers=begun.headers, ping=HEARTBEAT_SECONDS, sep="\n")
    await _heard(request, begun, prose)
    if prose.failed:
        return answer(error_of(prose.failed), 503 if prose.failed["code"] == "store_unavailable" else 500)
    return answer(completion.whole(prose.text), 200, begun.headers)


@router.get("/models", summary="Whom one can talk with", **docs.MODELS)
async def models(request: Request) -> Response:
    allowed = resources(request).front_ends.profiles(await caller(request))
    return answer({"object": "list", "data": [_model(name) for name in MODELS if MODELS[name] in allowed]})


@router.get("/models/{model}", summary="One of them", **docs.MODEL)
async def model(request: Request, model: Annotated[str, Path(description="Its `id` of the list.")]) -> Response:
    await caller(request)
    return answer(_model(model)) if model in MODELS else _unknown(model)


def _wanted(request: Request, sent: ChatCompletionBody, ours: Metadata) -> NewTurn:
    named = next((request.headers[name] for name in _THREAD_HEADERS if request.headers.get(name)), None)
    thread = ours.thread_id or named
    by_metadata = ours.student_id is not None
    return NewTurn(
        "",
        MODELS[sent.model],
        thread_name(thread) if thread else uuid4().hex,
        student(
            "metadata.student_id" if by_metadata else "user", ours.student_id if by_metadata else sent.user or None
        ),
        ours.difficulty,
    )


async def _heard(request: Request, begun: Begun, prose: Prose) -> None:
    """The whole answer. A client that leaves meanwhile ends what models are asked, as in a stream."""

    async def hear() -> None:
        async with aclosing(begun.events) as events:
            async for _, event in events:
                prose.of(event)

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    hearing, leaving = asyncio.create_task(hear()), asyncio.create_task(left())
    try:
        await asyncio.wait([hearing, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not hearing.done():
            raise ClientDisconnect
        await hearing
    finally:
        hearing.cancel()
        leaving.cancel()


async def _frames(
    begun: Begun, prose: Prose, completion: Completion, *, with_usage: bool
) -> AsyncIterator[ServerSentEvent]:
    usage = {"usage": None} if with_usage else {}
    async with aclosing(begun.events) as events:
        yield _frame({**completion.chunk({"role": "assistant", "content": ""}), **usage})
        async for _, event in events:
            if piece := prose.of(event):
                yield _frame({**completion.chunk({"content": piece}), **usage})
    if prose.failed:
        yield _frame(error_of(prose.failed))
    else:
        yield _frame({**completion.chunk({}, "stop"), **usage})
        if with_usage:
            yield _frame(completion.usage_chunk(prose.text))
    yield ServerSentEvent(DONE, sep="\n")


def _frame(body: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(orjson.dumps(body).decode(), sep="\n")


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": _CREATED, "owned_by": "maththera"}


def _unknown(name: str) -> Response:
    body = error_body(f"The model `{name[:64]}` does not exist.", "invalid_request_error", "model_not_found", "model")
    return answer(body, 404)
