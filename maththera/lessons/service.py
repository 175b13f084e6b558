"""Lessons from outside: begin, say something, follow what happens, look.

A turn runs in a task of its own under the lesson's lease, checkpoint by checkpoint; what happens goes into the lesson's
event log, so that a client may leave, come back, or send the same request again. What a dead process left half-done,
the next turn finishes first; a lesson whose checkpoint is gone goes on from the records.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import uuid4
from weakref import WeakValueDictionary

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, StateSnapshot
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.json_types import JsonObject
from maththera.korean.morphemes import prewarm
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.agents.question_answers import open_answers
from maththera.lessons.content import LessonContent
from maththera.lessons.graph import build
from maththera.lessons.lesson_events import LessonEvents
from maththera.lessons.lesson_recovery import state_from_records
from maththera.lessons.lesson_requests import NewLesson
from maththera.lessons.state import SPEAKER, Inbox, LessonState, TutorState, initial_state, public_state, turns
from maththera.lessons.turn_context import LessonContext, OpenTasks, no_open_answers
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.event_log import BEGINNING, Event, EventLog
from maththera.runtime.leases import lease
from maththera.runtime.tracing import span
from maththera.runtime.turns import EventWriter, body_digest, failures_told, require_same_body
from maththera.store.access.authorization import Role
from maththera.store.database import StoreUnavailable
from maththera.store.lessons import Lesson, LessonBegin, LessonRecords, UnknownLesson
from maththera.store.review_queue import Reviews
from maththera.words.answer_protection.open_answers import OpenAnswer
from maththera.words.danger.message_safety import MessageSafety, Place, SafetyResult, Sender
from maththera.words.output_gate.sentence_checks import GateFault

logger = logging.getLogger(__name__)

LEASE_SECONDS: Final = 3.0
"""What a turn may take beside its drafts; the lease of a process that died keeps the learner waiting so long."""

_FOLLOWED_SECONDS: Final = 60.0
"""No turn takes so long; what is not told by then was lost with Redis."""

_LESSONS_LOOKED_AT: Final = 20
"""The newest of a student, for open questions."""
_WAITING: Final = ("learner",)
_TRIES: Final = 3
_CODES: Final[Mapping[type[Exception], str]] = {
    UnknownLesson: "not_found",  # erased meanwhile
    StoreUnavailable: "store_unavailable",
    RedisError: "store_unavailable",
    Exception: "internal",
}


class LessonNotFound(LookupError):
    """There is no such lesson."""


class WrongStage(Exception):
    """The lesson is not at the point for what was sent."""


class InvalidLesson(ValueError):
    """A field says something that cannot be; `loc` is its path in the request's body."""

    def __init__(self, loc: str, msg: str) -> None:
        super().__init__(f"{loc}: {msg}")
        self.loc, self.msg = loc, msg


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """A request that was taken. `told`: None for one that was finished before; its events are in the lesson's log."""

    lesson_id: str
    request_id: str
    told: LessonEvents | None

    @property
    def replayed(self) -> bool:
        return self.told is None


