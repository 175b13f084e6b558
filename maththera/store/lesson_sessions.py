"""Completed learning sessions of lessons, each with its question, and the statistics that they add up to.

The statements and reads here are carried out by `lessons.LessonRecords`.
"""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    Index,
    Integer,
    Row,
    Select,
    String,
    Table,
    Text,
    UniqueConstraint,
    case,
    insert,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.json_types import JsonObject
from maththera.store.schema import INSERT_BY_DIALECT, Record, Utc, metadata

_STAMP: Final = "%Y%m%d_%H%M%S"
_MULTIPLE_CHOICE: Final = "multiple_choice"

lesson_sessions: Final = Table(
    "lesson_sessions",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("lesson_id", String, ForeignKey("lessons.lesson_id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("student_id", String, nullable=False),
    Column("chapter", Integer, nullable=False),
    Column("session_count", Integer, nullable=False),
    Column("decision", String, nullable=False),
    Column("session_start_time", Utc, nullable=False),
    Column("session_end_time", Utc, nullable=False),
    Column("conversations", JSON, nullable=False),
    UniqueConstraint("lesson_id", "number", name="lesson_sessions_number"),
    Index("lesson_sessions_of_student", "student_id", "session_end_time"),
)

lesson_quizzes: Final = Table(
    "lesson_quizzes",
    metadata,
    Column("session_id", String, ForeignKey("lesson_sessions.session_id", ondelete="CASCADE"), primary_key=True),
    Column("student_id", String, nullable=False),
    Column("chapter", Integer, nullable=False),
    Column("question_number", Integer, nullable=False),
    Column("question_type", String, nullable=False),
    Column("is_correct", Integer, nullable=False),
    Column("graded_by", String),
    Column("rule_score", Integer),
    Column("hint_count", Integer, nullable=False),
    Column("problem_id", String),
    Column("given", Integer),
    Column("question_content", Text, nullable=False),
    Column("user_answer", Text, nullable=False),
    Column("feedback", Text, nullable=False),
    Index("lesson_quizzes_of_student", "student_id"),
)


@dataclass(frozen=True, slots=True)
class Quiz:
    """The question of a session. `is_correct`: multiple choice 1 or 0, subjective 0..100. `graded_by`: "model" or
    "rules"; `rule_score`: what the rules alone give, as `is_correct`; older sessions have neither. `problem_id` and
    `given`: the problem of the ladder that was asked, if it is one, and the number that was answered."""

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
        """0..100 for both types."""
        return self.is_correct * 100 if self.question_type == _MULTIPLE_CHOICE else self.is_correct


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
    conversations: list[JsonObject]
    quiz: Quiz

    @property
    def seconds(self) -> int:
        return max(0, round((self.session_end_time - self.session_start_time).total_seconds()))


@dataclass(frozen=True, slots=True)
class ChapterSession:
    """A completed session in short. `passed`: the lesson went on to the next chapter."""

    course: str
    chapter: int
    ended_at: datetime
    passed: bool


class ChapterStatistics(Record):
    """A learner's sessions of a chapter, added up; scores are 0..100. `passed_count`: how often the lesson went on to
    the next chapter. `seconds`: of all sessions together."""

    __tablename__ = "lesson_statistics"

    student_id: Mapped[str] = mapped_column(primary_key=True)
    course: Mapped[str] = mapped_column(primary_key=True)
    chapter: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    learning_count: Mapped[int]
    passed_count: Mapped[int]
    score_sum: Mapped[int]
    best_score: Mapped[int]
    last_score: Mapped[int]
    hint_count: Mapped[int]
    seconds: Mapped[int]
    last_at: Mapped[datetime]

    @property
    def mean_score(self) -> float:
        return self.score_sum / self.learning_count


_QUIZ: Final = tuple(Quiz.__annotations__)
_QUIZ_COLUMNS: Final = tuple(lesson_quizzes.c[name] for name in _QUIZ)


def session_id(user_id: int | str, chapter: int, session_count: int, at: datetime) -> str:
    """Such as user123_ch1_session001_20250805_143052."""
    return f"user{user_id}_ch{chapter}_session{session_count:03d}_{at:{_STAMP}}"


async def insert_session(connection: AsyncConnection, session: CompletedSession, course: str) -> str:
    """Inserts a session with its question and adds it to the statistics, unless it is recorded already. Returns its
    id."""
    this = (lesson_sessions.c.lesson_id == session.lesson_id) & (lesson_sessions.c.number == session.number)
    recorded: str | None = await connection.scalar(select(lesson_sessions.c.session_id).where(this))
    if recorded is not None:
        return recorded
    name = await _free_id(connection, session)
    row = {key: value for key, value in asdict(session).items() if key != "quiz"} | {"session_id": name}
    await connection.execute(insert(lesson_sessions), row)
    quiz = {"session_id": name, "student_id": session.student_id, "chapter": session.chapter}
    await connection.execute(insert(lesson_quizzes), quiz | asdict(session.quiz))
    await connection.execute(_statistics_upsert(connection.dialect.name, session, course))
    return name


def sessions_of_lesson(lesson_id: str) -> Select[Any]:
    """The sessions with their questions, in order, as `session_from_row` reads them."""
    return (
        select(lesson_sessions, *_QUIZ_COLUMNS)
        .join(lesson_quizzes, lesson_quizzes.c.session_id == lesson_sessions.c.session_id)
        .where(lesson_sessions.c.lesson_id == lesson_id)
        .order_by(lesson_sessions.c.number)
    )


def session_from_row(row: Row[Any]) -> CompletedSession:
    values = row._mapping
    quiz = Quiz(**{name: values[name] for name in _QUIZ})
    own = {name: values[name] for name in CompletedSession.__annotations__ if name != "quiz"}
    return CompletedSession(**own, quiz=quiz)


def graded_sessions(student_id: str, limit: int, before: str | None) -> Select[Any]:
    """A learner's sessions with their questions, without their conversations, the newest first; those older than the
    session `before`."""
    own = lesson_sessions.c
    columns = (
        own.session_id, own.lesson_id, own.chapter, own.session_count, own.decision, own.session_start_time,
        own.session_end_time, *_QUIZ_COLUMNS,
    )  # fmt: skip
    query = (
        select(*columns)
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
    return query


def _statistics_upsert(dialect: str, session: CompletedSession, course: str) -> Any:
    quiz, own = session.quiz, ChapterStatistics
    sums = {
        "learning_count": 1,
        "passed_count": int(session.decision == "proceed"),
        "score_sum": quiz.score,
        "hint_count": quiz.hint_count,
        "seconds": session.seconds,
    }
    last = {"last_score": quiz.score, "last_at": session.session_end_time}
    key = {"student_id": session.student_id, "course": course, "chapter": session.chapter}
    best = case((own.best_score >= quiz.score, own.best_score), else_=quiz.score)
    added = {name: getattr(own, name) + value for name, value in sums.items()}
    return (
        INSERT_BY_DIALECT[dialect](own)
        .values(**key, **sums, **last, best_score=quiz.score)
        .on_conflict_do_update(index_elements=list(key), set_={**added, **last, "best_score": best})
    )


async def _free_id(connection: AsyncConnection, session: CompletedSession) -> str:
    """The session's id. If another lesson of the learner has completed the same chapter within the same second, its
    time is moved to the next free second."""
    name, at = session.session_id, session.session_end_time
    while await connection.scalar(select(lesson_sessions.c.lesson_id).where(lesson_sessions.c.session_id == name)):
        at += timedelta(seconds=1)
        name = f"{session.session_id[: -len(f'{at:{_STAMP}}')]}{at:{_STAMP}}"
    return name
