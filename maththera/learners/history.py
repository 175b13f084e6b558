"""What a child has answered, read back for reports and tools: one `Answer` a turn, the oldest first."""

from bisect import insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CursorResult, Row, Select, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.arithmetic.problem import problem_from_id
from maththera.learners.database import Database
from maththera.learners.tables import sessions, tokens, turns, utc_now
from maththera.learners.tables_lessons import lesson_quizzes, lesson_sessions

READ_S: Final = 30.0
"""A report reads every turn of a child, or of a class; it may take longer than a child's own turn."""

LESSON: Final = "lesson"

_FACTS: Final = ("session_id", "turn", "created_at", "problem_id", "kind", "c_level", "w", "correct",
                 "pattern", "rt_ms", "input_kind", "cause_tag", "confidence")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn as it was recorded; None where the fact is not known. `given`: the number that was answered.

    `correct` is None for what is no answer: time-outs, trainings, the end of a session.
    """

    session_id: str
    turn: int
    created_at: datetime
    problem_id: str | None
    kind: str | None
    c_level: int | None
    w: float | None
    correct: bool | None
    pattern: str | None
    rt_ms: int | None
    input_kind: str | None
    cause_tag: str | None
    confidence: str | None
    given: int | None

    @property
    def stated_cause(self) -> str | None:
        """The cause, if it is sure enough to be told anybody."""
        return self.cause_tag if self.confidence == "high" else None


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """A session of a child."""

    session_id: str
    created_at: datetime
    ended_at: datetime | None


class History:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def answers(
        self, student_id: str, since: datetime | None = None, until: datetime | None = None
    ) -> list[Answer]:
        """The child's turns within [since, until)."""
        found = await self.answers_of([student_id], since, until)
        return found[student_id]

    async def answers_of(
        self, student_ids: Collection[str], since: datetime | None = None, until: datetime | None = None
    ) -> dict[str, list[Answer]]:
        """The same for several children at once; each has a list, empty for those without a turn. The calculated
        questions of their lessons are answers as well, of the kind LESSON."""
        columns = [turns.c[name] for name in _FACTS]
        query = (
            select(sessions.c.student_id, *columns, turns.c.event)
            .join(sessions, sessions.c.session_id == turns.c.session_id)
            .where(sessions.c.student_id.in_(student_ids))
            .order_by(turns.c.created_at, turns.c.session_id, turns.c.turn)
        )
        if since is not None:
            query = query.where(turns.c.created_at >= since)
        if until is not None:
            query = query.where(turns.c.created_at < until)
        found: dict[str, list[Answer]] = {student_id: [] for student_id in student_ids}
        for row in await self._rows(query):
            facts = {name: getattr(row, name) for name in _FACTS}
            found[row.student_id].append(Answer(**facts, given=row.event.get("answer")))
        for student_id, answer in await self._in_lessons(student_ids, since, until):
            insort(found[student_id], answer, key=_when)
        return found

    async def _in_lessons(
        self, student_ids: Collection[str], since: datetime | None, until: datetime | None
    ) -> list[tuple[str, Answer]]:
        """Without what was right after a hint: that says nothing of what is known."""
        at = lesson_sessions.c.session_end_time
        quiz = lesson_quizzes.c
        query = (
            select(lesson_quizzes, at)
            .join(lesson_sessions, lesson_sessions.c.session_id == quiz.session_id)
            .where(quiz.student_id.in_(student_ids), quiz.problem_id.is_not(None))
            .where(or_(quiz.hint_count == 0, quiz.is_correct == 0))
        )
        if since is not None:
            query = query.where(at >= since)
        if until is not None:
            query = query.where(at < until)
        return [(row.student_id, _lesson_answer(row)) for row in await self._rows(query)]

    async def sessions(self, student_id: str, limit: int, before: str | None = None) -> list[PlayedSession]:
        """The child's last sessions, or the last that stand behind the session `before`, the newest first."""
        query = (
            select(sessions.c.session_id, sessions.c.created_at, sessions.c.ended_at)
            .where(sessions.c.student_id == student_id)
            .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
            .limit(limit)
        )
        if before is not None:
            # Compared as they are stored: SQLite's times are texts, and a parameter has more digits.
            began = select(sessions.c.created_at).where(sessions.c.session_id == before).scalar_subquery()
            as_late = (sessions.c.created_at == began) & (sessions.c.session_id > before)
            query = query.where((sessions.c.created_at < began) | as_late)
        return [PlayedSession(**row._mapping) for row in await self._rows(query)]

    async def classmates(self, student_id: str) -> list[str]:
        """Everybody in the classes of the teachers who have this child, the child included."""
        live = tokens.c.revoked_at.is_(None) & or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > utc_now())
        query = select(tokens.c.subject).where(tokens.c.role == "teacher", live)
        classes = [row.subject for row in await self._rows(query) if student_id in row.subject]
        return sorted({student_id, *(name for names in classes for name in names)})

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            found: CursorResult[Any] = await connection.execute(query)
            return found.all()

        return await self._database.run(read, deadline=READ_S)


def _when(answer: Answer) -> tuple[datetime, str, int]:
    return answer.created_at, answer.session_id, answer.turn


def _lesson_answer(row: Row[Any]) -> Answer:
    """A choice among four. Nobody measured its time: it is neither fluent nor slow."""
    problem = problem_from_id(row.problem_id)
    return Answer(
        session_id=row.session_id,
        turn=1,
        created_at=row.session_end_time,
        problem_id=row.problem_id,
        kind=LESSON,
        c_level=problem.c_level,
        w=problem.w_total,
        correct=row.is_correct == 1,
        pattern=None,
        rt_ms=None,
        input_kind="tap",
        cause_tag=None,
        confidence=None,
        given=row.given,
    )
