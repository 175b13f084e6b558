"""The list of all children with records."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import exists, func, or_, select, union

from maththera.store.access.access_tokens import tokens
from maththera.store.database import Store
from maththera.store.personal_data.data_inventory import PERSONAL_TABLES, json_contains_id
from maththera.store.tutoring_sessions import sessions


@dataclass(frozen=True, slots=True)
class Student:
    """A child, with the number of its sessions and the beginning of the last."""

    student_id: str
    sessions: int
    last_session_at: datetime | None


_NAMED: Final = union(
    *(
        select(personal.table.c.student_id).where(personal.table.c.student_id.is_not(None))
        for personal in PERSONAL_TABLES
        if "student_id" in personal.table.c
    )
).subquery()


class StudentRoster(Store):
    async def known(self, student_id: str) -> bool:
        """True if there is anything of this child that an erasure would remove, including tokens."""
        kept = [select(one.table).where(one.rows(student_id)) for one in PERSONAL_TABLES if not one.cascades]
        kept.append(select(tokens).where(json_contains_id(tokens.c.subject, student_id)))
        ((found,),) = await self._database.report(select(or_(*map(exists, kept))))
        return bool(found)

    async def page(self, after: str, limit: int) -> list[Student]:
        """Children with records, in the order of their ids, after the id `after`."""
        query = select(_NAMED.c.student_id).where(_NAMED.c.student_id > after)
        found = await self._database.report(query.order_by(_NAMED.c.student_id).limit(limit))
        return await self.by_ids([row.student_id for row in found])

    async def by_ids(self, student_ids: Collection[str]) -> list[Student]:
        """One for each id, in the order given."""
        query = (
            select(sessions.c.student_id, func.count().label("count"), func.max(sessions.c.created_at).label("last"))
            .where(sessions.c.student_id.in_(student_ids))
            .group_by(sessions.c.student_id)
        )
        begun = {row.student_id: (row.count, row.last) for row in await self._database.report(query)}
        return [Student(student_id, *begun.get(student_id, (0, None))) for student_id in student_ids]
