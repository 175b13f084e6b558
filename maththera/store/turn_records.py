"""The turns of a child one by one, for tables and charts of adults; the newest first."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, literal, select, tuple_

from maththera.store.database import Store
from maththera.store.tutoring_sessions import sessions, turns

_COLUMNS: Final = tuple(
    turns.c[name]
    for name in ("session_id", "turn", "problem_id", "kind", "phase", "correct", "rt_ms", "input_kind",
                 "pattern", "cause_tag", "confidence", "event")
)  # fmt: skip
_AT: Final = turns.c.created_at.label("at")
_ROUTE: Final = turns.c.response["adaptation"]["route"].as_string().label("route")
_C: Final = turns.c.learner["c"].as_integer().label("c")
_W: Final = turns.c.learner["w"].as_float().label("w")
_OF_EVENT: Final = {"given": "answer", "training_id": "training_id"}
"""Fields that stand in the event of the turn → their names there."""


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A turn as it was recorded; None for what it does not have. `c`, `w`: the child's place afterwards. `given`: the
    number that was answered. `route`: A or B of the adaptation."""

    session_id: str
    turn: int
    at: datetime
    problem_id: str | None
    kind: str | None
    phase: str | None
    given: int | None
    correct: bool | None
    rt_ms: int | None
    input_kind: str | None
    pattern: str | None
    route: str | None
    c: int | None
    w: float | None
    cause_tag: str | None
    confidence: str | None
    training_id: str | None


class TurnRecords(Store):
    async def page(
        self,
        student_id: str,
        limit: int,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        before: tuple[str, int] | None = None,
    ) -> Sequence[RecordedTurn]:
        """Turns within [since, until), those older than the turn `before`, the newest first."""
        order = (turns.c.created_at, turns.c.session_id, turns.c.turn)
        query = (
            select(*_COLUMNS, _AT, _ROUTE, _C, _W)
            .join(sessions, sessions.c.session_id == turns.c.session_id)
            .where(sessions.c.student_id == student_id)
            .order_by(*(each.desc() for each in order))
            .limit(limit)
        )
        if since is not None:
            query = query.where(turns.c.created_at >= since)
        if until is not None:
            query = query.where(turns.c.created_at < until)
        if before is not None:
            # Compared as stored: SQLite's times are texts, and a parameter has more digits.
            session_id, turn = before
            at = (
                select(turns.c.created_at)
                .where(turns.c.session_id == session_id, turns.c.turn == turn)
                .scalar_subquery()
            )
            query = query.where(tuple_(*order) < tuple_(at, literal(session_id), literal(turn)))
        return [_recorded(row) for row in await self._database.report(query)]


def _recorded(row: Row[Any]) -> RecordedTurn:
    same = {each.name: getattr(row, each.name) for each in fields(RecordedTurn) if each.name not in _OF_EVENT}
    return RecordedTurn(**same, **{name: row.event.get(key) for name, key in _OF_EVENT.items()})
