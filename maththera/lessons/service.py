"""Lessons from outside: begin, say something, follow what happens, look.

A turn runs in a task of its own under the lesson's lock, checkpoint by checkpoint; what happens goes into the lesson's
event log, so that a client may leave, come back, or send the same request again. What a dead process left half-done,
the next turn finishes first; a lesson whose checkpoint is gone goes on from the records.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.korean.morphemes import prewarm
from maththera.learners.access import Role
from maththera.learners.database import StoreUnavailable
from maththera.learners.lessons import Lesson, LessonRecords, UnknownLesson
from maththera.learners.reviews import Reviews
from maththera.lessons.content import LessonContent
from maththera.lessons.context import LessonContext, OpenTasks, nothing_open
from maththera.lessons.events import NewLesson
from maththera.lessons.graph import build
from maththera.lessons.questions import open_answer
from maththera.lessons.rebuilding import rebuilt
from maththera.lessons.state import SPEAKER, Inbox, LessonState, TutorState, first_state, shown
from maththera.lessons.telling import Teller
from maththera.lessons.writing import Writer
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.events import Event, EventLog
from maththera.runtime.locks import thread_lock
from maththera.runtime.tracing import span
from maththera.words.open_answers import OpenAnswer
from maththera.words.safety import Heard, Place, Safety, Sender
from maththera.words.sentence_checks import Held

logger = logging.getLogger(__name__)

LOCK_SECONDS: Final = 3.0
"""What a turn may take beside its drafts; the lock of a process that died keeps the learner waiting so long."""

_FOLLOWED_SECONDS: Final = 60.0
"""No turn takes so long; what is not told by then was lost with Redis."""

_OWNERS_KEPT: Final = 10_000
_LESSONS_LOOKED_AT: Final = 20
"""The newest of a student, for open questions."""
_WAITING: Final = ("learner",)
_BEGINNING: Final = "0-0"
_TRIES: Final = 3


class LessonNotFound(LookupError):
    """There is no such lesson."""


class NotNow(Exception):
    """The lesson is not at the point for what was sent."""


class BadLesson(ValueError):
    """A field says something that cannot be; `loc` is its path in the request's body."""

    def __init__(self, loc: str, msg: str) -> None:
        super().__init__(f"{loc}: {msg}")
        self.loc, self.msg = loc, msg


@dataclass(frozen=True, slots=True)
class Turn:
    """A request that was taken. Its events come `after` this id of the lesson's log. `replayed`: it was finished
    before."""

    lesson_id: str
    request_id: str
    after: str
    replayed: bool


