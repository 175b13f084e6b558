"""Answers saved for a download. They are stored in the database until they expire, so no caller names a path."""

import secrets
from datetime import UTC, datetime, timedelta

from sqlalchemy import Index, Text, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.access.authorization import Principal, is_allowed
from maththera.store.database import Store
from maththera.store.schema import Record, utc_now


class SavedFile(Record):
    """`name`: of the download; `student_id`: the learner it is about."""

    __tablename__ = "saved_files"
    __table_args__ = (Index("saved_files_by_expiry", "expires_at"), Index("saved_files_of_student", "student_id"))

    file_id: Mapped[str] = mapped_column(primary_key=True)
    owner_token: Mapped[str]
    student_id: Mapped[str | None]
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now(), default=None, kw_only=True, compare=False)
    expires_at: Mapped[datetime]
    text: Mapped[str] = mapped_column(Text)


class SavedFiles(Store):
    async def save(self, who: Principal, student_id: str | None, name: str, text: str, kept: timedelta) -> SavedFile:
        """Saves a new file of this caller's, and deletes all expired files."""
        now = datetime.now(UTC)
        made = SavedFile(secrets.token_hex(16), who.token_id, student_id, name, now + kept, text)

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(delete(SavedFile).where(SavedFile.expires_at <= now))
            await connection.execute(insert(SavedFile), made.values())

        await self._database.transaction(write)
        return made

    async def find(self, who: Principal, file_id: str) -> SavedFile | None:
        """The file, if it is the caller's and has not expired. None also if it is about a learner whom the caller may
        not read any more."""
        own = (SavedFile.file_id == file_id, SavedFile.owner_token == who.token_id)
        live = SavedFile.expires_at > datetime.now(UTC)
        found = [SavedFile.from_row(row) for row in await self._database.rows(select(SavedFile).where(*own, live))]
        open_to_caller = (one for one in found if one.student_id is None or is_allowed(who, "read", one.student_id))
        return next(open_to_caller, None)
