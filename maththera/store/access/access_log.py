"""The access log: who read, exported, changed or erased records of which child or signed in as it, and when. Entries
stay after the child is erased, without its id."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Index, String, insert, select
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.access.authorization import Principal, Role
from maththera.store.database import Database, Store
from maththera.store.schema import Record, utc_now

Access = Literal["read", "export", "consent", "change", "erase", "sign_in", "locked"]
Reader = Role | Literal["link"]
"""The role of a token, or a link that needs no token."""

_SAME_S: Final = 60.0
"""A worker logs reads of one kind of one child once within this time: a page sends many requests."""
_MOST_REMEMBERED: Final = 10_000


class AccessEntry(Record):
    """`student_id` is None after the child was erased. `what`: the kind of record, such as sessions or chat."""

    __tablename__ = "access_log"
    __table_args__ = (Index("access_log_of_student", "student_id", "entry_id"),)

    entry_id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=utc_now())
    access: Mapped[Access] = mapped_column(String)
    what: Mapped[str]
    token_id: Mapped[str]
    role: Mapped[Reader] = mapped_column(String)
    student_id: Mapped[str | None]


class AccessLog(Store):
    """Where an access cannot be logged, the records are not shown."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._written: dict[tuple[str, str, str], float] = {}

    async def add(self, who: Principal, access: Access, what: str, *student_ids: str) -> None:
        """Adds an entry for each of the students."""
        await self._add(who.token_id, who.role, access, what, student_ids)

    async def opened(self, report_id: str, student_ids: Sequence[str]) -> None:
        """Logs that a report was opened by its link, which needs no token: the entry has the report's id instead."""
        await self._add(report_id, "link", "read", "report", student_ids)

    async def signed_in(self, how: Literal["tile", "card"], student_id: str, *, locked: bool = False) -> None:
        """Logs that somebody signed in as this child, or was refused after too many tries."""
        await self._add(how, "student", "locked" if locked else "sign_in", "session", [student_id])

    async def _add(self, token_id: str, role: Reader, access: Access, what: str, student_ids: Sequence[str]) -> None:
        now = time.monotonic()
        keys = [(token_id, what, student_id) for student_id in sorted(student_ids)]
        if access == "read":
            keys = [key for key in keys if now - self._written.get(key, -_SAME_S) >= _SAME_S]
        if not keys:
            return
        own = {"access": access, "what": what, "token_id": token_id, "role": role}
        rows = [{**own, "student_id": student_id} for _, _, student_id in keys]
        await self._database.write(lambda connection: connection.execute(insert(AccessEntry), rows))
        if len(self._written) >= _MOST_REMEMBERED:
            self._written.clear()
        if access == "read":
            self._written |= dict.fromkeys(keys, now)

    async def entries(
        self, student_id: str | None = None, before: int | None = None, limit: int = 100
    ) -> Sequence[AccessEntry]:
        """The newest first; `before`: an entry's id."""
        query = select(AccessEntry)
        if student_id is not None:
            query = query.where(AccessEntry.student_id == student_id)
        if before is not None:
            query = query.where(AccessEntry.entry_id < before)
        rows = await self._database.rows(query.order_by(AccessEntry.entry_id.desc()).limit(limit))
        return [AccessEntry.from_row(row) for row in rows]
