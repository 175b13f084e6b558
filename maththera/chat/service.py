"""Turns of the chat from outside: begin one, follow it, end it, look back."""

import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, Literal
from uuid import uuid4

from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.chat.config import ChatConfig
from maththera.chat.graph import Graph
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.messages.run_registry import FINAL_EVENT, LOST_EVENT, RunRegistry, is_after
from maththera.chat.messages.turn_run import TurnRun
from maththera.chat.state import Utterance
from maththera.chat.turn_runner import TurnRequest, TurnRunner
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.event_log import Event
from maththera.store.access.authorization import Action, Principal, Role, has_safety_mark, is_allowed, may_see_danger
from maththera.store.conversations import Conversations, Message, Profile, Thread, ThreadSummary
from maththera.store.review_queue import Reviews
from maththera.words.danger.message_safety import MessageSafety, Place, SafetyResult, Sender

_ANSWER_EVENTS: Final = frozenset({"token", "error", "final"})
_MOST_SHOWN: Final = 1_000


class ThreadNotFound(LookupError):
    """No such thread or run, or it is somebody else's."""


class NotAllowed(Exception):
    """This role does not have this profile."""


class StudentNeeded(ValueError):
    """A caller who stands for several learners must say whom the coach is asked about."""


class ThreadBusy(Exception):
    """The thread has a turn under way: `run_id`."""

    def __init__(self, run_id: str) -> None:
        super().__init__(run_id)
        self.run_id = run_id


