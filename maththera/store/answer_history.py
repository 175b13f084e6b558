"""The answers of children, for reports, tools and the coach: one `Answer` for each turn, the oldest first."""

from bisect import insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, String, bindparam, func, or_, select

from maththera.arithmetic.problem import problem_from_id
from maththera.store.access.access_tokens import is_live, tokens
from maththera.store.database import Database, Store
from maththera.store.learned_procedures import ProcedureRecords
from maththera.store.lesson_sessions import lesson_quizzes, lesson_sessions
from maththera.store.task_observations import task_observations
from maththera.store.tutoring_sessions import sessions, turns

LESSON: Final = "lesson"

RECENT_SESSIONS: Final = 30
"""About six weeks of daily practice. What was weak before that may have been learned since."""

_FACTS: Final = ("session_id", "turn", "created_at", "problem_id", "kind", "c_level", "w", "correct",
                 "pattern", "rt_ms", "input_kind", "cause_tag", "confidence")  # fmt: skip
_DETAILS: Final = (
    turns.c.event["answer"], turns.c.event["training_id"].as_string(), turns.c.event["task_id"].as_string(),
    turns.c.learner["evidence"], turns.c.learner["together"],
)  # fmt: skip
"""Taken out by the database: to read whole JSON texts takes most of the time of a long history."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn as it was recorded; None for an unknown fact. `given`: the number that was answered. `correct` is None for
    turns without an answer: time-outs, trainings, the end of a session. `evidence`: what the turn said about skills,
    each with the fields of `Evidence` in order; None where that was not recorded. `training_id`: of a training.
    `together`: the causes that were stated with this one because nothing told them apart. `told_cause`: the cause that
    an adult's observation named after the answer. `learned`: the learned procedures that the session knew."""

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
    evidence: list[list[Any]] | None = None
    training_id: str | None = None
    together: tuple[str, ...] = ()
    told_cause: str | None = None
    learned: tuple[str, ...] = ()

    @property
    def attempted(self) -> bool:
        """Whether a task was answered, or left without an answer: no training, no step of an example, no end."""
        return self.correct is not None or self.pattern == "no_response"

    @property
    def stated_cause(self) -> str | None:
        """The cause, if it is certain enough to be shown."""
        return self.cause_tag if self.confidence == "high" else self.told_cause


@dataclass(frozen=True, slots=True)
class PlayedSession:
    session_id: str
    created_at: datetime
    ended_at: datetime | None


