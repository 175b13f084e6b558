"""Which reports were made, of whom, over which days. The PDF itself lies in the data directory under its id."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import CursorResult, Row, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.known import still_known
from maththera.learners.tables import report_students
from maththera.learners.tables import reports as report_table


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report. `since` and `until` are the first and the last day, ISO dates of Korean time."""

    report_id: str
    kind: str
    title: str
    student_ids: list[str]
    since: str
    until: str
    pages: int
    created_at: datetime


class ReportRecords:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(  # noqa: PLR0913 - the columns, keyword-only
        self,
        report_id: str,
        *,
        kind: str,
        title: str,
        student_ids: Sequence[str],
        since: str,
        until: str,
        pages: int,
        told: Collection[str] = (),
    ) -> None:
        """Records a report; the same id again is the same report. `told`: the children of whose records it tells. Of
        one that has been erased since these were read, nothing is recorded."""
        insert = INSERT[self._database.dialect]
        row = {"report_id": report_id, "kind": kind, "title": title, "student_ids": [*student_ids],
               "since": since, "until": until, "pages": pages}  # fmt: skip
        students = [{"report_id": report_id, "student_id": student_id} for student_id in dict.fromkeys(student_ids)]

        async def write(connection: AsyncConnection) -> None:
            if not await still_known(connection, told):
                return
            await connection.execute(insert(report_table).values(**row).on_conflict_do_nothing())
            await connection.execute(insert(report_students).on_conflict_do_nothing(), students)

        await self._database.transaction(write)

    async def find(self, report_id: str) -> ReportRow | None:
        """The report, or None."""
        found = await self._rows(select(report_table).where(report_table.c.report_id == report_id))
        return ReportRow(**found[0]._mapping) if found else None

    async def of_student(self, student_id: str, limit: int) -> list[ReportRow]:
        """The reports that speak of this child, the newest first."""
        query = (
            select(report_table)
            .join(report_students, report_students.c.report_id == report_table.c.report_id)
            .where(report_students.c.student_id == student_id)
            .order_by(report_table.c.created_at.desc(), report_table.c.report_id)
            .limit(limit)
        )
        return [ReportRow(**row._mapping) for row in await self._rows(query)]

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            found: CursorResult[Any] = await connection.execute(query)
            return found.all()

        return await self._database.run(read)
