"""One turn's dealings with the world: who asks, who is told, who may be asked, and where it is recorded."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from langgraph.runtime import Runtime

from maththera.chat.config import ChatConfig, ErrorCode
from maththera.chat.open_tasks import Hidden
from maththera.chat.run import Abandoned, Run
from maththera.chat.state import ChatState, Said
from maththera.chat.tools import Asker
from maththera.learners.access import Principal
from maththera.llm.budget import Budget
from maththera.llm.models import LlmError, LlmRejected, LlmTimeout
from maththera.llm.streaming import Spawn, Speech
from maththera.runtime.events import Event
from maththera.words.sentence_checks import Held

T = TypeVar("T")

_STUDIO: Final = "studio"
_NOBODY: Final = Asker(Principal(_STUDIO, "author"), None)


@dataclass(frozen=True, slots=True)
class Recalled:
    """A conversation read back from the records: without what tells of danger or is private. `asked`: its last answer
    asked the child whether it is all right."""

    history: list[Said] = field(default_factory=list)
    asked: bool = False


async def _nothing(*_: Any) -> Recalled:
    return Recalled()


class BadReply(Exception):
    """A whole reply of a model that says nothing, or calls a tool that it was not offered."""

    def __init__(self, code: ErrorCode) -> None:
        super().__init__(code)
        self.code: ErrorCode = code


Failure: TypeAlias = LlmError | Abandoned | BadReply
FAILURES: Final = (LlmError, Abandoned, BadReply)
"""Ways in which a model is no help."""


@dataclass
class TurnContext:
    """`run`: who watches; without one, `write` takes the events. `turns`: how many the records have of this thread,
    `recall` reads them back, `save` adds this one. `reject`: keeps what the gate has held back. `speech`: a model's
    answer that has begun, with what was `heard` of it already. `hidden`: what must not be told. `said`: the answer so far, by
    level (the coach has none: ""). `message_id`: of the message in its thread, the same when it is sent again; `safety`: what was read in it as
    danger."""

    asker: Asker = _NOBODY
    run: Run | None = None
    write: Callable[[Event], None] = lambda _: None
    budget: Budget | None = None
    turns: int = 0
    recall: Callable[[], Awaitable[Recalled]] = _nothing
    save: Callable[[ChatState], Awaitable[object]] = _nothing
    reject: Callable[[Held], Awaitable[object]] = _nothing
    speech: Speech | None = None
    heard: list[str] = field(default_factory=list)
    said: dict[str, list[str]] = field(default_factory=dict)
    saved: bool = False
    hidden: Hidden | None = None
    message_id: str = ""
    safety: Mapping[str, Any] | None = None

    @property
    def thread_id(self) -> str:
        return self.run.thread_id if self.run else _STUDIO

    @property
    def spawn(self) -> Spawn:
        """How the task of a model's reply is begun, so that it ends when nobody watches."""
        return self.run.spawn if self.run else asyncio.create_task

    @property
    def latest(self) -> str:
        """The answer as it would be recorded now: of the levels, the one that was begun last."""
        return self.text(list(self.said)[-1]) if self.said else ""

    def text(self, level: str = "") -> str:
        """What was said at a level."""
        return "".join(self.said.get(level, ()))

    async def asked(self, work: Coroutine[Any, Any, T]) -> T:
        """As `Run.asked`."""
        return await (self.run.asked(work) if self.run else work)


def of(runtime: Runtime[TurnContext]) -> TurnContext:
    """The turn's context; in Studio, which knows none, one that speaks to the graph's own stream."""
    given: TurnContext | None = runtime.context
    return TurnContext(write=runtime.stream_writer) if given is None else given


def emit(context: TurnContext, event: Event) -> None:
    """Tells whoever watches the turn. What would tell a child the answer of an open task is taken out; tokens were
    looked at before, by whole sentences."""
    if event["type"] == "token":
        context.said.setdefault(event.get("level", ""), []).append(event["token"])
    elif context.hidden is not None and context.hidden.opened:
        event = context.hidden.cleared(event)
    if context.run is not None:
        context.run.emit(event)
    else:
        context.write(event)


def give_up(context: TurnContext, state: ChatState, config: ChatConfig, failure: Failure) -> dict[str, Any]:
    """Tells that no model helps any more in this turn; what the state becomes."""
    code = _code(failure)
    emit(context, config.error(code, state["profile"]))
    return {"by_rules": True, "errors": [*state["errors"], code]}


def _code(failure: Failure) -> ErrorCode:
    if isinstance(failure, BadReply):
        return failure.code
    if isinstance(failure, Abandoned):
        return "client_gone"
    if isinstance(failure, LlmTimeout):
        return "llm_timeout"
    return "llm_rejected" if isinstance(failure, LlmRejected) else "llm_failed"
