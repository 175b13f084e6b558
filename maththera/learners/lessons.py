"""Lessons on record: each completed session once, with its question, and what they add up to for a learner."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import CursorResult, Row, Select, case, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database, foreign_key_missing
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables_lessons import lesson_quizzes, lesson_sessions, lesson_statistics, lessons

_STAMP: Final = "%Y%m%d_%H%M%S"
_MULTIPLE_CHOICE: Final = "multiple_choice"
_SHOWN: Final = (
    "session_id", "lesson_id", "chapter", "session_count", "decision", "session_start_time", "session_end_time",
)  # fmt: skip


class UnknownLesson(LookupError):
    """The lesson is not (or no longer) on record."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """`begin`: what the lesson was begun with."""

    lesson_id: str
    student_id: str
    course: str
    begin: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Quiz:
    """The question of a session. `is_correct`: multiple choice 1 or 0, subjective 0..100. `graded_by`: "model" or
    "rules"; `rule_score`: what the rules alone give, as `is_correct`; both None in sentences from before they were
    kept. `problem_id` and `given` for a question that is a problem of the ladder."""

    question_number: int
    question_type: str
    is_correct: int
    graded_by: str | None
    rule_score: int | None
    hint_count: int
    problem_id: str | None
    given: int | None
    question_content: str
    user_answer: str
    feedback: str

    @property
    def score(self) -> int:
        """0..100, whatever the type."""
        return self.is_correct * 100 if self.question_type == _MULTIPLE_CHOICE else self.is_correct


_QUIZ: Final = tuple(Quiz.__annotations__)


@dataclass(frozen=True, slots=True)
class CompletedSession:
    """One learning session: explanation, question, feedback. `number` counts those of the lesson from 1,
    `session_count` those of the chapter. `conversations`: items with agent_name, message, timestamp, message_type and
    session_stage."""

    session_id: str
    lesson_id: str
    number: int
    student_id: str
    chapter: int
    session_count: int
    decision: str
    session_start_time: datetime
    session_end_time: datetime
    conversations: list[dict[str, Any]]
    quiz: Quiz

    @property
    def seconds(self) -> int:
        return max(0, round((self.session_end_time - self.session_start_time).total_seconds()))


@dataclass(frozen=True, slots=True)
class ChapterStatistics:
    """What a learner's sessions of a chapter add up to; scores are 0..100. `passed_count`: how often the lesson went on
    from it. `seconds`: of all sessions together."""

    student_id: str
    course: str
    chapter: int
    learning_count: int
    passed_count: int
    score_sum: int
    best_score: int
    last_score: int
    hint_count: int
    seconds: int
    last_at: datetime

    @property
    def mean_score(self) -> float:
        return self.score_sum / self.learning_count


def session_id(user_id: int | str, chapter: int, session_count: int, at: datetime) -> str:
    """ "user123_ch1_session001_20250805_143052"."""
    return f"user{user_id}_ch{chapter}_session{session_count:03d}_{at:{_STAMP}}"


class LessonRecords:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, lesson: Lesson) -> None:
        """Lesson ids are fresh, so it may be said twice."""
        row = asdict(lesson)
        statement = INSERT[self._database.dialect](lessons).values(**row).on_conflict_do_nothing()
        await self._database.write(lambda connection: connection.execute(statement))

    async def find(self, lesson_id: str) -> Lesson | None:
        columns = [lessons.c[name] for name in Lesson.__annotations__]
        found = await self._rows(select(*columns).where(lessons.c.lesson_id == lesson_id))
        return Lesson(**found[0]._mapping) if found else None

    async def of_student(self, student_id: str, limit: int) -> list[str]:
        """The ids of the lessons that the learner began last, the newest first."""
        query = select(lessons.c.lesson_id).where(lessons.c.student_id == student_id)
        found = await self._rows(query.order_by(lessons.c.created_at.desc(), lessons.c.lesson_id).limit(limit))
        return [row.lesson_id for row in found]

    async def newest(self, student_id: str, course: str, user_type: str) -> Lesson | None:
        """The lesson of this kind that the learner began last."""
        columns = [lessons.c[name] for name in Lesson.__annotations__]
        query = (
            select(*columns)
            .where(lessons.c.student_id == student_id, lessons.c.course == course)
            .where(lessons.c.begin["user_type"].as_string() == user_type)
            .order_by(lessons.c.created_at.desc())
            .limit(1)
        )
        found = await self._rows(query)
        return Lesson(**found[0]._mapping) if found else None

    async def complete(self, session: CompletedSession, course: str) -> str:
        """Records a session with its question and adds it to the statistics, in one transaction: wholly, and once,
        however often it is said. Returns the id it is recorded under.

        The id is its own, unless another lesson of the learner has completed the same chapter within the same second:
        then the time in the id is that of the next free second. Raises UnknownLesson for one that has been erased.
        """

        async def work(connection: AsyncConnection) -> str:
            if taken := await _recorded(connection, session):
                return taken
            name = await _free_id(connection, session)
            row = {key: value for key, value in asdict(session).items() if key != "quiz"} | {"session_id": name}
            await connection.execute(insert(lesson_sessions), row)
            quiz = {"session_id": name, "student_id": session.student_id, "chapter": session.chapter}
            await connection.execute(insert(lesson_quizzes), quiz | asdict(session.quiz))
            await connection.execute(self._added(session, course))
            return name

        try:
            return await self._database.transaction(work)
        except IntegrityError as error:
            if foreign_key_missing(error):
                raise UnknownLesson(session.lesson_id) from error
            return await self._database.transaction(work)  # another process was a moment earlier

    async def sessions(self, lesson_id: str) -> list[CompletedSession]:
        """In their order."""
        quiz = [lesson_quizzes.c[name] for name in _QUIZ]
        query = (
            select(lesson_sessions, *quiz)
            .join(lesson_quizzes, lesson_quizzes.c.session_id == lesson_sessions.c.session_id)
            .where(lesson_sessions.c.lesson_id == lesson_id)
            .order_by(lesson_sessions.c.number)
        )
        return [_session(row) for row in await self._rows(query)]

    async def judged(self, student_id: str, limit: int, before: str | None = None) -> list[dict[str, Any]]:
        """The learner's completed sessions with their question and who graded the answer, the newest first, or those
        that stand behind the session `before`. What was said is left out."""
        own = lesson_sessions.c
        columns = [lessons.c.course, *(own[name] for name in _SHOWN), *(lesson_quizzes.c[name] for name in _QUIZ)]
        query = (
            select(*columns)
            .join(lessons, lessons.c.lesson_id == own.lesson_id)
            .join(lesson_quizzes, lesson_quizzes.c.session_id == own.session_id)
            .where(own.student_id == student_id)
            .order_by(own.session_end_time.desc(), own.session_id.desc())
            .limit(limit)
        )
        if before is not None:
            other = lesson_sessions.alias().c
            ended = select(other.session_end_time).where(other.session_id == before).scalar_subquery()
            as_late = (own.session_end_time == ended) & (own.session_id < before)
            query = query.where((own.session_end_time < ended) | as_late)
        return [{str(name): value for name, value in row._mapping.items()} for row in await self._rows(query)]

    async def statistics(self, student_id: str, course: str | None = None) -> list[ChapterStatistics]:
        """Of each chapter that the learner has completed a session of, by course and chapter."""
        query = select(lesson_statistics).where(lesson_statistics.c.student_id == student_id)
        if course is not None:
            query = query.where(lesson_statistics.c.course == course)
        found = await self._rows(query.order_by(lesson_statistics.c.course, lesson_statistics.c.chapter))
        return [ChapterStatistics(**row._mapping) for row in found]

    def _added(self, session: CompletedSession, course: str) -> Any:
        quiz, own = session.quiz, lesson_statistics.c
        row = {
            "student_id": session.student_id,
            "course": course,
            "chapter": session.chapter,
            "learning_count": 1,
            "passed_count": int(session.decision == "proceed"),
            "score_sum": quiz.score,
            "best_score": quiz.score,
            "last_score": quiz.score,
            "hint_count": quiz.hint_count,
            "seconds": session.seconds,
            "last_at": session.session_end_time,
        }
        sums = ("learning_count", "passed_count", "score_sum", "hint_count", "seconds")
        newer = {name: own[name] + row[name] for name in sums} | {
            "best_score": _larger(own.best_score, quiz.score),
            "last_score": quiz.score,
            "last_at": session.session_end_time,
        }
        return (
            INSERT[self._database.dialect](lesson_statistics)
            .values(**row)
            .on_conflict_do_update(index_elements=["student_id", "course", "chapter"], set_=newer)
        )

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        found: CursorResult[Any] = await self._database.run(lambda connection: connection.execute(query))
        return found.all()


def _larger(column: Any, value: int) -> Any:
    return case((column >= value, column), else_=value)


async def _recorded(connection: AsyncConnection, session: CompletedSession) -> str | None:
    """The id under which the session is recorded already."""
    query = select(lesson_sessions.c.session_id).where(
        lesson_sessions.c.lesson_id == session.lesson_id, lesson_sessions.c.number == session.number
    )
    return (await connection.execute(query)).scalar_one_or_none()


async def _free_id(connection: AsyncConnection, session: CompletedSession) -> str:
    name, at = session.session_id, session.session_end_time
    while await connection.scalar(select(lesson_sessions.c.lesson_id).where(lesson_sessions.c.session_id == name)):
        at += timedelta(seconds=1)
        name = f"{session.session_id[: -len(f'{at:{_STAMP}}')]}{at:{_STAMP}}"
    return name


def _session(row: Row[Any]) -> CompletedSession:
    values = row._mapping
    quiz = Quiz(**{name: values[name] for name in _QUIZ})
    own = {name: values[name] for name in CompletedSession.__annotations__ if name != "quiz"}
    return CompletedSession(**own, quiz=quiz)