class LessonService:
    """Every method may raise RedisError and StoreUnavailable."""

    def __init__(  # noqa: PLR0913 - what it teaches, who writes drafts, and where it is kept
        self,
        content: LessonContent,
        safety: Safety,
        records: LessonRecords,
        reviews: Reviews,
        redis: Redis,
        log: EventLog,
        writer: Writer,
        open_tasks: OpenTasks = nothing_open,
    ) -> None:
        """`writer` without models: the courses' own texts are said. `open_tasks`: a student's tasks elsewhere, whose
        answers no lesson tells."""
        self._open_tasks = open_tasks
        self._content, self._safety, self._records, self._reviews = content, safety, records, reviews
        self._redis, self._log = redis, log
        self._graph = build(content, safety, writer).compile(RedisSaver(redis), name="lesson")
        self._lock_seconds = LOCK_SECONDS + (writer.rules.seconds if writer.models else 0)
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._turns: set[asyncio.Task[None]] = set()

    async def aclose(self) -> None:
        """Waits for the turns under way."""
        await asyncio.gather(*self._turns, return_exceptions=True)

    # --- begin and look -------------------------------------------------------------------------------------------

    async def create(self, wanted: NewLesson) -> tuple[str, TutorState]:
        """A lesson that has said its welcome. BadLesson for a course or a chapter that is not there."""
        course_id = wanted.course or self._content.config.default_course
        course = self._content.courses.get(course_id)
        if course is None:
            raise BadLesson("body.course", f"there are {', '.join(self._content.courses)}")
        chapter = wanted.chapter or next(iter(course.chapters))
        if chapter not in course.chapters:
            raise BadLesson("body.chapter", f"the course has {len(course.chapters)} chapters")
        prewarm()  # before any store is asked, as nothing else of this process runs meanwhile
        lesson_id = uuid4().hex
        begin = {"user_id": wanted.user_id, "user_type": wanted.user_type, "chapter": chapter}
        await self._records.create(Lesson(lesson_id, wanted.student_id, course_id, begin))
        state = first_state(lesson_id=lesson_id, course=course_id, now=_now(), **begin)  # type: ignore[arg-type]
        return lesson_id, shown(await self._begun(state))

    async def unfinished(self, wanted: NewLesson) -> tuple[str, TutorState] | None:
        """The lesson of this kind that the learner began last, unless it has come to its end."""
        course_id = wanted.course or self._content.config.default_course
        lesson = await self._records.newest(wanted.student_id, course_id, wanted.user_type)
        if lesson is None or course_id not in self._content.courses:
            return None
        async with thread_lock(self._redis, lesson.lesson_id, ttl=self._lock_seconds):
            state = await self._settled(lesson.lesson_id)
        return None if state["finished"] else (lesson.lesson_id, shown(state))

    async def owner(self, lesson_id: str) -> str:
        """The student a lesson belongs to. LessonNotFound."""
        if (known := self._owners.get(lesson_id)) is not None:
            self._owners.move_to_end(lesson_id)
            return known
        owner = (await self._lesson(lesson_id)).student_id
        self._owners[lesson_id] = owner
        if len(self._owners) > _OWNERS_KEPT:
            self._owners.popitem(last=False)
        return owner

    async def state(self, lesson_id: str) -> TutorState:
        """As it stands. LessonNotFound."""
        found = await self._graph.aget_state(_config(lesson_id))
        if found.values:
            return shown(found.values)
        async with thread_lock(self._redis, lesson_id, ttl=self._lock_seconds):
            return shown(await self._settled(lesson_id))

    async def open_answers(self, student_id: str) -> list[OpenAnswer]:
        """What the open questions of the student's lessons ask for."""
        found: list[OpenAnswer] = []
        for lesson_id in await self._records.of_student(student_id, _LESSONS_LOOKED_AT):
            state = cast("LessonState", (await self._graph.aget_state(_config(lesson_id))).values)
            is_open = state and state["course"] in self._content.courses and state["question_open"]
            question = self._content.asked_question(state) if is_open else None
            if question is not None:
                found.append(open_answer(question))
        return found

    # --- a turn ---------------------------------------------------------------------------------------------------

    async def begin(self, lesson_id: str, inbox: Inbox, role: Role = "student") -> Turn:
        """Takes what the learner sent, or who has this `role`; it is worked on even if nobody follows. NotNow,
        LessonNotFound, LockTimeout."""
        prewarm()
        taken: asyncio.Future[Turn] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._work(lesson_id, inbox, role, taken), name=f"lesson {lesson_id}")
        self._turns.add(task)
        task.add_done_callback(self._turns.discard)
        return await taken

    async def heard(self, lesson_id: str, inbox: Inbox, role: Role, student_id: str | None) -> Heard:
        """What is answered to danger where no turn can be taken, because a store is down."""
        place = Place("lesson", lesson_id)
        return await self._safety.hear(inbox["text"], Sender(role, student_id), place, inbox["request_id"])

    async def events(self, turn: Turn, last_id: str | None = None) -> AsyncGenerator[tuple[str, Event], None]:
        """What happens in a turn from its beginning, or after `last_id`, to `final` or `error`."""
        after = turn.after if last_id is None else last_id
        until = time.monotonic() + _FOLLOWED_SECONDS
        async with aclosing(self._log.watch(turn.lesson_id, after)) as events:
            while True:
                try:
                    async with asyncio.timeout(until - time.monotonic()):
                        after, event = await anext(events)
                except TimeoutError:
                    event = {"type": "error", "code": "lost", "request_id": turn.request_id}
                if event.get("request_id") != turn.request_id or (turn.replayed and event["type"] == "error"):
                    continue
                yield after, event
                if event["type"] in ("final", "error"):
                    return

    async def _work(self, lesson_id: str, inbox: Inbox, role: Role, taken: asyncio.Future[Turn]) -> None:
        try:
            with span("lesson.turn", lesson_id=lesson_id, kind=inbox["kind"]):
                async with thread_lock(self._redis, lesson_id, ttl=self._lock_seconds):
                    await self._turn(lesson_id, inbox, role, taken)
        except BaseException as error:
            if not taken.done():
                taken.set_exception(error)
                return
            logger.exception("lesson %s", lesson_id)
            if not isinstance(error, Exception):
                raise

    async def _turn(self, lesson_id: str, inbox: Inbox, role: Role, taken: asyncio.Future[Turn]) -> None:
        after = await self._log.last_id(lesson_id)
        request_id = inbox["request_id"]
        teller = Teller(self._log, lesson_id, request_id, after, self._content.config.agents)
        state = await self._settled(lesson_id, teller)
        if request_id in state["requests"]:
            told = await self._told(lesson_id, request_id)
            taken.set_result(Turn(lesson_id, request_id, _BEGINNING if told else after, replayed=told))
            if not told:
                await self._finish(teller, state)
            return
        self._check(state, inbox)
        taken.set_result(Turn(lesson_id, request_id, after, replayed=False))
        try:
            for _ in range(_TRIES):  # what a dead process had taken of another request comes first
                state = await self._run(state, Command(resume=inbox), teller, role)
                if request_id in state["requests"]:
                    break
            await self._finish(teller, state)
        except (StoreUnavailable, RedisError) as error:
            logger.warning("lesson %s stopped: %s", lesson_id, error)
            teller.put({"type": "error", "code": "store_unavailable"})
            await teller.told()
        except UnknownLesson:  # erased meanwhile
            teller.put({"type": "error", "code": "not_found"})
            await teller.told()
        except Exception:
            teller.put({"type": "error", "code": "internal"})
            await teller.told()
            raise

    async def _run(
        self, state: LessonState, what: Command[Any] | None, teller: Teller, role: Role = "student"
    ) -> LessonState:
        """Runs the graph from `state` until it waits or ends, and tells what happens. A turn that may complete the
        session is checked in step by step, another one whole."""
        completing = what is None or state["session_progress_stage"] == "quiz_and_feedback_completed"
        stream = self._graph.astream(
            what,
            _config(state["lesson_id"]),
            context=self._context(state["lesson_id"], role),
            stream_mode=["updates", "custom"],
            durability="sync" if completing else "exit",
        )
        after: dict[str, Any] = {**state}
        async for mode, chunk in stream:
            found = cast("dict[str, Any]", chunk)
            if mode == "custom":
                teller.changed({"current_agent": SPEAKER})  # ahead of its first word
                teller.put(found)
                continue
            for update in found.values():
                if isinstance(update, dict):
                    after.update(update)
                    teller.changed(update)
        return cast("LessonState", after)

    async def _settled(self, lesson_id: str, teller: Teller | None = None) -> LessonState:
        """The lesson at a point where it waits: what was left half-done is finished, what is lost is rebuilt."""
        config = _config(lesson_id)
        found = await self._graph.aget_state(config)
        if not found.values:
            lesson = await self._lesson(lesson_id)
            state = rebuilt(self._content, lesson, await self._records.sessions(lesson_id), _now())
            return await self._begun(state)
        state = cast("LessonState", found.values)
        if state["course"] not in self._content.courses:
            raise LessonNotFound(lesson_id)
        if _rests(found):
            return state
        logger.info("lesson %s goes on at %s", lesson_id, ", ".join(task.name for task in found.tasks))
        if teller is not None:
            await self._run(state, None, teller)
            return cast("LessonState", (await self._graph.aget_state(config)).values)
        return cast("LessonState", await self._graph.ainvoke(None, config, context=self._context(lesson_id)))

    async def _begun(self, state: LessonState) -> LessonState:
        """The first checkpoint of a lesson, with its welcome said."""
        config = _config(state["lesson_id"])
        found = await self._graph.ainvoke(state, config, context=self._context(state["lesson_id"]), durability="exit")
        return cast("LessonState", found)

    async def _finish(self, teller: Teller, state: LessonState) -> None:
        teller.put({"type": "final", "state": shown(state)})
        await teller.told()

    async def _told(self, lesson_id: str, request_id: str) -> bool:
        """Whether the log has the end of a request."""
        last_id = _BEGINNING
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
            raise NotNow("the lesson has come to its end")
        answers = inbox["kind"] != "message" and not state["question_open"]
        if answers and self._safety.door.read(inbox["text"]).danger is None:
            raise NotNow("no question is open now")

    def _context(self, lesson_id: str, role: Role = "student") -> LessonContext:
        async def reject(held: Held) -> None:
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


def _rests(found: StateSnapshot) -> bool:
    """Whether the lesson waits for its learner or is over. A task of a dead process that had finished, but for the
    checkpoint behind it, is not among the next ones any more, and still a task."""
    return not found.tasks or (found.next == _WAITING and len(found.tasks) == 1)


def _config(lesson_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": lesson_id}}


def _now() -> str:
    return datetime.now(UTC).isoformat()
