"""What a turn works with besides its state: the asker, the event stream, the model's budget, the records."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from langgraph.runtime import Runtime

from maththera.chat.config import ChatConfig, ErrorCode
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.messages.turn_run import NobodyListening, TurnRun
from maththera.chat.state import ChatState, Utterance
from maththera.json_types import JsonObject
from maththera.llm.model_client import Call, LlmError, LlmRejected, LlmTimeout
from maththera.llm.streaming import Spawn, StreamedReply
from maththera.llm.time_budget import Budget
from maththera.runtime.event_log import Event
from maththera.store.access.authorization import Principal
from maththera.words.answer_protection.open_answers import OpenAnswer, OpenAnswers
from maththera.words.output_gate.sentence_checks import GateFault
from maththera.words.output_gate.text_gate import map_texts

T = TypeVar("T")

_LEFT_OUT: Final = "…"
_STUDIO: Final = "studio"
_STUDIO_CALLER: Final = Principal(_STUDIO, "author")


@dataclass(frozen=True, slots=True)
class RecordedHistory:
    """A conversation read back from the records: without what tells of danger or is private. `asked`: its last answer
    asked the child whether it is all right; `board`: what was said, as structure."""

    history: list[Utterance] = field(default_factory=list)
    asked: bool = False
    board: JsonObject = field(default_factory=dict)


async def _no_history(*_: Any) -> RecordedHistory:
    return RecordedHistory()


class UnusableReply(Exception):
    """A model's reply that is empty, or calls a tool that was not offered."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: ErrorCode = code


Failure: TypeAlias = LlmError | NobodyListening | UnusableReply
MODEL_FAILURES: Final = (LlmError, NobodyListening, UnusableReply)
"""Errors after which the turn goes on without a model."""


@dataclass(frozen=True, slots=True)
class HiddenAnswers:
    """The answers of open tasks that a turn must not tell. `asked`: its message."""

    words: OpenAnswers
    opened: Sequence[OpenAnswer]
    asked: str

    @property
    def requested_answer(self) -> OpenAnswer | None:
        """The one that the message asks for, guesses at or wants help with."""
        return self.words.wanted(self.asked, self.opened)

    def reveals_answer(self, text: str) -> bool:
        """Whether a text gives one of them away."""
        return self.words.tells_any(text, self.opened, self.asked)

    def redacted(self, value: Any) -> Any:
        """Plain JSON without the texts that give one away."""
        return map_texts(value, lambda text: _LEFT_OUT if self.reveals_answer(text) else text)


@dataclass
class TurnContext:
    """`run`: who watches; without one, `write` takes the events. `turns`: how many the records have of this thread
    (None: nobody keeps any), `recall` reads them back, `save` adds this one. `reject`: keeps what the gate has held
    back. `speech`: a model's answer that has begun, with what was `heard` of it already. `hidden`: what must not be
    told. `said`: the answer so far, by level (the coach has none: ""). `message_id`: of the message in its thread, the
    same when it is sent again; `safety`: what was read in it as danger. `calls`: of models, so far."""

    asker: Asker = field(default_factory=lambda: Asker(_STUDIO_CALLER, None))
    run: TurnRun | None = None
    write: Callable[[Event], None] = lambda _: None
    budget: Budget | None = None
    turns: int | None = None
    recall: Callable[[], Awaitable[RecordedHistory]] = _no_history
    save: Callable[[ChatState], Awaitable[object]] = _no_history
    reject: Callable[[GateFault], Awaitable[object]] = _no_history
    speech: StreamedReply | None = None
    heard: list[str] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)
    saved: bool = False
    hidden: HiddenAnswers | None = None
    message_id: str = ""
    safety: Mapping[str, Any] | None = None
    calls: list[Call] = field(default_factory=list)

    @property
    def thread_id(self) -> str:
        return self.run.thread_id if self.run else _STUDIO

    @property
    def spawn(self) -> Spawn:
        """Starts the task of a model's reply, so that it ends when the last reader leaves."""
        return self.run.spawn if self.run else asyncio.create_task

    @property
    def latest(self) -> str:
        """The answer as it would be recorded now: of the levels, the one that was begun last."""
        return self.text(list(self.said)[-1]) if self.said else ""

    def text(self, level: str = "") -> str:
        """The answer so far at a level."""
        return "".join(self.said.get(level, ()))

    async def await_model(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a model's work; as `TurnRun.asked`, NobodyListening when all readers have left."""
        return await (self.run.asked(work) if self.run else work)


def context_of(runtime: Runtime[TurnContext]) -> TurnContext:
    """The turn's context; in Studio, which gives none, one that writes to the graph's own stream."""
    given: TurnContext | None = runtime.context
    return TurnContext(write=runtime.stream_writer) if given is None else given


def emit(context: TurnContext, event: Event) -> None:
    """Send an event to the readers of the turn, without the answers of open tasks. Tokens were checked before, by whole
    sentences."""
    if event["type"] == "token":
        context.said.setdefault(event.get("level", ""), []).append(event["token"])
    elif context.hidden is not None and context.hidden.opened:
        event = context.hidden.redacted(event)
    if context.run is not None:
        context.run.emit(event)
    else:
        context.write(event)


def continue_by_rules(context: TurnContext, state: ChatState, config: ChatConfig, failure: Failure) -> ChatState:
    """Report that this turn goes on without a model. Returns the update of the state."""
    code = _code(failure)
    emit(context, config.error(code, state["profile"]))
    return {"by_rules": True, "errors": [*state["errors"], code]}


def _code(failure: Failure) -> ErrorCode:
    if isinstance(failure, UnusableReply):
        return failure.code
    if isinstance(failure, NobodyListening):
        return "client_gone"
    if isinstance(failure, LlmTimeout):
        return "llm_timeout"
    return "llm_rejected" if isinstance(failure, LlmRejected) else "llm_failed"
