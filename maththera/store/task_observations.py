"""What was seen of a child at a task: by an adult beside it, or told by the child itself."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from sqlalchemy import Column, ForeignKey, String, Table, select

from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, metadata, time_column

Seen: TypeAlias = Literal["adult", "child"]
"""Who says so; the child's own word names no cause."""

task_observations: Final = Table(
    "task_observations",
    metadata,
    Column("session_id", ForeignKey("sessions.session_id", ondelete="CASCADE"), primary_key=True),
    Column("task_id", String, primary_key=True),
    Column("tag", String, primary_key=True),
    Column("seen_by", String, nullable=False),
    time_column(),
    Column("cause_tag", String),
)


class TaskObservations(Store):
    async def add(
        self, session_id: str, task_id: str, tags: Sequence[str], seen_by: Seen, causes: Mapping[str, str] | None = None
    ) -> None:
        """Tags that are there already stay as they are. `causes`: the cause that a tag names, after the answer."""
        task = {"session_id": session_id, "task_id": task_id, "seen_by": seen_by}
        rows = [{**task, "tag": tag, "cause_tag": (causes or {}).get(tag)} for tag in tags]
        statement = INSERT_BY_DIALECT[self._database.dialect](task_observations).on_conflict_do_nothing()
        await self._database.write(lambda connection: connection.execute(statement, rows))

    async def of_task(self, session_id: str, task_id: str) -> dict[str, Seen]:
        """Tag → who said so, in the order in which they came."""
        return (await self.of_session(session_id, task_id)).get(task_id, {})

    async def of_session(self, session_id: str, task_id: str | None = None) -> dict[str, dict[str, Seen]]:
        """Task id → tag → who said so."""
        query = select(task_observations.c.task_id, task_observations.c.tag, task_observations.c.seen_by)
        query = query.where(task_observations.c.session_id == session_id)
        if task_id is not None:
            query = query.where(task_observations.c.task_id == task_id)
        found: dict[str, dict[str, Seen]] = {}
        for row in await self._database.rows(query.order_by(task_observations.c.created_at, task_observations.c.tag)):
            found.setdefault(row.task_id, {})[row.tag] = row.seen_by
        return found
