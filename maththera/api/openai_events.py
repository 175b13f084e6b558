"""A turn's events in the form of OpenAI's chat completions: one text, whole or in pieces, and errors in its shape."""

import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Annotated, Any, Final, Literal, cast

import orjson
from fastapi import FastAPI, Request, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from maththera.api.chat_turns import FATAL_CODES, WHO_READS, StartedTurn
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.problem_details import CATALOGUE
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.http_layer.sse import JsonOf
from maththera.chat.messages.answer_levels import Levels
from maththera.json_types import JsonObject
from maththera.llm.token_estimate import estimate_tokens
from maththera.runtime.event_log import Event


class TextLimits:
    """Cuts a text that comes in pieces. `finish_reason`: "length" where the tokens were over, else "stop"."""

    def __init__(self, most_tokens: int | None = None, stops: Sequence[str] = ()) -> None:
        self._most, self._stops = most_tokens, [stop for stop in stops if stop]
        self._text = self._waiting = ""
        self.finish_reason = "stop"
        self.ended = False

    def add(self, piece: str) -> str:
        """Text safe to send now; a possible stop-word prefix is held back."""
        if self.ended:
            return ""
        waiting = self._waiting + piece
        found = [place for stop in self._stops if (place := waiting.find(stop)) >= 0]
        if found:
            self.ended, ready = True, waiting[: min(found)]
            self._waiting = ""
        else:
            kept = self._unfinished_stop(waiting)
            ready, self._waiting = waiting[: len(waiting) - kept], waiting[len(waiting) - kept :]
        return self._within_tokens(ready)

    def end(self) -> str:
        """The text that was held back as a possible stop word; empty after the text was cut."""
        ready, self._waiting = self._waiting, ""
        return "" if self.ended else self._within_tokens(ready)

    def _unfinished_stop(self, text: str) -> int:
        """How many characters at the end of a text may be the beginning of a stop word."""
        lengths = (size for stop in self._stops for size in range(len(stop) - 1, 0, -1) if text.endswith(stop[:size]))
        return max(lengths, default=0)

    def _within_tokens(self, piece: str) -> str:
        if self._most is None or estimate_tokens(self._text + piece) <= self._most:
            self._text += piece
            return piece
        fitting = 0
        while fitting < len(piece) and estimate_tokens(self._text + piece[: fitting + 1]) <= self._most:
            fitting += 1
        self.ended, self.finish_reason = True, "length"
        self._text += piece[:fitting]
        return piece[:fitting]


_ENDED: Final = frozenset({"cancelled", "interrupted"})
"""Codes of turns that the client or a newer message ended; the text so far counts as a complete answer."""
_CODES: Final = {"unauthorized": "invalid_api_key", "too_many_requests": "rate_limit_exceeded"}
_KEPT_HEADERS: Final = ("retry-after", "www-authenticate", "allow")
_AS_BAD_REQUEST: Final = 422  # what OpenAI answers with 400


class CompletionMessage(Answer):
    role: Literal["assistant"]
    content: str
    refusal: None


class CompletionChoice(Answer):
    index: Literal[0]
    message: CompletionMessage
    logprobs: None
    finish_reason: Literal["stop", "length"]


