"""The chat for clients that speak OpenAI's chat completions: a profile is a model, a token of ours the API key.

Such a client repeats the whole conversation each time. Without a thread's name each question is a thread of its own,
with the words before it as what was said so far; with one, the record goes on.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Final, Literal
from uuid import uuid4

import orjson
from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import ServerSentEvent
from starlette.requests import ClientDisconnect

from maththera.api.chat import DONE, Sender
from maththera.api.chat_turns import (
    LARGEST_BODY,
    ClientMessage,
    StartedTurn,
    conversation_of,
    refused,
    start_turn,
    student,
    thread_name,
)
from maththera.api.http_layer.auth import Caller, Services
from maththera.api.http_layer.json_body import FromJson
from maththera.api.http_layer.openapi_document import Responses
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.http_layer.sse import EventStream, plain_frame
from maththera.api.openai_events import (
    AnswerText,
    ChatCompletion,
    Completion,
    OpenAiErrors,
    OpenAiRoute,
    TextLimits,
    error_body,
    error_of,
)
from maththera.chat.service import NewTurn
from maththera.json_types import JsonObject
from maththera.store.conversations import Profile

router = APIRouter(prefix="/v1", tags=["chat"], route_class=OpenAiRoute)

MODELS: Final[dict[str, Profile]] = {"maththera-coach": "coach", "maththera-assistant": "assistant"}
_CREATED: Final = 1795305600  # 2026-11-22, when the names were given
_THREAD_HEADERS: Final = ("x-thread-id", "x-openwebui-chat-id")
_MODEL: Final[JsonObject] = {
    "id": "maththera-coach",
    "object": "model",
    "created": _CREATED,
    "owned_by": "maththera",
}


class _ClientBody(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class StreamOptions(_ClientBody):
    include_usage: bool = False


class Metadata(_ClientBody):
    """Our fields of `metadata`."""

    student_id: str | None = Field(None, description="Whom it is about, before `user`.")
    thread_id: Annotated[str, Field(min_length=1, max_length=256)] | None = Field(
        None, description="The conversation, which is then kept as one. Also as the header X-Thread-Id."
    )
    difficulty: Annotated[str, Field(max_length=32)] | None = Field(None, description="As in `POST /api/v1/chat`.")
    levels: Literal["one", "both"] = Field("one", description="Of the assistant's answer: the higher level, or both.")


class ResponseFormat(_ClientBody):
    """Only text is written."""

    type: str


class ChatCompletionBody(_ClientBody):
    """`POST /v1/chat/completions`. Sampling parameters and tools are ignored."""

    model_config = example(
        {
            "model": "maththera-coach",
            "messages": [{"role": "user", "content": "내 약점 보여줘"}],
            "user": "s1",
            "stream": True,
        },
        {
            "model": "maththera-assistant",
            "messages": [{"role": "user", "content": "자릿값이 뭐야?"}],
            "metadata": {"difficulty": "hard"},
        },
    )

    model: str = Field(description="maththera-coach or maththera-assistant")
    messages: list[ClientMessage] = Field(min_length=1, description="The last one is what the user says.")
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = Field(None, description="Estimated. The answer is cut after them.")
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = Field(None, description="As max_tokens, before it.")
    stop: str | Annotated[list[str], Field(max_length=4)] | None = Field(
        None, description="The answer ends before the first of these."
    )
    response_format: ResponseFormat | None = Field(None, description="Another type than text is refused.")
    user: str | None = Field(None, description="A student's id. Default: whom the token stands for.")
    metadata: Metadata | None = None


class ChatModel(Answer):
    model_config = example(_MODEL)

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ChatModels(Answer):
    model_config = example({"object": "list", "data": [_MODEL]})

    object: Literal["list"]
    data: list[ChatModel]


def _errors(*cases: tuple[int, str, str]) -> Responses:
    """`responses` in OpenAI's shape: status, code, message."""
    return {status: {"model": OpenAiErrors, "description": f"{code}: {message}"} for status, code, message in cases}


_ALWAYS: Final = _errors(
    (401, "invalid_api_key", "The token is not known here."),
    (429, "rate_limit_exceeded", "Too many requests"),
    (500, "internal", "The request id finds it in the log."),
    (503, "store_unavailable", "Nothing was changed. Try again."),
)
_NO_MODEL: Final = _errors((404, "model_not_found", "The model `gpt-4` does not exist."))
_COMPLETION_STREAM: Final[Responses] = {
    200: {
        "description": "The answer, or with `stream` its chunks and `[DONE]`",
        "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/CompletionFrame"}}},
    }
}


