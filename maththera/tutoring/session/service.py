"""Sessions from outside: begin, answer, look back. The graph runs under the lease of the session's checkpoint; the
learner records are the truth that every checkpoint can be rebuilt from.

A turn has the steps of every turn (`runtime/turns.py`) in this order: claimed, run with its record, checkpoint, told;
only when the graph refuses, answered or rebuilt. One that fails in between leaves no checkpoint at all, so that the
next one starts from the records.
"""

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.llm.model_client import Models
from maththera.runtime.checkpointer import RedisSaver, ThreadHold
from maththera.runtime.leases import LeaseTimeout
from maththera.runtime.tracing import span
from maththera.runtime.turns import require_same_body
from maththera.store.answer_history import AnswerHistory
from maththera.store.task_observations import Seen
from maththera.store.tutoring_sessions import SessionRecords, SessionRow, TurnRow, TurnTaken, UnknownSession
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.content.training_tasks import TaskError
from maththera.tutoring.graph import build
from maththera.tutoring.learned.procedure_library import ProcedureLibrary
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.number_sense.report import ScreeningReport, screening_report, screenings_of
from maththera.tutoring.session.free_play import FreePlay, free_play
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.session.replay import recorded_engine, replay_differences, same_engine, state_from_rows
from maththera.tutoring.session.session_start import Capabilities, NewSession, recorded_start
from maththera.tutoring.session.step_views import session_steps
from maththera.tutoring.state import SCHEMA_VERSION, Event, TutoringState, given
from maththera.tutoring.turns import envelopes
from maththera.tutoring.turns.events import BadEvent, checked_event
from maththera.tutoring.turns.turn import Turn, TurnContext, answer_refused, digest_of, steps_to_answer

logger = logging.getLogger(__name__)

Json = dict[str, Any]

LEASE_SECONDS: Final = 3.0
"""A turn takes 2 s at most; the lease of a worker that was killed keeps the child waiting no longer than this."""

_STARTS_KEPT: Final = 10_000
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


class _UnfinishedTurn(Exception):
    """The checkpoint is that of a turn which failed and could not be dropped then: it would finish now, unasked."""


