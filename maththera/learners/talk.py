"""Whether anybody talks with this service in sentences, beside answering problems."""

from typing import Final

from sqlalchemy import exists, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.tables_chat import threads
from maththera.learners.tables_lessons import lessons

_ANY: Final = select(or_(exists(select(threads.c.thread_id)), exists(select(lessons.c.lesson_id))))


async def anyone_talks(database: Database) -> bool:
    """True once there was a conversation or a lesson."""

    async def read(connection: AsyncConnection) -> bool:
        return bool(await connection.scalar(_ANY))

    return await database.run(read)