class CompletionUsage(Answer):
    """Estimates."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletion(Answer):
    """`created`: seconds since 1970."""

    model_config = example(
        {
            "object": "chat.completion",
            "id": "chatcmpl-8c1f5d0f",
            "created": 1795306417,
            "model": "maththera-coach",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "받아올림이 …", "refusal": None},
                    "logprobs": None,
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 9, "completion_tokens": 41, "total_tokens": 50},
        }
    )

    object: Literal["chat.completion"]
    id: str
    created: int
    model: str
    choices: list[CompletionChoice]
    usage: CompletionUsage


class CompletionDelta(Answer):
    role: Literal["assistant"] | None = None
    content: str | None = None


class ChunkChoice(Answer):
    index: Literal[0]
    delta: CompletionDelta
    logprobs: None
    finish_reason: Literal["stop", "length"] | None


class ChatCompletionChunk(Answer):
    """`usage`: null but in the last chunk, which has no choice; only where it is asked for."""

    object: Literal["chat.completion.chunk"]
    id: str
    created: int
    model: str
    choices: list[ChunkChoice]
    usage: CompletionUsage | None = None


class OpenAiError(Answer):
    """`param`: the first field that is at fault."""

    message: str
    type: Literal["invalid_request_error", "server_error"]
    param: str | None
    code: str


class OpenAiErrors(Answer):
    model_config = example(
        {
            "error": {
                "message": "The token is not known here.",
                "type": "invalid_request_error",
                "param": None,
                "code": "invalid_api_key",
            }
        }
    )

    error: OpenAiError


class CompletionFrame(BaseModel):
    """A server-sent event. The last one is `[DONE]`."""

    data: Annotated[str, JsonOf(ChatCompletionChunk | OpenAiErrors)] | Literal["[DONE]"]


class AnswerText:
    """The answer as one text. It shows the assistant's higher level; with `both` the lower one first, each
    under its title. `failed`: the error that left no answer, or only a piece of one."""

    def __init__(
        self,
        levels: Levels,
        difficulty: str | None,
        limits: TextLimits | None = None,
        *,
        both: bool = False,
        to_child: bool = False,
    ) -> None:
        """`to_child`: the answer begins with who can read what the child writes, where the conversation begins."""
        self._to_child, self._both, self._limits = to_child, both, limits or TextLimits()
        self._titles: dict[str, str] = {level.name: level.title for level in levels.all}
        lower, higher = levels.level_pair(difficulty)
        self._first = lower.name if both else higher.name
        self._held: dict[str, list[str]] = {}
        self._pieces: list[str] = []
        self.failed: Event | None = None

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def finish_reason(self) -> str:
        return self._limits.finish_reason

    def of(self, event: Event) -> str:
        """What is to be told now; "" for nothing."""
        piece = ""
        if event["type"] == WHO_READS and self._to_child:
            piece = f"{event['text']}\n\n"
        elif event["type"] == "token":
            piece = self._token(event["token"], event.get("level"))
        elif event["type"] == "error" and event["code"] in FATAL_CODES - _ENDED:
            recorded_only = event["code"] == "store_unavailable" and (self._pieces or self._held)
            self.failed = None if recorded_only else event
        elif event["type"] == "final":
            piece = self._rest()
        piece = self._limits.add(piece) + (self._limits.end() if event["type"] == "final" else "")
        if piece:
            self._pieces.append(piece)
        return piece

    def _token(self, token: str, level: str | None) -> str:
        if level is None:
            return token
        if level != self._first:
            self._held.setdefault(level, []).append(token)
            return ""
        return token if self._pieces or not self._both else self._titled(level, token)

    def _rest(self) -> str:
        """What waits at the end: the other level, or the highest where a message has asked for other levels."""
        if self._both:
            return "".join(self._titled(level, "".join(held)) for level, held in self._held.items())
        highest = max(self._held, key=[*self._titles].index, default=None)
        return "" if self._pieces or highest is None else "".join(self._held[highest])

    def _titled(self, level: str, text: str) -> str:
        between = "\n\n" if self._pieces else ""
        return f"{between}**{self._titles[level]}**\n\n{text}"


class Completion:
    """One answer in its envelope."""

    def __init__(self, begun: StartedTurn, model: str) -> None:
        self._head = {"id": f"chatcmpl-{begun.run_id}", "created": int(time.time()), "model": model}
        self._prompt_tokens = sum(map(estimate_tokens, begun.heeded))

    def whole(self, text: str, finish_reason: str) -> JsonObject:
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}
        return {"object": "chat.completion", **self._head, "choices": [choice], "usage": self.usage(text)}

    def chunk(self, delta: dict[str, str], finish_reason: str | None = None) -> JsonObject:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return {"object": "chat.completion.chunk", **self._head, "choices": [choice]}

    def usage_chunk(self, text: str) -> JsonObject:
        return {"object": "chat.completion.chunk", **self._head, "choices": [], "usage": self.usage(text)}

    def usage(self, text: str) -> dict[str, int]:
        """Token counts, estimated from the messages that were read and from the answer. Most answers come from rules,
        so there is no count of a model to pass on."""
        answered = estimate_tokens(text)
        return {
            "prompt_tokens": self._prompt_tokens,
            "completion_tokens": answered,
            "total_tokens": self._prompt_tokens + answered,
        }


def error_of(event: Event) -> JsonObject:
    """The body that tells of a turn that failed."""
    return error_body(event["message"], "server_error", event["code"])


def error_body(message: str, kind: str, code: str, param: str | None = None) -> JsonObject:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


class OpenAiRoute(ApiRoute):
    """Answers every error that the service knows in OpenAI's shape instead of a problem document's."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def reshaped(request: Request) -> Response:
            try:
                return await handle(request)
            except Exception as error:
                handlers = request.app.exception_handlers
                known = next((handlers[kind] for kind in type(error).__mro__ if kind in handlers), None)
                if known is None:
                    raise
                return _reshape(await known(request, error))

        return reshaped


def install_errors(app: FastAPI) -> None:
    """Answers also for addresses that are not there, below /v1, in OpenAI's shape. After the other handlers."""
    handle = app.exception_handlers[HTTPException]

    @app.exception_handler(HTTPException)
    async def _shaped(request: Request, error: HTTPException) -> Response:
        answer = await cast("Awaitable[Response]", handle(request, error))
        return _reshape(answer) if request.url.path.startswith("/v1/") and answer.body else answer


def _reshape(problem: Response) -> Response:
    document = orjson.loads(problem.body)
    code, errors = document["code"], document.get("errors")
    status = 400 if problem.status_code == _AS_BAD_REQUEST else problem.status_code
    kind = "server_error" if status >= CATALOGUE["internal"][0] else "invalid_request_error"
    param = errors[0]["loc"].removeprefix("body.") if errors else None
    body = error_body(document["detail"], kind, _CODES.get(code, code), param)
    kept = {name: problem.headers[name] for name in _KEPT_HEADERS if name in problem.headers}
    return Response(orjson.dumps(body), status, {"Cache-Control": "no-store", **kept}, media_type="application/json")
