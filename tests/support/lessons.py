"""Lessons to play: a course of three chapters, learners who know the key, and the whole service on real stores."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast
from uuid import uuid4

from langgraph.checkpoint.memory import MemorySaver
from langgraph.types import Command

from maththera.config_files import ConfigFile
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.config import load_lesson_config, load_messages
from maththera.lessons.content import CONFIG, COURSES, MESSAGES, LessonContent
from maththera.lessons.courses.course import CHAPTER, Chapter, Course, MultipleChoice, Question, UserType
from maththera.lessons.courses.course_files import load_head
from maththera.lessons.courses.tasks import LETTERS, Answer, Order, Task, Writing
from maththera.lessons.graph import build
from maththera.lessons.lesson_requests import LessonMessage, NewLesson
from maththera.lessons.service import LessonService
from maththera.lessons.state import LessonState, TutorState, initial_state
from maththera.lessons.turn_context import LessonContext
from maththera.llm.model_client import Models
from maththera.runtime.event_log import EventLog
from maththera.runtime.redis_client import open_redis
from maththera.settings import home
from maththera.store.database import Database
from maththera.store.lesson_sessions import CompletedSession
from maththera.store.lessons import LessonRecords
from maththera.store.review_queue import Reviews
from maththera.words.answer_protection.open_answers import OpenAnswers
from maththera.words.output_gate.text_gate import load_gate
from tests.support.words import door, safety

_NOW: Final = "2026-11-22T00:00:00+00:00"
COURSE: Final = "arithmetic"
CHAPTERS: Final = 3


@cache
def chapter() -> Chapter:
    """The first chapter that is shipped, which stands for all others here."""
    return ConfigFile.read(home() / COURSES / COURSE / "chapter_01.yaml").parse(CHAPTER)


@cache
def content() -> LessonContent:
    config = load_lesson_config(home() / CONFIG)
    head = load_head(home() / COURSES / COURSE)
    numbers = range(1, CHAPTERS + 1)
    chapters = {
        number: chapter().model_copy(update={"chapter": number, "title": f"{number}장", "name": None})
        for number in numbers
    }
    courses = {COURSE: Course(head, chapters)}
    messages = load_messages(home() / MESSAGES)
    return LessonContent(config, door().wishes, courses, OpenAnswers.load(home()), messages)


def question_of(number: int) -> Question:
    return chapter().question(number)


def right(question: Question) -> str:
    """The right choice, or the right answer to the task."""
    if isinstance(question, MultipleChoice):
        return question.key.text
    return question.task.model if isinstance(question.task, Writing) else _typed(question.task, question.task.right)


def wrong(question: Question) -> str:
    """An answer that is none of the right ones, and still one."""
    if isinstance(question, MultipleChoice):
        return next(choice.text for choice in question.choices if not choice.key)
    task = question.task
    if isinstance(task, Writing):
        return "하늘이 파랗고 바람이 붑니다."
    if not task.options:
        return str(task.right[0] + 1)
    if isinstance(task, Order):
        return _typed(task, (*task.right[1:], task.right[0]))
    return _typed(task, tuple((place + 1) % len(texts) for place, texts in zip(task.right, task.options, strict=True)))


def _typed(task: Task, answer: Answer) -> str:
    """As a learner types it: a number, "2", "3 1 2" or "나 가"."""
    if not task.options:
        return str(answer[0])
    names = LETTERS if task.letters else "123456789"
    return " ".join(names[place] for place in answer)


def answers(question: Question, *, well: bool) -> list[str]:
    """All that is answered to a question: behind a wrong try there is another, a task has an explanation behind it, and
    who did not find it goes on."""
    tries = [right(question)] if well else [wrong(question)] * 2
    if isinstance(question, MultipleChoice):
        return tries
    return [*tries, question.model_answer if well else "다음"]


class Play:
    """The graph alone; `updates` are (node, what it wrote) of all turns."""

    def __init__(
        self,
        user_type: UserType = "beginner",
        models: Models | None = None,
        *,
        held: LessonContent | None = None,
        chapter: int = 1,
    ) -> None:
        rules = content().config.models
        writer = DraftWriter(models, rules, load_gate(home()))
        self._graph = build(held or content(), safety(None), writer).compile(MemorySaver())
        self._config: Any = {"configurable": {"thread_id": "lesson"}}
        self._first = initial_state(
            lesson_id="lesson", user_id=1, user_type=user_type, course=COURSE, chapter=chapter, now=_NOW
        )
        self.updates: list[tuple[str, dict[str, Any]]] = []
        self.said: list[dict[str, Any]] = []
        self.saved: list[CompletedSession] = []

    async def begin(self) -> LessonState:
        return await self._run(self._first)

    async def send(self, *sent: Any) -> LessonState:
        """The state after the last of them."""
        for each in sent:
            state = await self._run(Command(resume=each))
        return state

    async def answer(self, *, well: bool) -> LessonState:
        number = (await self._graph.aget_state(self._config)).values["current_question_number"]
        question = question_of(number)
        return await self.send(*({"kind": "answer", "text": text} for text in answers(question, well=well)))

    async def listen(self) -> LessonState:
        """From the start of a session to the end of its explanation, whose checks are skipped."""
        state = await self.send("시작")
        while state["session_progress_stage"] == "session_start":
            state = await self.send("다음")
        return state

    async def to_question(self) -> LessonState:
        """From the start of a session to its open question."""
        await self.listen()
        return await self.send("다음")

    async def session(self, *, well: bool) -> LessonState:
        await self.to_question()
        await self.answer(well=well)
        return await self.send("다음")

    async def chapter(self) -> LessonState:
        """A chapter that is passed."""
        for _ in range(content().config.sessions.right):
            state = await self.session(well=True)
        return state

    async def _run(self, what: Any) -> LessonState:
        self.said = []
        context = LessonContext(save=self._save)
        stream = self._graph.astream(what, self._config, context=context, stream_mode=["updates", "custom"])
        async for mode, chunk in stream:
            found = cast("dict[str, Any]", chunk)
            if mode == "custom":
                self.said.append(found)
                continue
            self.updates += [(node, update) for node, update in found.items() if isinstance(update, dict)]
        return cast("LessonState", (await self._graph.aget_state(self._config)).values)

    async def _save(self, session: CompletedSession, _: str) -> str:
        self.saved.append(session)
        return session.session_id

    def shown(self, kind: str) -> Any:
        """What the last event of this kind showed."""
        return [one[kind] for one in self.said if one["type"] == kind][-1]

    def text(self) -> str:
        return "".join(one["text"] for one in self.said if one["type"] == "token")


@dataclass
class Stand:
    """`service` on stores; `records` is what it leaves."""

    service: LessonService
    records: LessonRecords
    database: Database


@asynccontextmanager
async def stand(redis_url: str, database_url: str, models: Models | None = None) -> AsyncIterator[Stand]:
    """A worker's service; the tables are there already."""
    database, redis = Database(database_url), open_redis(redis_url)
    async with EventLog(redis) as log:
        records = LessonRecords(database)
        writer = DraftWriter(models, content().config.models, load_gate(home()))
        service = LessonService(content(), safety(database), records, Reviews(database), redis, log, writer)
        try:
            yield Stand(service, records, database)
        finally:
            await service.aclose()
    await redis.aclose()
    await database.close()


