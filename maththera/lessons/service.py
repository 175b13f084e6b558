"""Lessons from outside: begin, say something, follow what happens, look.

A turn has the steps of every turn (`runtime/turns.py`). It is run checkpoint by checkpoint; what a dead process left
half-done, the next turn finishes first.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import uuid4

from langgraph.types import Command
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.korean.morphemes import prewarm
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.agents.question_answers import open_answers
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import Course, UserType
from maththera.lessons.lesson_requests import NewLesson
from maththera.lessons.lesson_states import LessonNotFound, LessonStates
from maththera.lessons.lesson_turn import LessonTurn
from maththera.lessons.state import Inbox, LessonState, Stage, TutorState, initial_state, public_state, turns
from maththera.lessons.turn_context import OpenTasks, no_open_answers
from maththera.runtime.event_log import BEGINNING, Event, EventLog
from maththera.runtime.tracing import span
from maththera.runtime.turns import Turns, body_digest, failures_told, require_same_body
from maththera.store.access.authorization import Role
from maththera.store.database import StoreUnavailable
from maththera.store.lesson_sessions import CompletedSession
from maththera.store.lessons import Lesson, LessonBegin, LessonRecords, UnknownLesson
from maththera.store.review_queue import Reviews
from maththera.words.answer_protection.open_answers import OpenAnswer
from maththera.words.danger.message_safety import MessageSafety, Place, SafetyResult, Sender

_FOLLOWED_SECONDS: Final = 60.0
"""No turn takes so long; what is not told by then was lost with Redis."""

_LESSONS_LOOKED_AT: Final = 20
"""The newest of a student, for open questions."""
_TRIES: Final = 3
_CODES: Final[Mapping[type[Exception], str]] = {
    UnknownLesson: "not_found",  # erased meanwhile
    StoreUnavailable: "store_unavailable",
    RedisError: "store_unavailable",
    Exception: "internal",
}


class WrongStage(Exception):
    """The lesson is not at the point for what was sent."""


class InvalidLesson(ValueError):
    """A field says something that cannot be; `loc` is its path in the request's body."""

    def __init__(self, loc: str, msg: str) -> None:
        super().__init__(f"{loc}: {msg}")
        self.loc, self.msg = loc, msg


