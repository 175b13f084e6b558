"""Reports that were made: of which children, over which days. The PDF is in the data directory, named by its id."""

import secrets
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Column, ColumnElement, ForeignKey, Index, String, Table, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Record, metadata, utc_now
from maththera.store.student_locks import lock_existing_students


class ReportRow(Record):
    """A report. `since` and `until` are the first and the last day, ISO dates of Korean time."""

    __tablename__ = "reports"

    report_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    title: Mapped[str]
    student_ids: Mapped[list[str]]
    since: Mapped[str]
    until: Mapped[str]
    pages: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now())


report_students: Final = Table(
    "report_students",
    metadata,
    Column("report_id", String, ForeignKey("reports.report_id", ondelete="CASCADE"), primary_key=True),
    Column("student_id", String, primary_key=True),
    Index("reports_of_student", "student_id"),
)


class ReportLinkRow(Record):
    """A link that opens a report until `expires_at`, and when it last did. One that was ended has no row."""

    __tablename__ = "report_links"

    link_id: Mapped[str] = mapped_column(primary_key=True)
    report_id: Mapped[str] = mapped_column(ForeignKey("reports.report_id", ondelete="CASCADE"), index=True)
    made_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    opened_at: Mapped[datetime | None]

    @classmethod
    def is_live(cls) -> ColumnElement[bool]:
        return cls.expires_at > datetime.now(UTC)


class ReportRecords(Store):
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
        """Records a report; saving the same id again changes nothing. `told`: the children whose records it was made
        from. If one of them has been erased meanwhile, nothing is recorded."""
        insert = INSERT_BY_DIALECT[self._database.dialect]
        row = {"report_id": report_id, "kind": kind, "title": title, "student_ids": [*student_ids],
               "since": since, "until": until, "pages": pages}  # fmt: skip
        students = [{"report_id": report_id, "student_id": student_id} for student_id in dict.fromkeys(student_ids)]

        async def write(connection: AsyncConnection) -> None:
            if not await lock_existing_students(connection, told):
                return
            await connection.execute(insert(ReportRow).values(**row).on_conflict_do_nothing())
            await connection.execute(insert(report_students).on_conflict_do_nothing(), students)

        await self._database.transaction(write)

    async def find(self, report_id: str) -> ReportRow | None:
        found = await self._database.rows(select(ReportRow).where(ReportRow.report_id == report_id))
        return ReportRow.from_row(found[0]) if found else None

    async def of_student(self, student_id: str, limit: int) -> list[ReportRow]:
        """The reports about this child, the newest first."""
        query = (
            select(ReportRow)
            .join(report_students, report_students.c.report_id == ReportRow.report_id)
            .where(report_students.c.student_id == student_id)
            .order_by(ReportRow.created_at.desc(), ReportRow.report_id)
            .limit(limit)
        )
        return [ReportRow.from_row(row) for row in await self._database.rows(query)]

    async def add_link(self, report_id: str, lifetime: timedelta) -> ReportLinkRow | None:
        """A new link to this report; None if there is no such report. Links that have expired are forgotten with it."""
        now = datetime.now(UTC)
        link = ReportLinkRow(secrets.token_hex(8), report_id, made_at=now, expires_at=now + lifetime, opened_at=None)
        add = INSERT_BY_DIALECT[self._database.dialect](ReportLinkRow).values(link.values()).on_conflict_do_nothing()

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(delete(ReportLinkRow).where(ReportLinkRow.expires_at <= now))
            await connection.execute(add)

        try:
            await self._database.transaction(write)
        except IntegrityError:  # the report is being erased
            return None
        return link

    async def links(self, report_ids: Collection[str]) -> list[ReportLinkRow]:
        """The links that open these reports now, the newest first."""
        query = select(ReportLinkRow).where(ReportLinkRow.report_id.in_(report_ids), ReportLinkRow.is_live())
        rows = await self._database.rows(query.order_by(ReportLinkRow.made_at.desc(), ReportLinkRow.link_id))
        return [ReportLinkRow.from_row(row) for row in rows]

    async def open_link(self, report_id: str, link_id: str) -> bool:
        """Whether this link opens this report now; that it was opened is noted."""
        own = (ReportLinkRow.link_id == link_id, ReportLinkRow.report_id == report_id, ReportLinkRow.is_live())
        done = await self._database.execute(update(ReportLinkRow).where(*own).values(opened_at=datetime.now(UTC)))
        return bool(done.rowcount)

    async def end_link(self, report_id: str, link_id: str) -> bool:
        """True if there was such a link."""
        own = (ReportLinkRow.link_id == link_id, ReportLinkRow.report_id == report_id)
        return bool((await self._database.execute(delete(ReportLinkRow).where(*own))).rowcount)
