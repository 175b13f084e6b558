"""What was seen of a child at a task: by an adult beside it, or told by the child itself."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from sqlalchemy import Column, ForeignKey, String, Table, bindparam, select

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
        rows = await self._database.rows(_OF_TASK, {"session_id": session_id, "task_id": task_id})
        return {row.tag: row.seen_by for row in rows}

    async def of_session(self, session_id: str) -> dict[str, dict[str, Seen]]:
        """Task id → tag → who said so."""
        found: dict[str, dict[str, Seen]] = {}
        for row in await self._database.rows(_OF_SESSION, {"session_id": session_id}):
            found.setdefault(row.task_id, {})[row.tag] = row.seen_by
        return found


_SEEN: Final = task_observations.c
_OF_SESSION: Final = (
    select(_SEEN.task_id, _SEEN.tag, _SEEN.seen_by)
    .where(_SEEN.session_id == bindparam("session_id"))
    .order_by(_SEEN.created_at, _SEEN.tag)
)
_OF_TASK: Final = _OF_SESSION.where(_SEEN.task_id == bindparam("task_id"))
