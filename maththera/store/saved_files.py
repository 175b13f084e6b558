"""Answers saved for a download. They are stored in the database until they expire, so no caller names a path."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Column, Index, String, Table, Text, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.authorization import Principal, is_allowed
from maththera.store.database import Store
from maththera.store.schema import Utc, metadata, time_column

saved_files: Final = Table(
    "saved_files",
    metadata,
    Column("file_id", String, primary_key=True),
    Column("owner_token", String, nullable=False),
    Column("student_id", String),
    Column("name", String, nullable=False),
    time_column(),
    Column("expires_at", Utc, nullable=False),
    Column("text", Text, nullable=False),
    Index("saved_files_by_expiry", "expires_at"),
    Index("saved_files_of_student", "student_id"),
)


@dataclass(frozen=True, slots=True)
class SavedFile:
    """`name`: of the download; `student_id`: the learner it is about."""

    file_id: str
    name: str
    expires_at: datetime
    text: str
    student_id: str | None


class SavedFiles(Store):
    async def save(self, who: Principal, student_id: str | None, name: str, text: str, kept: timedelta) -> SavedFile:
        """Saves a new file of this caller's, and deletes all expired files."""
        now = datetime.now(UTC)
        made = SavedFile(secrets.token_hex(16), name, now + kept, text, student_id)
        row = {
            "file_id": made.file_id,
            "owner_token": who.token_id,
            "student_id": student_id,
            "name": name,
            "expires_at": made.expires_at,
            "text": text,
        }

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(delete(saved_files).where(saved_files.c.expires_at <= now))
            await connection.execute(insert(saved_files), row)

        await self._database.transaction(write)
        return made

    async def find(self, who: Principal, file_id: str) -> SavedFile | None:
        """The file, if it is the caller's and has not expired. None also if it is about a learner whom the caller may
        not read any more."""
        own = (saved_files.c.file_id == file_id) & (saved_files.c.owner_token == who.token_id)
        found = await self._database.rows(select(saved_files).where(own, saved_files.c.expires_at > datetime.now(UTC)))
        if not found:
            return None
        (row,) = found
        if row.student_id is not None and not is_allowed(who, "read", row.student_id):
            return None
        return SavedFile(row.file_id, row.name, row.expires_at, row.text, row.student_id)
