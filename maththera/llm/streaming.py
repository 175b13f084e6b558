"""A model's reply as it is spoken: pieces of text at once, calls of tools when they are complete."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import ToolCallChunk
from langchain_core.runnables import Runnable
from langgraph.errors import GraphBubbleUp

from maththera.json_types import JsonObject
from maththera.llm.model_client import ERRORS, Call, LlmError, Models, Outcome, Usage, reason
from maththera.llm.prompts import Value
from maththera.llm.time_budget import Budget
from maththera.llm.token_estimate import estimate_tokens

logger = logging.getLogger(__name__)

Message: TypeAlias = Mapping[str, Any]
"""As the chat completions protocol has it: {role, content, …}."""

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"]

Model: TypeAlias = Runnable[Any, Any]
"""Streams AIMessageChunk."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """`calling`: from here on it is known that this reply calls tools."""

    text: str
    calling: bool = False


Bill: TypeAlias = Callable[[Outcome, Usage, int, bool], Call]
"""(outcome, usage, milliseconds, whether the server refused) -> the call, which is counted."""


class StreamedReply:
    """One reply to `messages`. `next` gives its pieces; after the last, `calls` holds the tools that it calls, and
    `call` what it cost.

    A task of its own reads, so that the pieces may be taken by one task after another. Cancelling that task
    ends the reply early: `cancelled` tells.
    """

    def __init__(self, budget: Budget, silence: float, bill: Bill, heard: int) -> None:
        """`silence`: seconds without a sign after which the model counts as hanging. `heard`: tokens it was sent."""
        self.calls: list[ToolCall] = []
        self.text = ""
        self.messages: Sequence[Message] = ()
        self.call: Call | None = None
        self._budget, self._silence, self._bill, self._heard = budget, silence, bill, heard
        self._pieces: asyncio.Queue[ReplyPiece | None] = asyncio.Queue()
        self._error: LlmError | None = None
        self._task: asyncio.Task[None] | None = None
        self._over = False

    def begin(self, model: Model, messages: Sequence[Message], spawn: Spawn) -> None:
        self.messages = messages
        self._task = spawn(self._listen(model, messages))

    @property
    def cancelled(self) -> bool:
        return self._task is not None and self._task.cancelled()

    async def next(self) -> ReplyPiece | None:
        """None at the end, also when it was cancelled. Raises LlmTimeout, LlmFailed, LlmRejected."""
        piece = None if self._over else await self._pieces.get()
        if piece is not None:
            return piece
        self._over = True
        if self._task is not None:
            await asyncio.wait([self._task])
        if self._error is not None:
            raise self._error
        return None

    def close(self) -> None:
        """Stop the reply: its rest is not needed."""
        if self._task is not None:
            self._task.cancel()

    async def _listen(self, model: Model, messages: Sequence[Message]) -> None:
        started = time.monotonic()
        outcome: Outcome = "failed"
        why, refused = "cancelled", False
        try:
            await self._read(model, messages)
            outcome, why = "ok", ""
        except GraphBubbleUp:
            raise
        except TimeoutError:
            outcome, why = "timeout", "no reply in time"
        except _Malformed as malformed:
            outcome, why = "rejected", str(malformed)
        except Exception as error:  # a server can break in more ways than its client has errors for
            why, refused = reason(error), True
        finally:
            usage = Usage(self._heard, estimate_tokens(self.text), estimated=True)
            self.call = call = self._bill(outcome, usage, round(1000 * (time.monotonic() - started)), refused)
            if outcome != "ok":
                logger.warning("%s: %s: %s", call.prompt, outcome, why)
                self._error = ERRORS[outcome](why, call) if why != "cancelled" else None
            self._pieces.put_nowait(None)

    async def _read(self, model: Model, messages: Sequence[Message]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._budget.remaining()
        calling: AIMessageChunk | None = None
        finished = False
        async with asyncio.timeout_at(min(until, loop.time() + self._silence)) as patience:
            async for chunk in model.astream([dict(message) for message in messages]):
                patience.reschedule(min(until, loop.time() + self._silence))
                finished = finished or bool(chunk.response_metadata.get("finish_reason"))
                first_sign = calling is None and bool(chunk.tool_call_chunks)
                if chunk.tool_call_chunks:
                    calling = chunk if calling is None else calling + chunk
                if (text := str(chunk.text)) or first_sign:
                    self.text += text
                    self._pieces.put_nowait(ReplyPiece(text, calling is not None))
        if not finished:
            raise ConnectionError("the reply broke off")
        if calling is not None:
            self.calls = _calls(calling)


class _Malformed(ValueError):
    """Tool calls that cannot be read."""


def stream_reply(  # noqa: PLR0913 - what is said before, now and after, with which tools, and for how long
    models: Models,
    prompt: str,
    variables: Mapping[str, Value],
    budget: Budget,
    *,
    silence: float,
    before: Sequence[Message] = (),
    after: Sequence[Message] = (),
    tools: Sequence[JsonObject] = (),
    role: str | None = None,
    spawn: Spawn = asyncio.create_task,
) -> StreamedReply:
    """Begins a reply to a prompt file, whose input stands between the messages `before` and `after` it.

    `tools` as the protocol has them ({type: function, …}). `role`: another of the configured models than the file's.
    LlmFailed when the prompt is too long, and while the model rests; then a trial that is due is begun with it.
    """
    chat, rendered, most, bill = models.streaming_call(prompt, variables, role)
    messages = [
        {"role": "system", "content": rendered.system},
        *before,
        {"role": "user", "content": rendered.input},
        *after,
    ]
    heard = sum(estimate_tokens(str(message.get("content") or "")) for message in messages)
    speech = StreamedReply(budget, silence, bill, heard)
    model = chat.bind_tools(tools, tool_choice="auto", max_tokens=most) if tools else chat.bind(max_tokens=most)
    if models.breaker.resting:
        if models.breaker.wants_trial:
            speech.begin(model, messages, models.breaker.spawn_trial)
        raise models.not_asked(prompt, role)
    speech.begin(model, messages, spawn)
    return speech


def _calls(message: AIMessageChunk) -> list[ToolCall]:
    """The tool calls of a reply. LangChain would complete cut-off JSON, and so call with other arguments."""
    return [_call(chunk, place) for place, chunk in enumerate(message.tool_call_chunks)]


def _call(chunk: ToolCallChunk, place: int) -> ToolCall:
    try:
        arguments = json.loads(chunk["args"] or "{}")
    except ValueError:
        arguments = None
    if not chunk["name"] or not isinstance(arguments, dict):
        raise _Malformed("a tool was called without its name, or with arguments that are no JSON object")
    return ToolCall(chunk["id"] or f"call-{place}", chunk["name"], arguments)