class LessonService:
    """Every method may raise StoreUnavailable. Without Redis a lesson goes on from the records; only a turn in whose
    middle Redis goes away has to be sent again."""

    def __init__(  # noqa: PLR0913 - what it teaches, who writes drafts, and where it is kept
        self,
        content: LessonContent,
        safety: MessageSafety,
        records: LessonRecords,
        reviews: Reviews,
        redis: Redis,
        log: EventLog,
        writer: DraftWriter,
        open_tasks: OpenTasks = no_open_answers,
    ) -> None:
        """`writer` without models: the courses' own texts are said. `open_tasks`: a student's tasks elsewhere, whose
        answers no lesson tells."""
        self._open_tasks = open_tasks
        self._content, self._safety, self._records, self._reviews = content, safety, records, reviews
        self._redis, self._log, self._writer = redis, log, EventWriter(log)
        graph = build(content, safety, writer)
        self._graph = graph.compile(RedisSaver(redis), name="lesson")
        self._passing = InMemorySaver()
        self._without_redis = graph.compile(self._passing, name="lesson")
        self._lease_seconds = LEASE_SECONDS + (writer.rules.seconds if writer.models else 0)
        self._turns: set[asyncio.Task[None]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def aclose(self) -> None:
        """Waits for the turns under way."""
        await asyncio.gather(*self._turns, return_exceptions=True)

    # --- begin and look -------------------------------------------------------------------------------------------

    async def create(self, wanted: NewLesson) -> tuple[str, TutorState]:
        """A lesson that has said its welcome. InvalidLesson for a course or a chapter that is not there."""
        course_id = wanted.course or self._content.config.default_course
        course = self._content.courses.get(course_id)
        if course is None:
            raise InvalidLesson("body.course", f"there are {', '.join(self._content.courses)}")
        chapter = wanted.chapter or next(iter(course.chapters))
        if chapter not in course.chapters:
            raise InvalidLesson("body.chapter", f"the course has {len(course.chapters)} chapters")
        prewarm()  # before any store is asked, as nothing else of this process runs meanwhile
        lesson_id = uuid4().hex
        begin = LessonBegin(user_id=wanted.user_id, user_type=wanted.user_type, chapter=chapter)
        await self._records.create(Lesson(lesson_id, wanted.student_id, course_id, begin))
        state = initial_state(lesson_id=lesson_id, course=course_id, now=_now(), **begin)
        try:
            return lesson_id, public_state(await self._begun(state))
        except RedisError:
            return lesson_id, public_state(await self._placed(state))

    async def unfinished(self, wanted: NewLesson) -> tuple[str, TutorState] | None:
        """The lesson of this kind that the learner began last, unless it has come to its end."""
        course_id = wanted.course or self._content.config.default_course
        lesson = await self._records.newest(wanted.student_id, course_id, wanted.user_type)
        if lesson is None or course_id not in self._content.courses:
            return None
        state = await self._standing(lesson.lesson_id)
        return None if state["finished"] else (lesson.lesson_id, public_state(state))

    async def owner(self, lesson_id: str) -> str:
        """The student a lesson belongs to. LessonNotFound."""
        owner = await self._records.owner(lesson_id)
        if owner is None:
            raise LessonNotFound(lesson_id)
        return owner

    async def state(self, lesson_id: str) -> TutorState:
        """As it stands. LessonNotFound."""
        return public_state(await self._standing(lesson_id))

    async def open_answers(self, student_id: str) -> list[OpenAnswer]:
        """What the open questions of the student's lessons ask for."""
        found: list[OpenAnswer] = []
        for lesson_id in await self._records.of_student(student_id, _LESSONS_LOOKED_AT):
            state = await self._last_state(lesson_id)
            is_open = state is not None and state["course"] in self._content.courses and state["question_open"]
            question = self._content.asked_question(state) if state is not None and is_open else None
            if question is not None:
                found += open_answers(question)
        return found

    # --- a turn ---------------------------------------------------------------------------------------------------

    async def begin(self, lesson_id: str, inbox: Inbox, role: Role = "student") -> LessonTurn:
        """Takes what the learner sent, or who has this `role`; it is worked on even if nobody follows. WrongStage,
        LessonNotFound, LeaseTimeout, RequestIdReused."""
        prewarm()
        taken: asyncio.Future[LessonTurn] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._work(lesson_id, inbox, role, taken), name=f"lesson {lesson_id}")
        self._turns.add(task)
        task.add_done_callback(self._turns.discard)
        return await taken

    async def heard(self, lesson_id: str, inbox: Inbox, role: Role, student_id: str | None) -> SafetyResult:
        """What is answered to danger where no turn can be taken, because a store is down."""
        place = Place("lesson", lesson_id)
        return await self._safety.check_message(inbox["text"], Sender(role, student_id), place, inbox["request_id"])

    async def events(self, turn: LessonTurn, last_id: str | None = None) -> AsyncGenerator[tuple[str, Event], None]:
        """What happens in a turn from its beginning, or after `last_id`, to `final` or `error`."""
        after = BEGINNING if last_id is None else last_id
        told = self._log.watch(turn.lesson_id, after) if turn.told is None else turn.told.events(after)
        until = time.monotonic() + _FOLLOWED_SECONDS
        async with aclosing(told) as events:
            while True:
                try:
                    async with asyncio.timeout(until - time.monotonic()):
                        after, event = await anext(events)
                except StopAsyncIteration:  # its end was heard before
                    return
                except TimeoutError:
                    event = {"type": "error", "code": "lost", "request_id": turn.request_id}
                if event.get("request_id") != turn.request_id or (turn.replayed and event["type"] == "error"):
                    continue
                yield after, event
                if event["type"] in ("final", "error"):
                    return

    async def _work(self, lesson_id: str, inbox: Inbox, role: Role, taken: asyncio.Future[LessonTurn]) -> None:
        try:
            with span("lesson.turn", lesson_id=lesson_id, kind=inbox["kind"]):
                try:
                    async with lease(self._redis, lesson_id, seconds=self._lease_seconds):
                        await self._turn(lesson_id, inbox, role, taken)
                except RedisError:
                    if taken.done():
                        raise
                    async with self._alone(lesson_id):
                        await self._turn(lesson_id, inbox, role, taken, alone=True)
        except BaseException as error:
            if not taken.done():
                taken.set_exception(error)
                return
            logger.exception("lesson %s", lesson_id)
            if not isinstance(error, Exception):
                raise

    async def _turn(
        self, lesson_id: str, inbox: Inbox, role: Role, taken: asyncio.Future[LessonTurn], *, alone: bool = False
    ) -> None:
        """`alone`: without Redis, on what the records have; the next turn that finds it brings it up to date."""
        request_id = inbox["request_id"]
        writer, after = (None, BEGINNING) if alone else (self._writer, await self._log.last_id(lesson_id))
        told = LessonEvents(lesson_id, request_id, self._content.config.agents, writer, after)
        state = await (self._placed(await self._recorded(lesson_id)) if alone else self._settled(lesson_id, told))
        if (earlier := state["requests"].get(request_id)) is None:
            self._check(state, inbox)
        else:
            require_same_body(earlier, body_digest(inbox))
            if not alone and await self._ended(lesson_id, request_id):
                taken.set_result(LessonTurn(lesson_id, request_id, None))
                return
        taken.set_result(LessonTurn(lesson_id, request_id, told))
        with failures_told(f"lesson {lesson_id}", _CODES, lambda code: told.emit({"type": "error", "code": code})):
            for _ in range(_TRIES):  # what a dead process had taken of another request comes first
                if request_id in state["requests"]:
                    break
                state = await self._run(
                    state, Command(resume=inbox), told, role, self._without_redis if alone else None
                )
            # The state is on record before the turn is said to be done.
            first = await self._records.keep(lesson_id, turns(state), {**state})
            if alone and not first and earlier is None:
                raise StoreUnavailable(TimeoutError("another process has taken the turn meanwhile"))
            told.emit({"type": "final", "state": public_state(state)})
        if writer is not None and not (await writer.settled() or await writer.settled()):
            writer.drop(lesson_id)

    async def _run(
        self,
        state: LessonState,
        what: Command[Any] | None,
        told: LessonEvents,
        role: Role = "student",
        graph: Any = None,
    ) -> LessonState:
        """Runs the graph from `state` until it waits or ends, and tells what happens. A turn that may complete the
        session is checked in step by step, another one whole."""
        completing = what is None or state["session_progress_stage"] == "quiz_and_feedback_completed"
        stream = (graph or self._graph).astream(
            what,
            _config(state["lesson_id"]),
            context=self._context(state["lesson_id"], role),
            stream_mode=["updates", "custom"],
            durability="sync" if completing else "exit",
        )
        after: JsonObject = {**state}
        async for mode, chunk in stream:
            found = cast("JsonObject", chunk)
            if mode == "custom":
                told.changed({"current_agent": SPEAKER})  # ahead of its first word
                told.emit(found)
                continue
            for update in found.values():
                if isinstance(update, dict):
                    after.update(update)
                    told.changed(update)
        return cast("LessonState", after)

    async def _settled(self, lesson_id: str, told: LessonEvents | None = None) -> LessonState:
        """The lesson at a point where it waits: what was left half-done is finished, what is lost is rebuilt."""
        config = _config(lesson_id)
        found = await self._graph.aget_state(config)
        if not found.values or turns(found.values) < (await self._records.turn(lesson_id) or 0):
            return await self._begun(await self._recorded(lesson_id))
        state = cast("LessonState", found.values)
        if state["course"] not in self._content.courses:
            raise LessonNotFound(lesson_id)
        if _is_waiting(found):
            return state
        logger.info("lesson %s goes on at %s", lesson_id, ", ".join(task.name for task in found.tasks))
        if told is not None:
            await self._run(state, None, told)
            return cast("LessonState", (await self._graph.aget_state(config)).values)
        return cast("LessonState", await self._graph.ainvoke(None, config, context=self._context(lesson_id)))

    async def _begun(self, state: LessonState) -> LessonState:
        """The first checkpoint of a lesson, with its welcome said, or one of where it stood."""
        config, context = _config(state["lesson_id"]), self._context(state["lesson_id"])
        return _lesson_state(await self._graph.ainvoke(state, config, context=context, durability="exit"))

    # --- without Redis --------------------------------------------------------------------------------------------

    async def _recorded(self, lesson_id: str) -> LessonState:
        """Where the lesson stands by the records: after its last turn, or at the beginning of a session. LessonNotFound
        for one that is not there."""
        lesson = await self._lesson(lesson_id)
        if (state := await self._records.state(lesson_id)) is not None:
            return cast("LessonState", state)
        return state_from_records(self._content, lesson, await self._records.sessions(lesson_id), _now())

    async def _standing(self, lesson_id: str) -> LessonState:
        try:
            async with lease(self._redis, lesson_id, seconds=self._lease_seconds):
                return await self._settled(lesson_id)
        except RedisError:
            async with self._alone(lesson_id):
                return await self._placed(await self._recorded(lesson_id))

    async def _last_state(self, lesson_id: str) -> LessonState | None:
        try:
            found = (await self._graph.aget_state(_config(lesson_id))).values or None
        except RedisError:
            found = await self._records.state(lesson_id)
        return cast("LessonState | None", found)

    @asynccontextmanager
    async def _alone(self, lesson_id: str) -> AsyncIterator[None]:
        """Of this process; another one may take the same turn, and the records decide whose counts."""
        async with self._locks.setdefault(lesson_id, asyncio.Lock()):
            try:
                yield
            finally:
                await self._passing.adelete_thread(lesson_id)

    async def _placed(self, state: LessonState) -> LessonState:
        """A lesson in this process, at the point where it waits."""
        config, context = _config(state["lesson_id"]), self._context(state["lesson_id"])
        return _lesson_state(await self._without_redis.ainvoke(state, config, context=context))

    async def _ended(self, lesson_id: str, request_id: str) -> bool:
        """Whether the log has the end of a request."""
        last_id = BEGINNING
        while page := await self._log.after(lesson_id, last_id):
            if any(one["type"] == "final" and one.get("request_id") == request_id for _, one in page):
                return True
            last_id = page[-1][0]
        return False

    async def _lesson(self, lesson_id: str) -> Lesson:
        lesson = await self._records.find(lesson_id)
        if lesson is None or lesson.course not in self._content.courses:
            raise LessonNotFound(lesson_id)
        return lesson

    def _check(self, state: LessonState, inbox: Inbox) -> None:
        if state["finished"]:
            raise WrongStage("the lesson has come to its end")
        answers = inbox["kind"] != "message" and not state["question_open"]
        if answers and self._safety.door.read(inbox["text"]).danger is None:
            raise WrongStage("no question is open now")

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

        return LessonContext(save=self._records.complete, role=role, reject=reject, open_answers=self._elsewhere)

    async def _elsewhere(self, lesson_id: str) -> list[OpenAnswer]:
        return await self._open_tasks(await self.owner(lesson_id))


def _is_waiting(found: StateSnapshot) -> bool:
    """Whether the lesson waits for its learner or is over. A task of a dead process that had finished, but for the
    checkpoint behind it, is not among the next ones any more, and still a task."""
    return not found.tasks or (found.next == _WAITING and len(found.tasks) == 1)


def _lesson_state(found: Mapping[str, Any]) -> LessonState:
    """Without what LangGraph adds, such as the question that it waits with."""
    return cast("LessonState", {name: value for name, value in found.items() if name in LessonState.__annotations__})


def _config(lesson_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": lesson_id}}


def _now() -> str:
    return datetime.now(UTC).isoformat()
