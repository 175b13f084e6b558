"""Paused schedules of flows, and scheduled runs that were skipped."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Column, String, Table, delete, select
from sqlalchemy.orm import Mapped, mapped_column

from maththera.json_types import JsonObject
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Record, Utc, metadata

_MOST_SKIPPED: Final = 1_000
"""Skipped runs that are read at once."""

paused_schedules: Final = Table(
    "paused_schedules",
    metadata,
    Column("flow_name", String, primary_key=True),
    Column("paused_by", String, nullable=False),
    Column("paused_at", Utc, nullable=False),
)


@dataclass(frozen=True, slots=True)
class PausedSchedule:
    """`by`: the token of the admin."""

    by: str
    at: datetime


class SkippedRun(Record):
    """A run that was not begun, as the previous run of the schedule, `running`, had not ended."""

    __tablename__ = "skipped_runs"

    flow_name: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[datetime] = mapped_column(primary_key=True)
    running: Mapped[str]


class ScheduleRecords(Store):
    async def pause(self, flow_name: str, by: str) -> None:
        """Idempotent."""
        await self._add(paused_schedules, {"flow_name": flow_name, "paused_by": by, "paused_at": datetime.now(UTC)})

    async def resume(self, flow_name: str) -> None:
        await self._database.execute(delete(paused_schedules).where(paused_schedules.c.flow_name == flow_name))

    async def paused(self) -> dict[str, PausedSchedule]:
        """By the flow's name."""
        rows = await self._database.rows(select(paused_schedules))
        return {row.flow_name: PausedSchedule(row.paused_by, row.paused_at) for row in rows}

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
