"""Locks that keep what is computed from a child's records apart from an erasure of that child."""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.lessons import lessons
from maththera.store.tutoring_sessions import sessions


async def lock_existing_students(connection: AsyncConnection, student_ids: Collection[str]) -> bool:
    """True if all of these have sessions or lessons; none of them can be erased before the transaction ends. Otherwise
    something computed from a child's records could be stored after the child was erased."""
    found: set[str] = set()
    for table in (sessions, lessons):
        query = select(table.c.student_id).where(table.c.student_id.in_(student_ids))
        found.update(await connection.scalars(query.with_for_update(read=True, key_share=True)))
    return found.issuperset(student_ids)


async def lock_for_erasure(connection: AsyncConnection, student_id: str) -> None:
    """Waits for transactions that hold `lock_existing_students` of this child; later ones wait for this transaction."""
    for table in (sessions, lessons):
        await connection.execute(select(table.c.student_id).where(table.c.student_id == student_id).with_for_update())
