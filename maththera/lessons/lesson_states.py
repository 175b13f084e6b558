"""Where each lesson stands: in the checkpoints of its graph, or by the records where Redis is away or has lost it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any, Final, TypeVar, cast
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, StateSnapshot
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.json_types import JsonObject
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.agents.session_nodes import next_chapter, session_summary
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import QuestionType
from maththera.lessons.explanation_turns import Outcome
from maththera.lessons.graph import build
from maththera.lessons.lesson_turn import LessonTurn
from maththera.lessons.state import SPEAKER, LessonState, initial_state, turns
from maththera.lessons.turn_context import LessonContext, OpenTasks
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.leases import lease
from maththera.store.access.authorization import Role
from maththera.store.database import StoreUnavailable
from maththera.store.lesson_sessions import CompletedSession
from maththera.store.lessons import Lesson, LessonRecords
from maththera.store.review_queue import Reviews
from maththera.words.danger.message_safety import MessageSafety
from maththera.words.output_gate.sentence_checks import GateFault

logger = logging.getLogger(__name__)

LEASE_SECONDS: Final = 3.0
"""What a turn may take beside its drafts; the lease of a process that died keeps the learner waiting so long."""
_WAITING: Final = ("learner",)

Found = TypeVar("Found")


class LessonNotFound(LookupError):
    """There is no such lesson."""


class LessonStates:
    """The graph of lessons over its stores. Every method may raise StoreUnavailable."""

    def __init__(  # noqa: PLR0913 - what is taught, who writes drafts, and where it is kept
        self,
        content: LessonContent,
        safety: MessageSafety,
        records: LessonRecords,
        reviews: Reviews,
        redis: Redis,
        writer: DraftWriter,
        open_answers: OpenTasks,
    ) -> None:
        """`open_answers`: those of the learner's tasks elsewhere, by the id of a lesson."""
        self._content, self._records, self._reviews, self._redis = content, records, reviews, redis
        self._open_answers = open_answers
        graph = build(content, safety, writer)
        self._graph = graph.compile(RedisSaver(redis), name="lesson")
        self._passing = InMemorySaver()
        self._without_redis = graph.compile(self._passing, name="lesson")
        self._lease_seconds = LEASE_SECONDS + (writer.rules.seconds if writer.models else 0)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def claimed(self, lesson_id: str, find: Callable[[bool], Awaitable[Found]]) -> AsyncIterator[Found]:
        """What is found in a lesson of which no other turn runs anywhere. Without Redis, which `find` is told, another
        process may take the same turn, and the records decide whose counts. LeaseTimeout."""
        async with AsyncExitStack() as claim:
            try:
                await claim.enter_async_context(lease(self._redis, lesson_id, seconds=self._lease_seconds))
                found = await find(False)
            except RedisError:
                await claim.aclose()
                await claim.enter_async_context(self._locks.setdefault(lesson_id, asyncio.Lock()))
                claim.push_async_callback(self._passing.adelete_thread, lesson_id)
                found = await find(True)
            yield found

    async def standing(self, lesson_id: str) -> LessonState:
        """The lesson at a point where it waits. LessonNotFound, LeaseTimeout."""
        async with self.claimed(lesson_id, lambda alone: self.rebuilt(lesson_id, alone=alone)) as state:
            return state

    async def last(self, lesson_id: str) -> LessonState | None:
        """The lesson as its last checkpoint or record has it, also in the middle of a turn; None without either."""
        try:
            found = (await self._graph.aget_state(_config(lesson_id))).values or None
        except RedisError:
            found = await self._records.state(lesson_id)
        return cast("LessonState | None", found)

    async def rebuilt(self, lesson_id: str, told: LessonTurn | None = None, *, alone: bool) -> LessonState:
        """The lesson at a point where it waits: what was left half-done is finished, what is lost is rebuilt. `alone`:
        without Redis, by the records."""
        if alone:
            return await self.placed(await self._recorded(lesson_id))
        config = _config(lesson_id)
        found = await self._graph.aget_state(config)
        if not found.values or turns(found.values) < (await self._records.turn(lesson_id) or 0):
            return await self.begun(await self._recorded(lesson_id))
        state = cast("LessonState", found.values)
        if not self._content.has_course(state):
            raise LessonNotFound(lesson_id)
        if _is_waiting(found):
            return state
        logger.info("lesson %s goes on at %s", lesson_id, ", ".join(task.name for task in found.tasks))
        if told is not None:
            await self.run(told, state, None)
            return cast("LessonState", (await self._graph.aget_state(config)).values)
        return cast("LessonState", await self._graph.ainvoke(None, config, context=self._context(lesson_id)))

    async def begun(self, state: LessonState) -> LessonState:
        """The first checkpoint of a lesson, with its welcome said, or one of where it stood."""
        config, context = _config(state["lesson_id"]), self._context(state["lesson_id"])
        return _lesson_state(await self._graph.ainvoke(state, config, context=context, durability="exit"))

    async def run(
        self, turn: LessonTurn, state: LessonState, what: Command[Any] | None, role: Role = "student"
    ) -> LessonState:
        """Runs the graph from `state` until it waits or ends, and tells what happens. A turn that may complete the
        session is checked in step by step, another one whole."""
        completing = what is None or state["session_progress_stage"] == "quiz_and_feedback_completed"
        stream = (self._without_redis if turn.alone else self._graph).astream(
            what,
            _config(turn.lesson_id),
            context=self._context(turn.lesson_id, role),
            stream_mode=["updates", "custom"],
            durability="sync" if completing else "exit",
        )
        after: JsonObject = {**state}
        async for mode, chunk in stream:
            found = cast("JsonObject", chunk)
            if mode == "custom":
                turn.changed({"current_agent": SPEAKER})  # ahead of its first word
                turn.emit(found)
                continue
            for update in found.values():
                if isinstance(update, dict):
                    after.update(update)
                    turn.changed(update)
        return cast("LessonState", after)

    async def _recorded(self, lesson_id: str) -> LessonState:
        """Where the lesson stands by the records: after its last turn, or at the beginning of a session. LessonNotFound
        for one that is not there."""
        lesson = await self._lesson(lesson_id)
        if (state := await self._records.state(lesson_id)) is not None:
            return cast("LessonState", state)
        return state_from_records(self._content, lesson, await self._records.sessions(lesson_id), _now())

    async def placed(self, state: LessonState) -> LessonState:
        """A lesson without Redis, at the point where it waits."""
        config, context = _config(state["lesson_id"]), self._context(state["lesson_id"])
        return _lesson_state(await self._without_redis.ainvoke(state, config, context=context))

    async def _lesson(self, lesson_id: str) -> Lesson:
        lesson = await self._records.find(lesson_id)
        if lesson is None or lesson.course not in self._content.courses:
            raise LessonNotFound(lesson_id)
        return lesson

    def _context(self, lesson_id: str, role: Role = "student") -> LessonContext:
        async def reject(held: GateFault) -> None:
            try:
                lesson = await self._records.find(lesson_id)
                student = lesson.student_id if lesson else None
                await self._reviews.add(
                    "rejected_text", asdict(held), room="lesson", place_id=lesson_id, student_id=student
                )
            except StoreUnavailable:
                logger.exception("lesson %s: the review queue has no entry of what was held back", lesson_id)

        return LessonContext(save=self._records.complete, role=role, reject=reject, open_answers=self._open_answers)