@dataclass(frozen=True, slots=True)
class OpenLesson:
    """A lesson that can be gone on with, and where it stands."""

    lesson_id: str
    course: str
    chapter: int
    user_type: UserType
    stage: Stage
    session_count: int


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
        self._content, self._safety, self._records = content, safety, records
        self._log, self._turns = log, Turns(log)
        self._states = LessonStates(content, safety, records, reviews, redis, writer, self._elsewhere)
        self.aclose = self._turns.aclose

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
            return lesson_id, public_state(await self._states.begun(state))
        except RedisError:
            return lesson_id, public_state(await self._states.placed(state))

    async def unfinished(self, wanted: NewLesson) -> tuple[str, TutorState] | None:
        """The lesson of this kind that the learner began last, unless it has come to its end."""
        course_id = wanted.course or self._content.config.default_course
        lesson = await self._records.newest(wanted.student_id, course_id, wanted.user_type)
        if lesson is None or course_id not in self._content.courses:
            return None
        state = await self._states.standing(lesson.lesson_id)
        return None if state["finished"] else (lesson.lesson_id, public_state(state))

    @property
    def courses(self) -> Mapping[str, Course]:
        """All that can be learned, by id."""
        return self._content.courses

    async def open_lessons(self, student_id: str) -> list[OpenLesson]:
        """The student's lessons that have not come to their end, the newest first."""
        found = []
        for lesson_id in await self._records.of_student(student_id, _LESSONS_LOOKED_AT):
            state = await self._states.last(lesson_id)
            if state is None or state["finished"] or not self._content.has_course(state):
                continue
            found.append(OpenLesson(lesson_id, state["course"], state["current_chapter"], state["user_type"],
                                    state["session_progress_stage"], state["current_session_count"]))  # fmt: skip
        return found

    async def transcripts(self, lesson_id: str) -> list[CompletedSession]:
        """The completed sessions of a lesson with all that was said, in order."""
        return await self._records.sessions(lesson_id)

    async def owner(self, lesson_id: str) -> str:
        """The student a lesson belongs to. LessonNotFound."""
        owner = await self._records.owner(lesson_id)
        if owner is None:
            raise LessonNotFound(lesson_id)
        return owner

    async def state(self, lesson_id: str) -> TutorState:
        """As it stands. LessonNotFound."""
        return public_state(await self._states.standing(lesson_id))

    async def open_answers(self, student_id: str) -> list[OpenAnswer]:
        """What the open questions of the student's lessons ask for."""
        found: list[OpenAnswer] = []
        for lesson_id in await self._records.of_student(student_id, _LESSONS_LOOKED_AT):
            state = await self._states.last(lesson_id)
            is_open = state is not None and self._content.has_course(state) and state["question_open"]
            question = self._content.asked_question(state) if state is not None and is_open else None
            if question is not None:
                found += open_answers(question)
        return found

    # --- a turn ---------------------------------------------------------------------------------------------------

    async def begin(self, lesson_id: str, inbox: Inbox, role: Role = "student") -> LessonTurn:
        """Takes what the learner sent, or who has this `role`; it is worked on even if nobody follows. WrongStage,
        LessonNotFound, LeaseTimeout, RequestIdReused."""
        prewarm()
        claimed = self._claimed(lesson_id, inbox)
        return await self._turns.begin(f"lesson {lesson_id}", claimed, lambda turn: self._run(turn, inbox, role))

    async def heard(self, lesson_id: str, inbox: Inbox, role: Role, student_id: str | None) -> SafetyResult:
        """What is answered to danger where no turn can be taken, because a store is down."""
        place = Place("lesson", lesson_id)
        return await self._safety.check_message(inbox["text"], Sender(role, student_id), place, inbox["request_id"])

    async def events(self, turn: LessonTurn, last_id: str | None = None) -> AsyncGenerator[tuple[str, Event], None]:
        """What happens in a turn from its beginning, or after `last_id`, to `final` or `error`."""
        after = BEGINNING if last_id is None else last_id
        told = self._log.watch(turn.lesson_id, after) if turn.replayed else turn.events(after)
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

    @asynccontextmanager
    async def _claimed(self, lesson_id: str, inbox: Inbox) -> AsyncIterator[LessonTurn]:
        with span("lesson.turn", lesson_id=lesson_id, kind=inbox["kind"]):
            async with self._states.claimed(lesson_id, lambda alone: self._opened(lesson_id, inbox, alone)) as turn:
                yield turn

    async def _opened(self, lesson_id: str, inbox: Inbox, alone: bool) -> LessonTurn:
        """`alone`: without Redis, on what the records have; the next turn that finds it brings it up to date."""
        request_id = inbox["request_id"]
        writer, after = (None, BEGINNING) if alone else (self._turns.writer, await self._log.last_id(lesson_id))
        turn = LessonTurn(lesson_id, request_id, self._content.config.agents, writer, after)
        turn.state = await self._states.rebuilt(lesson_id, turn, alone=alone)
        if (earlier := turn.state["requests"].get(request_id)) is None:
            self._check(turn.state, inbox)
        else:
            require_same_body(earlier, body_digest(inbox))
            turn.replayed = not alone and await self._answered(lesson_id, request_id)
        return turn

    async def _run(self, turn: LessonTurn, inbox: Inbox, role: Role) -> None:
        if turn.replayed:
            return
        lesson_id, request_id, state = turn.lesson_id, turn.request_id, turn.state
        known = request_id in state["requests"]
        with failures_told(f"lesson {lesson_id}", _CODES, lambda code: turn.emit({"type": "error", "code": code})):
            for _ in range(_TRIES):  # what a dead process had taken of another request comes first
                if request_id in state["requests"]:
                    break
                state = await self._states.run(turn, state, Command(resume=inbox), role)
            # The state is on record before the turn is said to be done.
            first = await self._records.keep(lesson_id, turns(state), {**state})
            if turn.alone and not first and not known:
                raise StoreUnavailable(TimeoutError("another process has taken the turn meanwhile"))
            turn.emit({"type": "final", "state": public_state(state)})

    async def _answered(self, lesson_id: str, request_id: str) -> bool:
        """Whether the log has the end of a request."""
        last_id = BEGINNING
        while page := await self._log.after(lesson_id, last_id):
            if any(one["type"] == "final" and one.get("request_id") == request_id for _, one in page):
                return True
            last_id = page[-1][0]
        return False

    async def _elsewhere(self, lesson_id: str) -> list[OpenAnswer]:
        return await self._open_tasks(await self.owner(lesson_id))

    def _check(self, state: LessonState, inbox: Inbox) -> None:
        if state["finished"]:
            raise WrongStage("the lesson has come to its end")
        waits = state["question_open"] or self._content.open_turn(state) is not None
        answers = inbox["kind"] != "message" and not waits
        if answers and self._safety.door.read(inbox["text"]).danger is None:
            raise WrongStage("no question is open now")


def _now() -> str:
    return datetime.now(UTC).isoformat()