@dataclass(frozen=True, slots=True)
class NewTurn:
    """`on_conflict`: what becomes of a turn that the thread has under way. `resumable`: models go on being asked when
    nobody watches any more. `earlier`: what a client says was said before, heeded where the thread has no turn yet;
    `number`: of the message in what the client has sent of the conversation."""

    message: str
    profile: Profile = "coach"
    thread_id: str = field(default_factory=lambda: uuid4().hex)
    student_id: str | None = None
    difficulty: str | None = None
    on_conflict: Literal["refuse", "interrupt"] = "refuse"
    resumable: bool = False
    earlier: tuple[Utterance, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """`run_id`: the turn that is under way."""

    thread: Thread
    messages: list[Message]
    run_id: str | None


class ChatService:
    """One per process. Raises StoreUnavailable of the records, and RedisError where nothing can be begun without it."""

    def __init__(  # noqa: PLR0913 - what it works on and with
        self,
        config: ChatConfig,
        graph: Graph,
        safety: MessageSafety,
        records: Conversations,
        reviews: Reviews,
        redis: Redis,
        runs: RunRegistry,
    ) -> None:
        self._config, self._safety, self._records, self._runs = config, safety, records, runs
        self._redis = redis
        self._runner = TurnRunner(config, graph, records, reviews, redis)

    async def start(
        self, who: Principal, wanted: NewTurn, permit: Callable[[Thread], Awaitable[None]] | None = None
    ) -> str:
        """Begins a turn, -> its run id. NotAllowed, StudentNeeded, ThreadNotFound, ThreadBusy. `permit` is told of the
        thread, and raises where the turn may not be."""
        if who.role not in self._config.profiles[wanted.profile]:
            raise NotAllowed(f"{wanted.profile} is not for the role {who.role}")
        student_id = _student_of_turn(who, wanted)
        thread = await self._thread(who, wanted, student_id)
        if permit is not None:
            await permit(thread)
        question = TurnRequest(
            wanted.message, wanted.difficulty, Asker(who, thread.student_id), wanted.earlier, wanted.number
        )
        claimed = self._claimed(who, thread, wanted)
        begun = await self._runs.begin("chat turn", claimed, lambda run: self._runner.run(run, thread, question))
        return begun.run_id

    async def heard(self, who: Principal, wanted: NewTurn) -> SafetyResult:
        """What is answered to danger where no turn can be begun; it is recorded nowhere but in the alerts, if those can
        be. ThreadNotFound for somebody else's learner."""
        place = Place(wanted.profile, wanted.thread_id)
        student_id = wanted.student_id or (next(iter(who.subject)) if len(who.subject) == 1 else None)
        if student_id is not None and not is_allowed(who, "read", student_id):
            raise ThreadNotFound(student_id)
        message_id = hashlib.sha256(wanted.message.encode("utf-8", "replace")).hexdigest()[:32]
        return await self._safety.check_message(wanted.message, Sender(who.role, student_id), place, message_id)

    async def find(self, who: Principal, run_id: str, action: Action = "read") -> Thread:
        """The thread of a run. ThreadNotFound also for what is somebody else's."""
        note = await self._runs.find(run_id)
        thread = Thread(**note) if note else None
        if thread is None or not thread.allows(who, action):
            raise ThreadNotFound(run_id)
        return thread

    async def events(
        self, run_id: str, last_id: str = "0-0", reader: Role | None = None
    ) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and each as it comes, to `final`, from whichever process works on the run.

        Whoever closes this before the end was watching: with the last one, a turn that is not resumable stops asking
        models and goes on from the rules. Of a turn that answers danger,
        a `reader` who looks back and sees no danger is told the end alone.
        """
        hiding = reader is not None and not may_see_danger(reader)
        told = (
            _without_danger(self._runs.events(run_id, "0-0"), last_id) if hiding else self._runs.events(run_id, last_id)
        )
        async with aclosing(told) as events:
            async for number, event in events:
                yield number, self._told(event)

    async def resume(self, run_id: str) -> None:
        """Says that somebody has come back for a run, so that models go on being asked."""
        await self._runs.keep(run_id)

    async def cancel(self, who: Principal, run_id: str) -> None:
        """Ends a run with what there is; one that has ended stays as it is. ThreadNotFound."""
        await self.find(who, run_id, "write")
        await self._runs.cancel(run_id)

    async def conversation(self, who: Principal, thread_id: str) -> Conversation:
        """What was said. ThreadNotFound."""
        thread = await self._records.thread(thread_id)
        if thread is None or not thread.allows(who, "read"):
            raise ThreadNotFound(thread_id)
        messages = await self._records.messages(thread_id, _MOST_SHOWN)
        told = thread.owner_token is None and any(has_safety_mark(one.detail) for one in messages)
        if told and not may_see_danger(who.role):
            raise ThreadNotFound(thread_id)  # what was said around it would tell as much
        try:
            running = await self._runs.running(thread_id)
        except RedisError:
            running = None
        return Conversation(thread, messages, running)

    async def own_threads(self, who: Principal, search: str, limit: int) -> list[ThreadSummary]:
        """The conversations that the caller began, the newest first."""
        return await self._records.own(who, search, limit)

    async def rename(self, who: Principal, thread_id: str, title: str) -> None:
        """ThreadNotFound for a conversation that the caller did not begin."""
        if not await self._records.rename(who, thread_id, title):
            raise ThreadNotFound(thread_id)

    async def delete(self, who: Principal, thread_id: str) -> None:
        """Deletes a conversation that the caller began. ThreadNotFound; NotAllowed for a child: its adults may have to
        read what it told."""
        if who.role == "student":
            raise NotAllowed("conversations of a child are deleted with its records")
        if not await self._records.delete(who, thread_id):
            raise ThreadNotFound(thread_id)
        with suppress(RedisError):  # it expires there by itself
            await RedisSaver(self._redis).adelete_thread(thread_id)

    async def regenerate(self, who: Principal, thread_id: str) -> str:
        """Answers the last message of the caller's own conversation again, -> its run id. The answer before is gone.
        ThreadNotFound, ThreadBusy; NotAllowed where danger was told."""
        found = await self.conversation(who, thread_id)
        if found.run_id is not None:
            raise ThreadBusy(found.run_id)
        if not found.messages or any(has_safety_mark(one.detail) for one in found.messages):
            raise NotAllowed("there is no answer here that may be replaced")
        question, thread = found.messages[-2], found.thread
        if not await self._records.take_back(who, thread_id, thread.turns):
            raise ThreadNotFound(thread_id)
        return await self.start(who, NewTurn(question.text, thread.profile, thread_id, thread.student_id))

    def _told(self, event: Event) -> Event:
        """The end of a run whose process died is written by another, which does not know its profile."""
        return self._config.error("lost", "coach") if event == LOST_EVENT else event

    # --- before the turn ------------------------------------------------------------------------------------------

    async def _thread(self, who: Principal, wanted: NewTurn, student_id: str | None) -> Thread:
        """The thread as recorded, or a new one, which is recorded with its first turn."""
        thread = await self._records.thread(wanted.thread_id)
        if thread is None:
            owner = None if who.role == "student" else who.token_id
            return Thread(wanted.thread_id, wanted.profile, student_id, owner)
        if not thread.allows(who, "write") or wanted.student_id not in (None, thread.student_id):
            raise ThreadNotFound(wanted.thread_id)
        return thread

    @asynccontextmanager
    async def _claimed(self, who: Principal, thread: Thread, wanted: NewTurn) -> AsyncIterator[TurnRun]:
        run = self._runs.open(thread.thread_id, resumable=wanted.resumable)
        note = {name: getattr(thread, name) for name in ("profile", "student_id", "owner_token")}
        while (holder := await self._runs.claim(run, note)) is not None:
            await self.find(who, holder)
            if wanted.on_conflict == "refuse":
                raise ThreadBusy(holder)
            await self._runs.cancel(holder, "interrupted")
            try:
                await self._runs.freed(thread.thread_id, holder, self._config.seconds.interrupt)
            except TimeoutError:
                raise ThreadBusy(holder) from None
        async with self._runs.holding(run):
            yield run


async def _without_danger(
    events: AsyncGenerator[tuple[str, Event], None], last_id: str
) -> AsyncGenerator[tuple[str, Event], None]:
    """All events of a run that come after `last_id`; of one that answers danger, its end alone. That it does is told
    before its first word, so what comes earlier is held back until then."""
    held: list[tuple[str, Event]] = []
    async with aclosing(events):
        async for number, event in events:
            if has_safety_mark(event):
                yield number, FINAL_EVENT
                return
            held.append((number, event))
            if event["type"] in _ANSWER_EVENTS:
                for each in held:
                    if is_after(each[0], last_id):
                        yield each
                held.clear()


def _student_of_turn(who: Principal, wanted: NewTurn) -> str | None:
    """Whom the turn is about. ThreadNotFound for somebody else's learner, StudentNeeded where it could be several."""
    if wanted.student_id is not None:
        if not is_allowed(who, "read", wanted.student_id):
            raise ThreadNotFound(wanted.student_id)
        return wanted.student_id
    if len(who.subject) == 1:
        return next(iter(who.subject))
    if wanted.profile == "coach" and who.subject:
        raise StudentNeeded("you stand for several students: say which one")
    return None
