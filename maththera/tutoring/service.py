"""Sessions from outside: begin, answer, look back. The graph runs under a lock on the session's checkpoint; the learner
records are the truth that every checkpoint can be rebuilt from.

Order of a turn: record row, checkpoint, acknowledge. A turn that fails in between leaves no checkpoint at all, so that
the next one starts from the records.
"""

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.learners.records import Records, TurnRow, TurnTaken, UnknownSession
from maththera.llm.models import Models
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.locks import LockTimeout, thread_lock
from maththera.runtime.tracing import span
from maththera.tutoring import envelopes
from maththera.tutoring.engine import Engine
from maththera.tutoring.events import BadEvent, fitting
from maththera.tutoring.graph import build
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.replaying import compared, restored
from maththera.tutoring.rules import Rules
from maththera.tutoring.starting import NewSession, start_of
from maththera.tutoring.state import SCHEMA_VERSION, Event, TutoringState, given
from maththera.tutoring.turn import Turn, TurnContext, answer_refused

logger = logging.getLogger(__name__)

Json = dict[str, Any]

Run = Callable[[str, Event], Awaitable["TurnOutcome"]]

_OWNERS_KEPT: Final = 10_000
LOCK_SECONDS: Final = 3.0
"""A turn takes 2 s at most; the lock of a worker that was killed keeps the child waiting no longer than this."""

_READ_BACK: Final = ("start", "event", "turn", "last_turn", "current_step", "task", "offered")
"""What a refused event is answered from: LangGraph reads each key that it gives back anew after every node."""

_TRIES: Final = 3
"""A turn that another worker has taken is tried again on what that worker left."""


class SessionNotFound(LookupError):
    """There is no such session."""


