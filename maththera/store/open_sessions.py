"""Tutoring sessions that have not ended: the problems in them that wait for an answer, which must not be told in any
other room, and the sessions that were left alone."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, func, select, tuple_

from maththera.store.database import Database
from maththera.store.tutoring_sessions import sessions, turns

_LAST: Final = (
    select(sessions.c.session_id, func.max(turns.c.turn).label("turn"))
    .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
    .where(sessions.c.student_id == bindparam("student_id"), sessions.c.ended_at.is_(None))
    .group_by(sessions.c.session_id)
    .subquery()
)
_OPEN_PROBLEMS: Final = (
    select(_LAST.c.turn, sessions.c.open_problems.label("begun"), turns.c.open_problems.label("later"))
    .join(sessions, sessions.c.session_id == _LAST.c.session_id)
    .join(turns, (turns.c.session_id == _LAST.c.session_id) & (turns.c.turn == _LAST.c.turn), isouter=True)
    .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
)


async def open_problems(database: Database, student_id: str) -> list[str]:
    """Problem ids of all sessions that have not ended, the newest session first: of each the task that it shows, and an
    original problem that comes back after it. Raises StoreUnavailable."""
    rows = await database.rows(_OPEN_PROBLEMS, {"student_id": student_id})
    waiting = (row.begun if row.turn is None else row.later for row in rows)
    return list(dict.fromkeys(one for each in waiting for one in each or ()))


@dataclass(frozen=True, slots=True)
class IdleSession:
    """`turn`: the number of its last turn, 0 before the first."""

    session_id: str
    created_at: datetime
    turn: int


async def idle_sessions(
    database: Database, before: datetime, limit: int, after: IdleSession | None = None
) -> list[IdleSession]:
    """Sessions that have not ended and had no turn since `before`, the oldest first, from `after` on. Raises
    StoreUnavailable."""
    query = (
        select(sessions.c.session_id, sessions.c.created_at, func.coalesce(func.max(turns.c.turn), 0).label("turn"))
        .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
        .where(sessions.c.ended_at.is_(None), sessions.c.created_at < before)
        .group_by(sessions.c.session_id, sessions.c.created_at)
        .having(func.coalesce(func.max(turns.c.created_at), sessions.c.created_at) < before)
        .order_by(sessions.c.created_at, sessions.c.session_id)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(sessions.c.created_at, sessions.c.session_id) > (after.created_at, after.session_id))
    return [IdleSession(**row._mapping) for row in await database.rows(query)]
