"""Which children there are."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CursorResult, Row, Select, exists, func, or_, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.history import READ_S
from maththera.learners.holdings import HOLDINGS, names
from maththera.learners.tables import sessions, tokens


@dataclass(frozen=True, slots=True)
class Student:
    """A child, with how many sessions it has begun and when the last one was."""

    student_id: str
    sessions: int
    last_session_at: datetime | None


_NAMED: Final = union(
    *(
        select(holding.table.c.student_id).where(holding.table.c.student_id.is_not(None))
        for holding in HOLDINGS
        if "student_id" in holding.table.c
    )
).subquery()


class Roster:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, student_id: str) -> bool:
        """Whether anything is kept of this child that erasing would take, a token that stands for it included."""
        kept = [select(one.table).where(one.rows(student_id)) for one in HOLDINGS if not one.cascades]
        kept.append(select(tokens).where(names(tokens.c.subject, student_id)))
        ((found,),) = await self._rows(select(or_(*map(exists, kept))))
        return bool(found)

    async def everybody(self, after: str, limit: int) -> list[Student]:
        """Everyone of whom something is kept, in the order of their ids, from `after` on."""
        query = select(_NAMED.c.student_id).where(_NAMED.c.student_id > after)
        found = await self._rows(query.order_by(_NAMED.c.student_id).limit(limit))
        return await self.these([row.student_id for row in found])

    async def these(self, student_ids: Collection[str]) -> list[Student]:
        """One for each id, in the order given."""
        query = (
            select(sessions.c.student_id, func.count().label("count"), func.max(sessions.c.created_at).label("last"))
            .where(sessions.c.student_id.in_(student_ids))
            .group_by(sessions.c.student_id)
        )
        begun = {row.student_id: (row.count, row.last) for row in await self._rows(query)}
        return [Student(student_id, *begun.get(student_id, (0, None))) for student_id in student_ids]

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            found: CursorResult[Any] = await connection.execute(query)
            return found.all()

        return await self._database.run(read, deadline=READ_S)
