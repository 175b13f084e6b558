"""Whether anything has changed in a child's records, without reading them."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.tables import sessions, turns
from maththera.learners.tables_lessons import lesson_quizzes


async def records_version(database: Database, student_id: str) -> str:
    """A text that another answer, another session, a lesson's session and an erasure change. Turns are only ever added,
    so their count tells; it is read from the indexes alone. Raises StoreUnavailable."""
    in_lessons = select(func.count()).where(lesson_quizzes.c.student_id == student_id).scalar_subquery()
    query = (
        select(
            func.count(turns.c.turn),
            func.count(sessions.c.session_id.distinct()),
            func.max(sessions.c.created_at),
            in_lessons,
        )
        .select_from(sessions)
        .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
        .where(sessions.c.student_id == student_id)
    )

    async def read(connection: AsyncConnection) -> str:
        count, played, newest, learnt = (await connection.execute(query)).one()
        return f"{count}-{played}-{newest}-{learnt}"

    return await database.run(read)
