"""Answers that somebody saved, for a download. They are kept in the database, for some time: nobody names a path."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Principal, may
from maththera.learners.database import Database
from maththera.learners.tables_papers import saved_files


@dataclass(frozen=True, slots=True)
class SavedFile:
    """`name` is what the download is called."""

    file_id: str
    name: str
    expires_at: datetime
    text: str


class SavedFiles:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, who: Principal, student_id: str | None, name: str, text: str, kept: timedelta) -> SavedFile:
        """A new file of this caller's. Files whose time is over go."""
        now = datetime.now(UTC)
        made = SavedFile(secrets.token_hex(16), name, now + kept, text)
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
        """None for what is not there, no longer there, or somebody else's; also for what is about a learner who is
        none of the caller's any more."""

        async def read(connection: AsyncConnection) -> SavedFile | None:
            live = (saved_files.c.file_id == file_id) & (saved_files.c.expires_at > datetime.now(UTC))
            row = (await connection.execute(select(saved_files).where(live))).one_or_none()
            if row is None or row.owner_token != who.token_id:
                return None
            if row.student_id is not None and not may(who, "read", row.student_id):
                return None
            return SavedFile(row.file_id, row.name, row.expires_at, row.text)

        return await self._database.run(read)