def state_from_records(
    content: LessonContent, lesson: Lesson, done: Sequence[CompletedSession], now: str
) -> LessonState:
    """`done` in their order; what was said in the session under way is lost."""
    state = initial_state(lesson_id=lesson.lesson_id, course=lesson.course, now=now, **lesson.begin)
    course = content.courses[lesson.course]
    state["current_chapter"] = course.nearest_chapter(state["current_chapter"])
    if not done:
        return state
    last = done[-1]
    state["session_number"] = last.number + 1
    state["session_decision_result"] = "retry" if last.decision == "retry" else "proceed"
    kept = done[-content.config.sessions.summaries :]
    state["recent_sessions_summary"] = [session_summary(content, lesson.course, one) for one in kept]
    if last.decision == "retry" and last.chapter in course.chapters:
        repeated = list(takewhile(lambda one: one.decision == "retry", reversed(done)))
        state["current_chapter"] = last.chapter
        state["current_session_count"] = last.session_count + 1
        state["asked"] = [one.quiz.question_number for one in reversed(repeated)]
        passed = content.config.sessions.passed
        state["outcomes"] = [
            Outcome(
                question=one.quiz.question_number,
                right=one.quiz.is_correct >= passed[cast("QuestionType", one.quiz.question_type)],
            )
            for one in reversed(repeated)
        ]
    else:
        following = next_chapter(course, last.chapter, last.decision)
        state["current_chapter"] = following or last.chapter
        state["finished"] = following is None
    return state


def _is_waiting(found: StateSnapshot) -> bool:
    """Whether the lesson waits for its learner or is over. A task of a dead process that had finished, but for the
    checkpoint after it, is not among the next ones any more, and still a task."""
    return not found.tasks or (found.next == _WAITING and len(found.tasks) == 1)


def _lesson_state(found: Mapping[str, Any]) -> LessonState:
    """Without what LangGraph adds, such as the question that it waits with."""
    return cast("LessonState", {name: value for name, value in found.items() if name in LessonState.__annotations__})


def _config(lesson_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": lesson_id}}


def _now() -> str:
    return datetime.now(UTC).isoformat()
