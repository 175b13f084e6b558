"""The last heatmap of each child, kept so that lists of children need no tracing of all their answers."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.known import still_known
from maththera.learners.tables import heatmaps, utc_now

INSERT: Final[dict[str, Any]] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
"""Both write ON CONFLICT alike."""


@dataclass(frozen=True, slots=True)
class Heatmap:
    """`heatmap`: concept id → mastery, 0 to 1, after `answers` answers."""

    student_id: str
    heatmap: dict[str, float]
    answers: int
    updated_at: datetime


class Heatmaps:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, student_id: str, heatmap: dict[str, float], answers: int) -> None:
        """Takes the place of the one before. Nothing is kept of a child without records: it has been erased."""
        row = {"student_id": student_id, "heatmap": heatmap, "answers": answers}
        statement = INSERT[self._database.dialect](heatmaps).values(**row)
        statement = statement.on_conflict_do_update(
            index_elements=["student_id"], set_={**row, "updated_at": utc_now()}
        )

        async def write(connection: AsyncConnection) -> None:
            if await still_known(connection, [student_id]):
                await connection.execute(statement)

        await self._database.transaction(write)

    async def find(self, student_id: str) -> Heatmap | None:
        """The child's last heatmap, None before the first."""

        async def read(connection: AsyncConnection) -> Heatmap | None:
            query = select(heatmaps).where(heatmaps.c.student_id == student_id)
            row = (await connection.execute(query)).one_or_none()
            return Heatmap(**row._mapping) if row else None

        return await self._database.run(read)