class AnswerHistory(Store):
    async def answers(
        self, student_id: str, since: datetime | None = None, until: datetime | None = None
    ) -> list[Answer]:
        """The child's answers within [since, until)."""
        found = await self.answers_of([student_id], since, until)
        return found[student_id]

    async def answers_of(
        self, student_ids: Collection[str], since: datetime | None = None, until: datetime | None = None
    ) -> dict[str, list[Answer]]:
        """Student id → answers, for each of these children. Questions of lessons that are problems of the ladder count
        as answers of the kind LESSON."""
        columns = [turns.c[name] for name in _FACTS]
        query = (
            select(sessions.c.student_id, *columns, *_DETAILS)
            .join(sessions, sessions.c.session_id == turns.c.session_id)
            .where(sessions.c.student_id.in_(student_ids))
            .order_by(turns.c.created_at, turns.c.session_id, turns.c.turn)
        )
        if since is not None:
            query = query.where(turns.c.created_at >= since)
        if until is not None:
            query = query.where(turns.c.created_at < until)
        found: dict[str, list[Answer]] = {student_id: [] for student_id in student_ids}
        told, learned = await self._told(student_ids), await self._learned(student_ids)
        for row in await self._database.report(query):
            values: tuple[Any, ...] = tuple(row)
            student_id, *facts, given, training_id, task_id, evidence, together = values
            answer = Answer(
                **dict(zip(_FACTS, facts, strict=True)),
                given=given,
                evidence=evidence,
                training_id=training_id,
                together=tuple((together or {}).get(row.cause_tag, ())),
                told_cause=told.get((row.session_id, task_id)),
                learned=learned.get(row.session_id, ()),
            )
            found[student_id].append(answer)
        for student_id, answer in await self._in_lessons(student_ids, since, until):
            insort(found[student_id], answer, key=_time_order)
        return found

    async def versions(self, student_ids: Collection[str]) -> dict[str, str]:
        """Student id → a text that changes whenever `answers_of` finds other answers, for each of these children."""
        own, seen, quiz = sessions.c, task_observations.c, lesson_quizzes.c
        played = (
            select(
                own.student_id,
                func.count(turns.c.turn),
                func.count(own.session_id.distinct()),
                func.max(own.created_at),
            )
            .join(turns, turns.c.session_id == own.session_id, isouter=True)
            .where(own.student_id.in_(student_ids))
            .group_by(own.student_id)
        )
        observed = (
            select(own.student_id, func.count(), func.max(seen.created_at))
            .join(sessions, own.session_id == seen.session_id)
            .where(own.student_id.in_(student_ids))
            .group_by(own.student_id)
        )
        learnt = select(quiz.student_id, func.count()).where(quiz.student_id.in_(student_ids)).group_by(quiz.student_id)
        procedures = (await ProcedureRecords(self._database).version()).version
        every = [await self._database.report(query) for query in (played, observed, learnt)]
        counted = [{row[0]: row[1:] for row in rows} for rows in every]
        return {one: str([procedures, *(figures.get(one) for figures in counted)]) for one in student_ids}

    async def _told(self, student_ids: Collection[str]) -> dict[tuple[str, str | None], str]:
        """Session and task → the cause that an adult's observation named after the answer."""
        seen = task_observations.c
        query = (
            select(seen.session_id, seen.task_id, seen.cause_tag)
            .join(sessions, sessions.c.session_id == seen.session_id)
            .where(sessions.c.student_id.in_(student_ids), seen.cause_tag.is_not(None))
            .order_by(seen.created_at.desc(), seen.tag.desc())
        )
        return {(row.session_id, row.task_id): row.cause_tag for row in await self._database.report(query)}

    async def _learned(self, student_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Session → the learned procedures that it knew; of sessions that knew any."""
        procedures = ProcedureRecords(self._database)
        if not (await procedures.version()).version:
            return {}
        names = sessions.c.start[("learned", "names")]
        query = select(sessions.c.session_id, names.label("names")).where(sessions.c.student_id.in_(student_ids))
        found = {row.session_id: row.names for row in await self._database.report(query) if row.names}
        known = await procedures.learn({name for own in found.values() for name in own})
        return {session: tuple(name for name in own if name in known) for session, own in found.items()}

    async def _in_lessons(
        self, student_ids: Collection[str], since: datetime | None, until: datetime | None
    ) -> list[tuple[str, Answer]]:
        """Leaves out right answers after a hint: they do not show what the child knows."""
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
        return [(row.student_id, _lesson_answer(row)) for row in await self._database.report(query)]

    async def sessions(self, student_id: str, limit: int, before: str | None = None) -> list[PlayedSession]:
        """The child's last sessions, the newest first; those older than the session `before`."""
        query = (
            select(sessions.c.session_id, sessions.c.created_at, sessions.c.ended_at)
            .where(sessions.c.student_id == student_id)
            .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
            .limit(limit)
        )
        if before is not None:
            # Compared as stored: SQLite's times are texts, and a parameter has more digits.
            began = select(sessions.c.created_at).where(sessions.c.session_id == before).scalar_subquery()
            as_late = (sessions.c.created_at == began) & (sessions.c.session_id > before)
            query = query.where((sessions.c.created_at < began) | as_late)
        return [PlayedSession(**row._mapping) for row in await self._database.report(query)]

    async def classmates(self, student_id: str) -> list[str]:
        """The child, and all children of the teachers who teach it."""
        query = select(tokens.c.subject).where(tokens.c.role == "teacher", is_live())
        classes = [row.subject for row in await self._database.report(query) if student_id in row.subject]
        return sorted({student_id, *(name for names in classes for name in names)})


async def recent_answers(history: AnswerHistory, student_id: str) -> list[Answer]:
    """The turns of the child's last sessions, and lessons of the same time, the oldest first. A child without sessions
    has all its lessons here. Raises StoreUnavailable.

    The coach reads no other answers of a child; `records_version` changes with them.
    """
    played = await history.sessions(student_id, RECENT_SESSIONS)
    return await history.answers(student_id, since=earliest_start(played))


def earliest_start(played: Sequence[PlayedSession]) -> datetime | None:
    """When the first of these sessions began."""
    return min((one.created_at for one in played), default=None)


_STUDENT: Final = bindparam("student_id", type_=String)
_VERSION: Final = (
    select(
        func.count(turns.c.turn),
        func.count(sessions.c.session_id.distinct()),
        func.max(sessions.c.created_at),
        select(func.count()).where(lesson_quizzes.c.student_id == _STUDENT).scalar_subquery(),
    )
    .select_from(sessions)
    .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
    .where(sessions.c.student_id == _STUDENT)
)
"""Answered from the indexes alone."""


async def records_version(database: Database, student_id: str) -> str:
    """A text that changes with each answer, session and completed lesson session of the child, and with its erasure.
    Turns are only ever added, so their count is enough. Raises StoreUnavailable."""
    (row,) = await database.rows(_VERSION, {"student_id": student_id})
    return "-".join(map(str, row))


def _time_order(answer: Answer) -> tuple[datetime, str, int]:
    return answer.created_at, answer.session_id, answer.turn


def _lesson_answer(row: Row[Any]) -> Answer:
    """A choice among four. Its time was not measured, so it is neither fluent nor slow."""
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
