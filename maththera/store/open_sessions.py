"""Sessions that have not ended: the problems that wait in them, and those that were left alone.

The answer to a waiting problem must not be told anywhere else.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.database import Database
from maththera.store.tutoring_sessions import sessions, turns


async def open_problems(database: Database, student_id: str) -> list[str]:
    """Problem ids of all sessions that have not ended, the newest session first: of each the task that it shows, and an
    original problem that comes back after it. Raises StoreUnavailable."""
    last = (
        select(sessions.c.session_id, func.max(turns.c.turn).label("turn"))
        .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
        .where(sessions.c.student_id == student_id, sessions.c.ended_at.is_(None))
        .group_by(sessions.c.session_id)
        .subquery()
    )
    answered = (turns.c.session_id == last.c.session_id) & (turns.c.turn == last.c.turn)
    query = (
        select(last.c.turn, sessions.c.open_problems, turns.c.open_problems)
        .join(sessions, sessions.c.session_id == last.c.session_id)
        .join(turns, answered, isouter=True)
        .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
    )

    async def read(connection: AsyncConnection) -> list[str]:
        rows = await connection.execute(query)
        return [one for turn, begun, later in rows for one in (begun if turn is None else later) or ()]

    return list(dict.fromkeys(await database.run(read)))


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
        select(sessions.c.session_id, sessions.c.created_at, func.coalesce(func.max(turns.c.turn), 0))
        .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
        .where(sessions.c.ended_at.is_(None), sessions.c.created_at < before)
        .group_by(sessions.c.session_id, sessions.c.created_at)
        .having(func.coalesce(func.max(turns.c.created_at), sessions.c.created_at) < before)
        .order_by(sessions.c.created_at, sessions.c.session_id)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(sessions.c.created_at, sessions.c.session_id) > (after.created_at, after.session_id))

    async def read(connection: AsyncConnection) -> list[IdleSession]:
        return [IdleSession(*row) for row in await connection.execute(query)]

    return await database.run(read)
