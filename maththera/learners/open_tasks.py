"""The task a child sees right now: its right answer must not be told elsewhere."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.tables import sessions, turns


async def open_problem(database: Database, student_id: str) -> str | None:
    """The problem id of the task that the child's last session shows, None where that has ended.

    The first task of a session is known only from its first turn on. Raises StoreUnavailable.
    """
    last = (
        select(sessions.c.session_id, sessions.c.ended_at)
        .where(sessions.c.student_id == student_id)
        .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
        .limit(1)
        .subquery()
    )
    query = (
        select(turns.c.response)
        .join(last, last.c.session_id == turns.c.session_id)
        .where(last.c.ended_at.is_(None))
        .order_by(turns.c.turn.desc())
        .limit(1)
    )

    async def read(connection: AsyncConnection) -> dict[str, object] | None:
        return (await connection.execute(query)).scalar_one_or_none()

    response = await database.run(read)
    match response:
        case {"task": {"problem": {"problem_id": str(problem_id)}}}:
            return problem_id
    return None