class TutoringService:
    """One per process. Raises StoreUnavailable of the learner records when those cannot be reached."""

    def __init__(  # noqa: PLR0913 - the rules, and what one process works with
        self,
        rules: Rules,
        records: SessionRecords,
        history: AnswerHistory,
        redis: Redis,
        models: Models | None = None,
        library: ProcedureLibrary | None = None,
    ) -> None:
        """`library`: the learned procedures; without it no session knows any."""
        nodes = Nodes(rules, models)
        builder = build(nodes)
        self._rules = rules
        self._records = records
        self._history = history
        self._library = library
        self._started: OrderedDict[str, str | None] = OrderedDict()
        self._saver = RedisSaver(redis)
        self._graph = builder.compile(checkpointer=self._saver, name="tutoring")
        self._without_checkpoint = builder.compile(name="tutoring")
        self._nodes = nodes
        self._engine = InMemoryEngine(nodes)

    # --- begin ----------------------------------------------------------------------------------------------------

    async def create(self, wanted: NewSession) -> Json:
        """A new session's view, with its first task. BadEvent for a first problem outside the ladder."""
        answers = await self._history.answers(wanted.student_id)
        knowledge = recorded_knowledge(answers, self._rules.knowledge, self._rules.bank)
        learner = await self._records.learner(wanted.student_id)
        learned = await self._library.in_force() if self._library else {"version": 0, "names": []}
        start = recorded_start(wanted, learner, knowledge, self._rules, learned)
        session_id = uuid4().hex
        begun = self._engine.begin(start)
        await self._records.create_session(session_id, wanted.student_id, start, self._nodes.open_problems(begun))
        self._remember_start(session_id, begun["known"]["start"])
        state: TutoringState = {**begun, "schema_version": SCHEMA_VERSION}
        try:
            await self._write_checkpoint(session_id, state)
        except RedisError as error:
            logger.debug("session %s begins without a checkpoint: %r", session_id, error)
        return envelopes.view(session_id, state, self._rules)

    async def open_session(self, student_id: str, capabilities: Capabilities) -> Json | None:
        """The view of the child's newest session that has not ended; None where there is none to go on with, or one
        with tasks that this client cannot show."""
        session_id = await self._records.open_session(student_id)
        if session_id is None or not await self._start_is_read(session_id):
            return None
        state, able = await self._state(session_id), capabilities.model_dump()
        if any(needed and not able[name] for name, needed in state["start"]["capabilities"].items()):
            return None
        return envelopes.view(session_id, state, self._rules) if state["task"] else None

    # --- a turn ---------------------------------------------------------------------------------------------------

    async def handle(self, session_id: str, event: Mapping[str, Any]) -> TurnOutcome:
        """One turn. Raises SessionNotFound, StaleTask, BadEvent, RequestIdReused."""
        checked = checked_event(event, self._rules.catalogue.observations.keys())
        self._check_items(checked)
        if not await self._start_is_read(session_id):
            if (answered := await self._recorded(session_id, checked)) is not None:
                return answered
            raise StaleTask(None)
        if checked["type"] == "answer_submitted":
            seen = await self._records.seen.of_task(session_id, checked["task_id"])
            if observed := [tag for tag, by in seen.items() if by == "adult"]:
                checked["observed"] = observed
        with span("tutoring.turn", session_id=session_id, event=checked["type"]) as current:
            try:
                async with self._saver.hold(session_id, seconds=LEASE_SECONDS) as hold:
                    outcome = await self._attempt(session_id, checked, hold)
            except (RedisError, LeaseTimeout) as error:
                logger.debug("session %s goes on from the records: %r", session_id, error)
                outcome = await self._attempt(session_id, checked, None)
            if current is not None:
                _annotate_span(current, outcome)
        return outcome

    def _check_items(self, event: Event) -> None:
        """BadEvent for an item that the training does not have."""
        items = event.get("results", {}).get("items")
        if not isinstance(items, list):
            return
        plan = self._rules.catalogue.trainings[event["training_id"]]
        for place, one in enumerate(items):
            try:
                plan.item(one["item_id"])
            except TaskError:
                raise BadEvent(f"body.results.items.{place}.item_id", f"{plan.id} has no such item") from None

    async def end_idle(self, session_id: str, turn: int) -> bool:
        """Ends a session that nobody has answered since its `turn`; False where somebody has, or it has ended."""
        try:
            if not await self._start_is_read(session_id):
                return await self._records.end_session(session_id)
        except SessionNotFound:
            return False
        # No client can send a request of this id: it has spaces.
        event = {"type": "idle", "request_id": f"idle since turn {turn}", "turn": turn}
        try:
            return not (await self.handle(session_id, event)).replayed
        except (StaleTask, SessionNotFound):
            return False

    async def _attempt(self, session_id: str, event: Event, hold: ThreadHold | None) -> TurnOutcome:
        try:
            for _ in range(_TRIES):
                try:
                    return await (self._run(session_id, event, hold) if hold else self._run_alone(session_id, event))
                except (TurnTaken, _UnfinishedTurn):
                    if (answered := await self._recorded(session_id, event)) is not None:
                        return answered
        except UnknownSession as error:
            raise SessionNotFound(session_id) from error
        raise StaleTask(await self._current_task(session_id))

    async def _run(self, session_id: str, event: Event, hold: ThreadHold) -> TurnOutcome:
        context = self._context(session_id, event, hold)
        async with self._dropped_on_failure(session_id):
            # Nothing is streamed: after every node LangGraph would read the state anew for it.
            turn = self._graph.astream(
                Command(resume=event), hold.config, context=context, durability="exit", stream_mode=()
            )
            async for _ in turn:
                pass
        if context.turn is not None:
            return TurnOutcome(context.turn.response, replayed=False)
        found = await self._saver.aget_tuple(hold.config)
        state = cast("TutoringState", found.checkpoint["channel_values"] if found else {})
        if state.get("start"):
            if (answered := await self._answered(session_id, state, event)) is not None:
                return answered
            if await self._records.last_turn_number(session_id) <= state["turn"]:
                raise self._refusal(state, event)
        await self._rewrite_checkpoint(session_id)
        return await self._run(session_id, event, hold)

    async def _run_alone(self, session_id: str, event: Event) -> TurnOutcome:
        """Without Redis: the same graph on the state that the records give, nothing kept but the new row."""
        state = await self._rebuilt(session_id)
        if (answered := await self._answered(session_id, state, event)) is not None:
            return answered
        if answer_refused({**state, "event": event}) is not None:
            raise self._refusal(state, event)
        context = self._context(session_id, event)
        context.degraded = True
        await self._without_checkpoint.ainvoke({**state, "event": event}, context=context)
        return TurnOutcome(given(context.turn).response, replayed=False)

    async def _answered(self, session_id: str, state: TutoringState, event: Event) -> TurnOutcome | None:
        """The recorded answer to a repeated request."""
        last = state["last_turn"]
        if last is not None and last["request_id"] == event["request_id"]:
            require_same_body(last["sent"], digest_of(event))
            return TurnOutcome(last["response"], replayed=True)
        return await self._recorded(session_id, event)

    async def _recorded(self, session_id: str, event: Event) -> TurnOutcome | None:
        """The answer to a repeated request as the records have it. RequestIdReused."""
        row = await self._records.turn_by_request(session_id, event["request_id"])
        if row is None:
            return None
        require_same_body(digest_of(row.event), digest_of(event))
        return TurnOutcome(row.response, replayed=True)

    def _context(self, session_id: str, event: Event, hold: ThreadHold | None = None) -> TurnContext:
        async def save(turn: Turn) -> None:
            if turn.request_id != event["request_id"]:
                raise _UnfinishedTurn
            row = TurnRow(session_id, turn.number, turn.request_id, turn.event, turn.llm, turn.response, turn.trace,
                          turn.facts, turn.open_problems)  # fmt: skip
            await self._records.append_turn(row, learner=turn.learner, reviews=turn.reviews, ended=turn.ended)
            if hold is not None:
                hold.close_with_save()

        return TurnContext(save=save)

    @asynccontextmanager
    async def _dropped_on_failure(self, session_id: str) -> AsyncIterator[None]:
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
            logger.debug("session %s: checkpoint not dropped: %r", session_id, error)

    async def _current_task(self, session_id: str) -> Json | None:
        return envelopes.task_view((await self._state(session_id))["task"], self._rules)

    def _refusal(self, state: TutoringState, event: Event) -> Exception:
        task = state["task"]
        match answer_refused({**state, "event": event}):
            case "wrong_event":
                return BadEvent("body.type", "the current task is a training: send training_done")
            case "wrong_training":
                return BadEvent("body.training_id", f"the current training is {task['training_id'] if task else None}")
            case "wrong_steps":
                return BadEvent("body.steps", f"the current task has {steps_to_answer(given(task))} steps to answer")
            case _:
                return StaleTask(envelopes.task_view(task, self._rules))

    # --- records to state -----------------------------------------------------------------------------------------

    async def _start_is_read(self, session_id: str) -> bool:
        """Makes what the child knew at the start known to this process. False for a session of an earlier engine, which
        is over: nothing can be computed from it. SessionNotFound."""
        if session_id in self._started:
            key = self._started[session_id]
            if key is None or key in self._rules.session_knowledge:
                return key is not None
        session = await self._session(session_id)
        key = self._rules.session_knowledge.begin(session.start["knowledge"]) if same_engine(session.start) else None
        self._remember_start(session_id, key)
        return key is not None

    async def _session(self, session_id: str) -> SessionRow:
        """The session's row; the learned procedures that it names are known from then on. SessionNotFound."""
        session = await self._records.session(session_id)
        if session is None:
            raise SessionNotFound(session_id)
        if self._library is not None:
            await self._library.learn_for(session.start)
        return session

    def _remember_start(self, session_id: str, key: str | None) -> None:
        self._started[session_id] = key
        if len(self._started) > _STARTS_KEPT:
            self._started.popitem(last=False)

    async def _write_checkpoint(self, session_id: str, state: TutoringState) -> None:
        """What was known at the start stays in the session's row, where it is written once."""
        start = {name: value for name, value in state["start"].items() if name != "knowledge"}
        kept: TutoringState = {**state, "start": start}
        await self._graph.ainvoke(kept, _config(session_id), context=TurnContext(), durability="exit")

    async def _rebuilt(self, session_id: str) -> TutoringState:
        """The state that the session's rows lead to."""
        session = await self._session(session_id)
        state = state_from_rows(self._engine, session.start, await self._records.turns(session_id))
        return cast("TutoringState", {**state, "schema_version": SCHEMA_VERSION})

    async def _rewrite_checkpoint(self, session_id: str) -> None:
        """Writes the checkpoint anew from the records; nobody notices."""
        async with self._dropped_on_failure(session_id):
            await self._write_checkpoint(session_id, await self._rebuilt(session_id))

    async def _state(self, session_id: str) -> TutoringState:
        """The session as it stands, from the checkpoint unless the records know more."""
        turns = await self._records.last_turn_number(session_id)
        try:
            found = await self._saver.aget_tuple(_config(session_id))
        except RedisError as error:
            logger.debug("session %s is read from the records: %r", session_id, error)
            found = None
        state = cast("TutoringState", found.checkpoint["channel_values"]) if found else None
        if state is None or not state.get("start") or state.get("event") is not None or state["turn"] < turns:
            return await self._rebuilt(session_id)
        return state

    # --- look back ------------------------------------------------------------------------------------------------

    async def owner(self, session_id: str) -> str:
        """The student a session belongs to. SessionNotFound."""
        owner = await self._records.owner(session_id)
        if owner is None:
            raise SessionNotFound(session_id)
        return owner

    async def view(self, session_id: str) -> Json:
        """Where the session stands."""
        if not await self._start_is_read(session_id):
            return await self._earlier_view(session_id)
        return envelopes.view(session_id, await self._state(session_id), self._rules)

    async def free_play(self, student_id: str) -> FreePlay:
        """What the child may play outside of a session."""
        session_id = await self._records.ended_last(student_id)
        computable = session_id is not None and await self._start_is_read(session_id)
        state = await self._state(given(session_id)) if computable else None
        return free_play(self._rules.catalogue.trainings, session_id, state)

    async def _earlier_view(self, session_id: str) -> Json:
        """A session of an earlier engine, as its last turn left it. It is over."""
        session, turns = given(await self._records.session(session_id)), await self._records.turns(session_id)
        before = {"c": session.start["c_position"], "w": session.start["w_position"]}
        return {
            "session_id": session_id,
            "student_id": session.student_id,
            "phase": "ended",
            "turn": turns[-1].turn if turns else 0,
            "remaining": 0,
            "position": turns[-1].response["position"] if turns else before,
            "task": None,
        }

    async def screenings(self, student_id: str, birth_year: int | None) -> list[ScreeningReport]:
        """What screenings of the child's number sense have found, the newest first."""
        found = screenings_of(await self._records.screenings(student_id))
        return [screening_report(one, self._rules.published, birth_year) for one in found]

    async def observe(self, session_id: str, task_id: str, tags: Sequence[str], seen_by: Seen) -> Json:
        """Keeps what was seen at a task, for its answer or beside it. BadEvent for a tag or a task that there is not;
        SessionNotFound."""
        for index, tag in enumerate(tags):
            if tag not in self._rules.catalogue.observations:
                raise BadEvent(f"body.tags.{index}", f"there is no observation {tag}")
        computable = await self._start_is_read(session_id)
        rows = await self._records.turns(session_id)
        answers = [row for row in rows if row.event.get("task_id") == task_id]
        if not answers:
            current = await self._current_task(session_id) if computable else None
            shown = [*(row.response["task"] for row in rows), current]
            if task_id not in [task["task_id"] for task in shown if task is not None]:
                raise BadEvent("body.task_id", f"this session has had no task {task_id}")
        told = self._told_by(answers[-1], dict.fromkeys(tags, seen_by)) if answers and computable else {}
        await self._records.seen.add(session_id, task_id, tags, seen_by, told)
        seen = await self._records.seen.of_task(session_id, task_id)
        cause = self._named(self._told_by(answers[-1], seen)) if answers and computable else None
        return {"task_id": task_id, "tags": list(seen), "answered": bool(answers), "cause": cause}

    def _told_by(self, row: TurnRow, seen: Mapping[str, Seen]) -> dict[str, str]:
        """UC1: each of an adult's tags that came after a right and slow answer → the cause that it names."""
        if row.facts.get("pattern") != "correct_slow" or row.facts.get("problem_id") is None:
            return {}
        required = self._rules.bank.problem(given(row.facts["problem_id"])).strategy_tag
        late = [tag for tag, by in seen.items() if by == "adult" and tag not in row.event.get("observed", [])]
        observations = self._rules.catalogue.observations
        return {tag: cause for tag in late if (cause := observations[tag].cause(required)) is not None}

    def _named(self, told: Mapping[str, str]) -> Json | None:
        """The first of the causes, with its name."""
        tag = next(iter(told.values()), None)
        return {"cause_tag": tag, "name": self._rules.catalogue.causes[tag].name} if tag else None

    async def trace(self, session_id: str) -> Json:
        """Every turn's event and envelopes, and what was seen at its task."""
        computable = await self._start_is_read(session_id)
        rows, seen = await self._records.turns(session_id), await self._records.seen.of_session(session_id)
        turns = []
        for row in rows:
            told = seen.get(row.event.get("task_id", ""), {})
            cause = self._named(self._told_by(row, told)) if told and computable else None
            turns.append(
                {
                    "turn": row.turn,
                    "request_id": row.request_id,
                    "event": row.event,
                    "llm": row.llm,
                    "envelopes": row.trace,
                    "observations": {"seen": told, "cause": cause} if told else None,
                }
            )
        return {"session_id": session_id, "turns": turns}

    def observations(self) -> dict[str, str]:
        """Tag → what an adult sees, in Korean."""
        return {tag: one.description for tag, one in self._rules.catalogue.observations.items()}

    async def steps(self, session_id: str) -> Json:
        """What the child saw at each turn, and in sentences what came of it. The first task of a session of an earlier
        engine is not known."""
        session = await self._records.session(session_id)
        if session is None:
            raise SessionNotFound(session_id)
        known = same_engine(session.start)
        begun = envelopes.view(session_id, self._engine.begin(session.start), self._rules) if known else None
        rows, seen = await self._records.turns(session_id), await self._records.seen.of_session(session_id)
        found = session_steps(begun, rows, seen, self._rules.catalogue, self._rules.knowledge.skills)
        own = {"session_id": session_id, "student_id": session.student_id, "started_at": session.created_at.isoformat()}
        return {**own, **found}

    async def replay(self, session_id: str) -> Json:
        """Recomputes every turn from its recorded event; `differs` names what came out differently. A session of an
        earlier engine is not recomputed: `identical` is None."""
        session = await self._session(session_id)
        learned = session.start.get("learned", {}).get("version", 0)
        report: Json = {
            "session_id": session_id,
            "engine": recorded_engine(session.start),
            "procedures_version": learned,
        }
        if not same_engine(session.start):
            return {**report, "identical": None, "turns": []}
        turns = replay_differences(self._engine, session.start, await self._records.turns(session_id))
        return {**report, "identical": all(one["identical"] for one in turns), "turns": turns}


def _config(session_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": session_id}}


def _annotate_span(current: Any, outcome: TurnOutcome) -> None:
    """The turn on its OpenTelemetry span."""
    body = outcome.body
    current.set_attribute("maththera.phase", body["phase"])
    current.set_attribute("maththera.degraded", body["degraded"])
    for name in ("diagnosis", "adaptation", "feedback"):
        current.add_event(name, {"payload": json.dumps(body[name], ensure_ascii=False)})
