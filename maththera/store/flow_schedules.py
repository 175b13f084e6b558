"""Paused schedules of flows, and scheduled runs that were skipped."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Mapped, mapped_column

from maththera.json_types import JsonObject
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Record

_MOST_SKIPPED: Final = 1_000
"""Skipped runs that are read at once."""


class PausedSchedule(Record):
    """`paused_by`: the token of the admin."""

    __tablename__ = "paused_schedules"

    flow_name: Mapped[str] = mapped_column(primary_key=True)
    paused_by: Mapped[str]
    paused_at: Mapped[datetime]


class SkippedRun(Record):
    """A run that was not begun, as the previous run of the schedule, `running`, had not ended."""

    __tablename__ = "skipped_runs"

    flow_name: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[datetime] = mapped_column(primary_key=True)
    running: Mapped[str]


class ScheduleRecords(Store):
    async def pause(self, flow_name: str, by: str) -> None:
        """Idempotent."""
        await self._add(PausedSchedule, {"flow_name": flow_name, "paused_by": by, "paused_at": datetime.now(UTC)})

    async def resume(self, flow_name: str) -> None:
        await self._database.execute(delete(PausedSchedule).where(PausedSchedule.flow_name == flow_name))

    async def paused(self) -> dict[str, PausedSchedule]:
        """By the flow's name."""
        rows = await self._database.rows(select(PausedSchedule))
        return {row.flow_name: PausedSchedule.from_row(row) for row in rows}

    async def skip(self, flow_name: str, due_at: datetime, running: str) -> None:
        await self._add(SkippedRun, {"flow_name": flow_name, "due_at": due_at, "running": running})

    async def skipped(self) -> list[SkippedRun]:
        """The newest first."""
        query = select(SkippedRun).order_by(SkippedRun.due_at.desc()).limit(_MOST_SKIPPED)
        return [SkippedRun.from_row(row) for row in await self._database.rows(query)]

    async def _add(self, table: Any, row: JsonObject) -> None:
        await self._database.execute(
            INSERT_BY_DIALECT[self._database.dialect](table).values(row).on_conflict_do_nothing()
        )