class StaleTask(Exception):
    """The event is for a task that is no longer current; `current_task` is the one that is, None at the end."""

    def __init__(self, current_task: Json | None) -> None:
        super().__init__("the task is no longer current")
        self.current_task = current_task


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The body of the answer; `replayed` when this request had been answered before."""

    body: Json
    replayed: bool


class _Refused(Exception):
    """The event does not fit the state; `state` is what it was tried on."""

    def __init__(self, state: TutoringState) -> None:
        super().__init__("refused")
        self.state = state


class _HalfTurn(Exception):
    """The checkpoint is that of a turn which failed and could not be dropped then: it would finish now, unasked."""


class TutoringService:
    """One per process. Raises StoreUnavailable of the learner records when those cannot be reached."""

    def __init__(self, rules: Rules, records: Records, redis: Redis, models: Models | None = None) -> None:
        nodes = Nodes(rules, models)
        builder = build(nodes)
        self._rules = rules
        self._records = records
        self._redis = redis
        self._saver = RedisSaver(redis)
        self._graph = builder.compile(checkpointer=self._saver, name="tutoring")
        self._without_checkpoint = builder.compile(name="tutoring")
        self._nodes = nodes
        self._engine = Engine(nodes)
        self._owners: OrderedDict[str, str] = OrderedDict()

    # --- begin ----------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewSession) -> Json:
        """A new session's view, with its first task. BadEvent for a first problem outside the ladder."""
        start = start_of(wanted, await self._records.learner(wanted.student_id), self._rules)
        session_id = uuid4().hex
        begun = self._engine.begin(start)
        await self._records.create_session(session_id, wanted.student_id, start, self._nodes.open_problems(begun))
        state: TutoringState = {**begun, "schema_version": SCHEMA_VERSION}
        try:
            await self._graph.ainvoke(state, _config(session_id), context=TurnContext(), durability="exit")
        except RedisError as error:
            logger.warning("session %s begins without a checkpoint: %r", session_id, error)
        return envelopes.view(session_id, state, self._rules)

    # --- a turn ---------------------------------------------------------------------------------------------------

    async def handle(self, session_id: str, event: Mapping[str, Any]) -> TurnOutcome:
        """One turn. Raises SessionNotFound, StaleTask, BadEvent."""
        checked = fitting(event, self._rules.catalogue.observations.keys())
        with span("tutoring.turn", session_id=session_id, event=checked["type"]) as current:
            try:
                async with thread_lock(self._redis, session_id, ttl=LOCK_SECONDS):
                    outcome = await self._attempt(session_id, checked, self._from_checkpoint)
            except (RedisError, LockTimeout) as error:
                logger.warning("session %s goes on from the records: %r", session_id, error)
                outcome = await self._attempt(session_id, checked, self._from_records)
            if current is not None:
                _annotate(current, outcome)
        return outcome

    async def end_idle(self, session_id: str, turn: int) -> bool:
        """Ends a session that nobody has answered since its `turn`; False where somebody has, or it has ended."""
        # No client can send a request of this id: it has spaces.
        event = {"type": "idle", "request_id": f"idle since turn {turn}", "turn": turn}
        try:
            return not (await self.handle(session_id, event)).replayed
        except (StaleTask, SessionNotFound):
            return False

    async def _attempt(self, session_id: str, event: Event, run: Run) -> TurnOutcome:
        try:
            for _ in range(_TRIES):
                try:
                    return await run(session_id, event)
                except (TurnTaken, _HalfTurn):
                    if (row := await self._records.turn_by_request(session_id, event["request_id"])) is not None:
                        return TurnOutcome(row.response, replayed=True)
        except UnknownSession as error:
            raise SessionNotFound(session_id) from error
        except _Refused as refused:
            raise self._refusal(refused.state, event) from None
        raise StaleTask(await self._current_task(session_id))

    async def _from_checkpoint(self, session_id: str, event: Event) -> TurnOutcome:
        context = self._context(session_id, event)
        async with self._no_half_turn(session_id):
            found = await self._graph.ainvoke(
                Command(resume=event), _config(session_id), context=context, durability="exit", output_keys=_READ_BACK
            )
        if context.turn is not None:
            return TurnOutcome(context.turn.response, replayed=False)
        state = cast("TutoringState", found or {})  # nothing comes of a thread without a checkpoint
        if not state.get("start"):
            await self._restore(session_id)
            return await self._from_checkpoint(session_id, event)
        answered = await self._answered(session_id, state, event)
        if answered is not None:
            return answered
        if await self._records.last_turn_number(session_id) > state["turn"]:
            await self._restore(session_id)
            return await self._from_checkpoint(session_id, event)
        raise _Refused(state)

    async def _from_records(self, session_id: str, event: Event) -> TurnOutcome:
        """Without Redis: the same graph on the state that the records give, nothing kept but the new row."""
        state = await self._rebuild(session_id)
        if (answered := await self._answered(session_id, state, event)) is not None:
            return answered
        if answer_refused({**state, "event": event}) is not None:
            raise _Refused(state)
        context = self._context(session_id, event)
        context.degraded = True
        await self._without_checkpoint.ainvoke({**state, "event": event}, context=context)
        return TurnOutcome(given(context.turn).response, replayed=False)

    async def _answered(self, session_id: str, state: TutoringState, event: Event) -> TurnOutcome | None:
        """The recorded answer to a repeated request."""
        last = state["last_turn"]
        if last is not None and last["request_id"] == event["request_id"]:
            return TurnOutcome(last["response"], replayed=True)
        row = await self._records.turn_by_request(session_id, event["request_id"])
        return TurnOutcome(row.response, replayed=True) if row else None

    def _context(self, session_id: str, event: Event) -> TurnContext:
        async def save(turn: Turn) -> None:
            if turn.request_id != event["request_id"]:
                raise _HalfTurn
            row = TurnRow(session_id, turn.number, turn.request_id, turn.event, turn.llm, turn.response, turn.trace,
                          turn.facts, turn.open_problems)  # fmt: skip
            await self._records.append_turn(row, learner=turn.learner, reviews=turn.reviews, ended=turn.ended)

        return TurnContext(save=save)

    @asynccontextmanager
    async def _no_half_turn(self, session_id: str) -> AsyncIterator[None]:
        """LangGraph keeps the finished steps of a turn that failed; here the whole turn counts or nothing. A Redis that
        fails is not asked again, the child would wait for it: what it may still have got is told by its request."""
        try:
            yield
        except RedisError:
            raise
        except BaseException:
            forgetting = asyncio.create_task(self._forget(session_id))
            await asyncio.shield(forgetting)
            raise

    async def _forget(self, session_id: str) -> None:
        try:
            await self._saver.adelete_thread(session_id)
        except RedisError as error:
            logger.warning("session %s: checkpoint not dropped: %r", session_id, error)

    async def _current_task(self, session_id: str) -> Json | None:
        return envelopes.task_view((await self._state(session_id))["task"], self._rules)

    def _refusal(self, state: TutoringState, event: Event) -> Exception:
        task = state["task"]
        match answer_refused({**state, "event": event}):
            case "wrong_event":
                return BadEvent("body.type", "the current task is a training: send training_done")
            case "wrong_training":
                return BadEvent("body.training_id", f"the current training is {task['training_id'] if task else None}")
            case _:
                return StaleTask(envelopes.task_view(task, self._rules))

    # --- records to state -----------------------------------------------------------------------------------------

    async def _rebuild(self, session_id: str) -> TutoringState:
        """The state that the session's rows lead to."""
        session = await self._records.session(session_id)
        if session is None:
            raise SessionNotFound(session_id)
        state = restored(self._engine, session.start, await self._records.turns(session_id))
        return cast("TutoringState", {**state, "schema_version": SCHEMA_VERSION})

    async def _restore(self, session_id: str) -> None:
        """Writes the checkpoint anew from the records; nobody notices."""
        async with self._no_half_turn(session_id):
            state = await self._rebuild(session_id)
            await self._graph.ainvoke(state, _config(session_id), context=TurnContext(), durability="exit")

    async def _state(self, session_id: str) -> TutoringState:
        """The session as it stands, from the checkpoint unless the records know more."""
        turns = await self._records.last_turn_number(session_id)
        try:
            found = await self._saver.aget_tuple(_config(session_id))
        except RedisError as error:
            logger.warning("session %s is read from the records: %r", session_id, error)
            found = None
        state = cast("TutoringState", found.checkpoint["channel_values"]) if found else None
        if state is None or not state.get("start") or state.get("event") is not None or state["turn"] < turns:
            return await self._rebuild(session_id)
        return state

    # --- look back ------------------------------------------------------------------------------------------------

    async def owner(self, session_id: str) -> str:
        """The student a session belongs to. SessionNotFound."""
        if (known := self._owners.get(session_id)) is not None:
            self._owners.move_to_end(session_id)
            return known
        session = await self._records.session(session_id)
        if session is None:
            raise SessionNotFound(session_id)
        self._owners[session_id] = session.student_id
        if len(self._owners) > _OWNERS_KEPT:
            self._owners.popitem(last=False)
        return session.student_id

    async def view(self, session_id: str) -> Json:
        """Where the session stands."""
        return envelopes.view(session_id, await self._state(session_id), self._rules)

    async def trace(self, session_id: str) -> Json:
        """Every turn's event and envelopes."""
        if await self._records.session(session_id) is None:
            raise SessionNotFound(session_id)
        rows = await self._records.turns(session_id)
        turns = [
            {"turn": row.turn, "request_id": row.request_id, "event": row.event, "llm": row.llm, "envelopes": row.trace}
            for row in rows
        ]
        return {"session_id": session_id, "turns": turns}

    async def replay(self, session_id: str) -> Json:
        """Recomputes every turn from its recorded event; `differs` names what came out differently."""
        session = await self._records.session(session_id)
        if session is None:
            raise SessionNotFound(session_id)
        turns = compared(self._engine, session.start, await self._records.turns(session_id))
        return {"session_id": session_id, "identical": all(one["identical"] for one in turns), "turns": turns}


def _config(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


def _annotate(current: Any, outcome: TurnOutcome) -> None:
    """The turn on its OpenTelemetry span."""
    body = outcome.body
    current.set_attribute("maththera.phase", body["phase"])
    current.set_attribute("maththera.degraded", body["degraded"])
    for name in ("diagnosis", "adaptation", "feedback"):
        current.add_event(name, {"payload": json.dumps(body[name], ensure_ascii=False)})