@router.post(
    "/chat/completions",
    summary="Answer as OpenAI's chat completions do",
    response_model=ChatCompletion,
    responses=_COMPLETION_STREAM
    | _errors(
        (400, "invalid_input", "body.messages: must end with what the user says"),
        (403, "forbidden", "assistant is not for the role student"),
        (408, "body_too_slow", "It was not there after 10 s."),
        (409, "thread_busy", "`run_id` is the turn under way."),
        (413, "body_too_large", "At most 1048576 bytes."),
        (415, "unsupported_media_type", "The content type is missing."),
    )
    | _NO_MODEL
    | _ALWAYS,
)
async def create_chat_completion(
    request: Request,
    response: Response,
    who: Sender,
    services: Services,
    sent: Annotated[ChatCompletionBody, FromJson(largest=LARGEST_BODY)],
) -> Response | JsonObject:
    """The assistant answers on its higher level; on both where `metadata.levels` asks for it."""
    if sent.model not in MODELS:
        return _unknown(sent.model)
    if sent.response_format is not None and sent.response_format.type != "text":
        raise refused("response_format.type", "only text is written here: json_object and json_schema are not")
    ours = sent.metadata or Metadata()
    said = conversation_of(sent.messages)
    begun = await start_turn(request, who, said, replace(_wanted(request, sent, ours), number=len(said)))
    stops = [sent.stop] if isinstance(sent.stop, str) else sent.stop or []
    limits = TextLimits(sent.max_completion_tokens or sent.max_tokens, stops)
    both, to_child = ours.levels == "both", who.role == "student"
    prose = AnswerText(services.front_ends.levels, ours.difficulty, limits, both=both, to_child=to_child)
    completion = Completion(begun, sent.model)
    if sent.stream:
        with_usage = sent.stream_options is not None and sent.stream_options.include_usage
        frames = _frames(begun, prose, completion, with_usage=with_usage)
        return EventStream(frames, begun.headers, sep="\n", plain=True)
    await _heard(request, begun, prose)
    if prose.failed:
        return _json(error_of(prose.failed), 503 if prose.failed["code"] == "store_unavailable" else 500)
    response.headers.update(begun.headers)
    return completion.whole(prose.text, prose.finish_reason)


@router.get(
    "/models", summary="Whom one can talk with", response_description="Those of this token's role", responses=_ALWAYS
)
async def list_chat_models(who: Caller, services: Services) -> ChatModels:
    allowed = services.front_ends.profiles(who)
    return ChatModels(object="list", data=[_model(name) for name in MODELS if MODELS[name] in allowed])


@router.get(
    "/models/{model}",
    summary="One of them",
    response_description="The model",
    response_model=ChatModel,
    responses=_NO_MODEL | _ALWAYS,
)
async def read_chat_model(
    _: Caller, model: Annotated[str, Path(description="Its `id` of the list.")]
) -> Response | ChatModel:
    return _model(model) if model in MODELS else _unknown(model)


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


async def _heard(request: Request, begun: StartedTurn, prose: AnswerText) -> None:
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
    begun: StartedTurn, prose: AnswerText, completion: Completion, *, with_usage: bool
) -> AsyncGenerator[ServerSentEvent, None]:
    usage = {"usage": None} if with_usage else {}
    async with aclosing(begun.events) as events:
        yield plain_frame({**completion.chunk({"role": "assistant", "content": ""}), **usage})
        async for _, event in events:
            if piece := prose.of(event):
                yield plain_frame({**completion.chunk({"content": piece}), **usage})
    if prose.failed:
        yield plain_frame(error_of(prose.failed))
    else:
        yield plain_frame({**completion.chunk({}, prose.finish_reason), **usage})
        if with_usage:
            yield plain_frame(completion.usage_chunk(prose.text))
    yield ServerSentEvent(DONE, sep="\n")


def _model(name: str) -> ChatModel:
    return ChatModel.model_validate({**_MODEL, "id": name})


def _unknown(name: str) -> Response:
    body = error_body(f"The model `{name[:64]}` does not exist.", "invalid_request_error", "model_not_found", "model")
    return _json(body, 404)


def _json(body: JsonObject, status: int) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")