class Learner:
    """One learner in one lesson, who waits for each turn to end."""

    def __init__(self, service: LessonService, lesson_id: str, state: TutorState) -> None:
        self.service, self.lesson_id, self.state = service, lesson_id, state
        self.events: list[dict[str, Any]] = []

    @classmethod
    async def begin(cls, service: LessonService, user_id: int | str = 1, **more: Any) -> "Learner":
        wanted = NewLesson(user_id=user_id, **{"user_type": "beginner", **more})
        return cls(service, *await service.create(wanted))

    @property
    def question(self) -> Question:
        return chapter().question(self.state["current_question_number"])

    async def say(self, message: str) -> TutorState:
        return await self.send(message=message)

    async def answer(self, answer: str | int) -> TutorState:
        return await self.send(answer=answer)

    async def send(self, **said: Any) -> TutorState:
        """One turn; its events are left in `events`."""
        inbox = LessonMessage(**{"request_id": uuid4().hex, **said}).inbox()
        turn = await self.service.begin(self.lesson_id, inbox)
        self.events = [event async for _, event in self.service.events(turn)]
        assert self.events[-1]["type"] == "final", self.events[-1]
        self.state = self.events[-1]["state"]
        return self.state

    async def listen(self) -> TutorState:
        """From the start of a session to the end of its explanation, whose checks are skipped."""
        state = await self.say("시작")
        while state["session_progress_stage"] == "session_start":
            state = await self.say("다음")
        return state

    async def to_question(self) -> TutorState:
        """From the start of a session to its open question."""
        await self.listen()
        return await self.say("다음")

    async def session(self, *, well: bool = True) -> TutorState:
        """A whole session, to the start of the next."""
        await self.to_question()
        for text in answers(self.question, well=well):
            await self.answer(text)
        return await self.say("다음")
