"""Lessons: to which learner each belongs, its state after the last turn, and its completed sessions."""

from collections.abc import Awaitable, Collection
from dataclasses import asdict, dataclass
from typing import Final, Literal

from sqlalchemy import JSON, Column, Index, Integer, String, Table, select, update
from sqlalchemy.exc import IntegrityError
from typing_extensions import TypedDict

from maththera.json_types import JsonObject
from maththera.store.database import Database, Store, foreign_key_missing
from maththera.store.lesson_sessions import (
    ChapterSession,
    ChapterStatistics,
    CompletedSession,
    graded_sessions,
    insert_session,
    lesson_sessions,
    session_from_row,
    sessions_of_lesson,
)
from maththera.store.owner_cache import OwnerCache
from maththera.store.schema import INSERT_BY_DIALECT, metadata, time_column

lessons: Final = Table(
    "lessons",
    metadata,
    Column("lesson_id", String, primary_key=True),
    Column("student_id", String, nullable=False),
    Column("course", String, nullable=False),
    Column("begin", JSON, nullable=False),
    # The state after so many turns. Redis has it too, and may lose it.
    Column("turn", Integer, nullable=False, server_default="0"),
    Column("state", JSON(none_as_null=True)),
    time_column(),
    Index("lessons_of_student", "student_id", "created_at"),
)


class UnknownLesson(LookupError):
    """The lesson does not exist, or was erased."""


class LessonBegin(TypedDict):
    """The choices that a lesson was begun with."""

    user_id: int | str
    user_type: Literal["beginner", "advanced"]
    chapter: int


@dataclass(frozen=True, slots=True)
class Lesson:
    lesson_id: str
    student_id: str
    course: str
    begin: LessonBegin


_LESSON: Final = tuple(lessons.c[name] for name in Lesson.__annotations__)


class LessonRecords(Store):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._owners = OwnerCache(self._read_owner)

    async def create(self, lesson: Lesson) -> None:
        """Idempotent, as lesson ids are never used twice."""
        statement = INSERT_BY_DIALECT[self._database.dialect](lessons).values(**asdict(lesson))
        await self._database.execute(statement.on_conflict_do_nothing())

    async def find(self, lesson_id: str) -> Lesson | None:
        found = await self._database.rows(select(*_LESSON).where(lessons.c.lesson_id == lesson_id))
        return Lesson(**found[0]._mapping) if found else None

    async def owner(self, lesson_id: str) -> str | None:
        """The learner of a lesson; None for an unknown lesson. Cached."""
        return await self._owners.find(lesson_id)

    async def keep(self, lesson_id: str, turn: int, state: JsonObject) -> bool:
        """Saves the state after this turn (from 1); False if that turn is on record already. UnknownLesson if the
        lesson was erased."""
        this = lessons.c.lesson_id == lesson_id
        statement = update(lessons).where(this, lessons.c.turn < turn).values(turn=turn, state=state)
        changed = await self._database.execute(statement)
        if not changed.rowcount and await self.turn(lesson_id) is None:
            raise UnknownLesson(lesson_id)
        return bool(changed.rowcount)

    async def turn(self, lesson_id: str) -> int | None:
        """The number of the last turn on record, 0 before the first; None for an unknown lesson."""
        return await self._database.value(select(lessons.c.turn).where(lessons.c.lesson_id == lesson_id))

    async def state(self, lesson_id: str) -> JsonObject | None:
        """The state after the last turn; None before the first."""
        return await self._database.value(select(lessons.c.state).where(lessons.c.lesson_id == lesson_id))

    async def of_student(self, student_id: str, limit: int) -> list[str]:
        """The ids of the learner's last lessons, the newest first."""
        query = select(lessons.c.lesson_id).where(lessons.c.student_id == student_id)
        query = query.order_by(lessons.c.created_at.desc(), lessons.c.lesson_id).limit(limit)
        return [row.lesson_id for row in await self._database.rows(query)]

    async def newest(self, student_id: str, course: str, user_type: str) -> Lesson | None:
        """The last lesson of this kind that the learner began."""
        query = (
            select(*_LESSON)
            .where(lessons.c.student_id == student_id, lessons.c.course == course)
            .where(lessons.c.begin["user_type"].as_string() == user_type)
            .order_by(lessons.c.created_at.desc())
            .limit(1)
        )
        found = await self._database.rows(query)
        return Lesson(**found[0]._mapping) if found else None

    async def complete(self, session: CompletedSession, course: str) -> str:
        """Records a session with its question and adds it to the statistics, all in one transaction. Idempotent.
        Returns the id it is recorded under, which differs from its own if that one is taken. UnknownLesson if the
        lesson was erased."""

        def attempt() -> Awaitable[str]:
            return self._database.transaction(lambda connection: insert_session(connection, session, course))

        try:
            return await attempt()
        except IntegrityError as error:
            if foreign_key_missing(error):
                raise UnknownLesson(session.lesson_id) from error
            return await attempt()  # another process recorded it a moment earlier

    async def sessions(self, lesson_id: str) -> list[CompletedSession]:
        """The completed sessions of a lesson, in order."""
        return [session_from_row(row) for row in await self._database.rows(sessions_of_lesson(lesson_id))]

    async def judged(self, student_id: str, limit: int, before: str | None = None) -> list[JsonObject]:
        """The learner's completed sessions with their course, question and who graded the answer, the newest first;
        those older than the session `before`. Conversations are left out."""
        query = graded_sessions(student_id, limit, before)
        query = query.add_columns(lessons.c.course).join(lessons, lessons.c.lesson_id == lesson_sessions.c.lesson_id)
        rows = await self._database.rows(query)
        return [{"course": row.course} | {str(name): value for name, value in row._mapping.items()} for row in rows]

    async def chapter_sessions(self, student_ids: Collection[str]) -> dict[str, list[ChapterSession]]:
        """Student id → completed sessions, the oldest first, for each of these children."""
        own = lesson_sessions.c
        query = (
            select(own.student_id, lessons.c.course, own.chapter, own.session_end_time, own.decision)
            .join(lessons, lessons.c.lesson_id == own.lesson_id)
            .where(own.student_id.in_(student_ids))
            .order_by(own.session_end_time, own.session_id)
        )
        found: dict[str, list[ChapterSession]] = {student_id: [] for student_id in student_ids}
        for row in await self._database.report(query):
            session = ChapterSession(row.course, row.chapter, row.session_end_time, row.decision == "proceed")
            found[row.student_id].append(session)
        return found

    async def statistics(self, student_id: str, course: str | None = None) -> list[ChapterStatistics]:
        """Of each chapter with a completed session, by course and chapter."""
        query = select(ChapterStatistics).where(ChapterStatistics.student_id == student_id)
        if course is not None:
            query = query.where(ChapterStatistics.course == course)
        query = query.order_by(ChapterStatistics.course, ChapterStatistics.chapter)
        return [ChapterStatistics.from_row(row) for row in await self._database.rows(query)]

    async def _read_owner(self, lesson_id: str) -> str | None:
        return await self._database.value(select(lessons.c.student_id).where(lessons.c.lesson_id == lesson_id))
