"""The last heatmap of each child, stored so that lists of children need not trace all their answers."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.json_types import JsonObject
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Record, utc_now
from maththera.store.student_locks import lock_existing_students


class Heatmap(Record):
    """`heatmap`: concept id → mastery, 0 to 1, after `answers` answers."""

    __tablename__ = "heatmaps"

    student_id: Mapped[str] = mapped_column(primary_key=True)
    heatmap: Mapped[dict[str, float]]
    answers: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(server_default=utc_now())


class Heatmaps(Store):
    async def save(self, student_id: str, heatmap: dict[str, float], answers: int) -> None:
        """Replaces the child's heatmap. A child without records was erased: nothing is stored of it."""
        row: JsonObject = {"student_id": student_id, "heatmap": heatmap, "answers": answers}
        statement = INSERT_BY_DIALECT[self._database.dialect](Heatmap).values(**row)
        statement = statement.on_conflict_do_update(
            index_elements=["student_id"], set_={**row, "updated_at": utc_now()}
        )

        async def write(connection: AsyncConnection) -> None:
            if await lock_existing_students(connection, [student_id]):
                await connection.execute(statement)

        await self._database.transaction(write)

    async def find(self, student_id: str) -> Heatmap | None:
        """The child's last heatmap; None before the first."""
        found = await self._database.rows(select(Heatmap).where(Heatmap.student_id == student_id))
        return Heatmap.from_row(found[0]) if found else None
