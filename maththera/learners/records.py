"""Learner records: the lasting truth about every session, one row for each answered turn.

A child's position is not kept in a table of its own: every turn carries it, and `learner` reads the newest. So a turn
is one INSERT, and a session that never ended cleanly has lost nothing.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, TypedDict, cast

from sqlalchemy import CursorResult, Row, Select, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database, StoreUnavailable, dumps, foreign_key_missing
from maththera.learners.learner import FOLDED, LearnerRow, LearnerUpdate, fold
from maththera.learners.tables import reviews as review_queue
from maththera.learners.tables import sessions, turns, utc_now
from maththera.learners.usage import LlmUsage, summed

__all__ = [
    "Facts",
    "LearnerRow",
    "LearnerUpdate",
    "Records",
    "Review",
    "SessionRow",
    "StoreUnavailable",
    "TurnRow",
    "TurnTaken",
    "UnknownSession",
]


class TurnTaken(Exception):
    """This turn of the session, or this request, is already recorded: by another worker, or by an earlier try."""


class UnknownSession(LookupError):
    """The session of this turn is not (or no longer) recorded."""


class Facts(TypedDict, total=False):
    """What reports count, as columns; absent and None are the same. `c_level`, `w`: of the problem, not the child.
    `input_kind`: typed or tap; left out, the response time is no part of the child's norms."""

    problem_id: str | None
    kind: str | None
    phase: str | None
    c_level: int | None
    w: float | None
    correct: bool | None
    pattern: str | None
    rt_ms: int | None
    input_kind: str | None
    cause_tag: str | None
    confidence: str | None


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as it was started. `start` is all that a replay needs besides the turns."""

    session_id: str
    student_id: str
    start: dict[str, Any]
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One answered turn, with everything needed to recompute it. `llm`: what models answered, empty as a rule.
    `open_problems`: the ids of those that wait for an answer now."""

    session_id: str
    turn: int
    request_id: str
    event: dict[str, Any]
    llm: list[dict[str, Any]]
    response: dict[str, Any]
    trace: list[dict[str, Any]]
    facts: Facts
    open_problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """Something a person should look at: `kind` unknown_answer, rejected_text …"""

    kind: str
    payload: dict[str, Any]


_FACTS: Final = tuple(Facts.__annotations__)
_NO_FACTS: Final = dict.fromkeys(_FACTS)
_TURN: Final = (
    "session_id", "turn", "request_id", *_FACTS, "learner", "event", "llm", "response", "trace", "open_problems",
)  # fmt: skip
_SESSION: Final = ("session_id", "student_id", "start", "created_at", "ended_at")

_RECENT_SESSIONS: Final = 20
"""How far `Records.learner` looks back: about a month of daily sessions, read in a few milliseconds."""

_REPORT_S: Final = 60.0
"""A report reads every turn there is; it may take longer than a child's turn."""


class Records:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # Compiled once: building the statement anew for each turn costs a third of the INSERT itself.
        compiled = insert(turns).compile(dialect=database.engine.dialect, column_keys=_TURN)
        self._insert_turn, self._insert_order = str(compiled), compiled.positiontup or ()

    async def create_session(
        self, session_id: str, student_id: str, start: dict[str, Any], open_problems: Sequence[str] = ()
    ) -> None:
        """Records a session before its first task, of `open_problems`, is shown. Session ids are fresh, so it may be
        said twice."""
        row = {"session_id": session_id, "student_id": student_id, "start": start, "open_problems": [*open_problems]}
        try:
            await self._database.write(lambda connection: connection.execute(insert(sessions), row))
        except IntegrityError:
            stored = await self.session(session_id)
            if stored is None or (stored.student_id, stored.start) != (student_id, start):
                raise

    async def session(self, session_id: str) -> SessionRow | None:
        """The session, or None."""
        columns = [sessions.c[name] for name in _SESSION]
        found = await self._rows(select(*columns).where(sessions.c.session_id == session_id))
        return SessionRow(**found[0]._mapping) if found else None

    async def append_turn(
        self,
        row: TurnRow,
        *,
        learner: LearnerUpdate | None = None,
        reviews: Sequence[Review] = (),
        ended: bool = False,
    ) -> None:
        """Records a turn and all that goes with it, in one transaction. Returns only when it is on disk.

        Raises TurnTaken when the turn or the request is there already, UnknownSession without its session.
        """
        columns = _turn_columns(row, learner)
        values = tuple(columns[name] for name in self._insert_order)
        tries = 0

        async def work(connection: AsyncConnection) -> None:
            nonlocal tries
            tries += 1
            await connection.exec_driver_sql(self._insert_turn, values)
            if reviews:
                place = {"room": "tutoring", "place_id": row.session_id, "session_id": row.session_id}
                student = select(sessions.c.student_id).where(sessions.c.session_id == row.session_id)
                rows = [{**place, "student_id": student.scalar_subquery(), **asdict(review)} for review in reviews]
                await connection.execute(insert(review_queue).values(rows))
            if ended:
                ending = update(sessions).where(sessions.c.session_id == row.session_id)
                await connection.execute(ending.values(ended_at=utc_now()))

        attempt = self._database.transaction if reviews or ended else self._database.write
        try:
            await attempt(work)
        except IntegrityError as error:
            if foreign_key_missing(error):
                raise UnknownSession(row.session_id) from error
            # A first try whose connection broke may have been committed all the same: then the row is our own.
            if tries > 1 and await self._is_recorded(row):
                return
            raise TurnTaken(f"{row.session_id}: turn {row.turn} or request {row.request_id}") from error

    async def turns(self, session_id: str) -> list[TurnRow]:
        """All turns of a session, in order."""
        found = await self._rows(select(turns).where(turns.c.session_id == session_id).order_by(turns.c.turn))
        return [_turn_row(row) for row in found]

    async def turn_by_request(self, session_id: str, request_id: str) -> TurnRow | None:
        """The turn that answered this request, or None."""
        found = await self._rows(
            select(turns).where(turns.c.session_id == session_id, turns.c.request_id == request_id)
        )
        return _turn_row(found[0]) if found else None

    async def last_turn_number(self, session_id: str) -> int:
        """0 before the first turn."""
        found = await self._rows(select(func.max(turns.c.turn)).where(turns.c.session_id == session_id))
        return found[0][0] or 0

    async def learner(self, student_id: str) -> LearnerRow | None:
        """The child as the last turns show it, whether their sessions ended or not; None before the first."""
        recent = (
            select(sessions.c.session_id, sessions.c.created_at)
            .where(sessions.c.student_id == student_id)
            .order_by(sessions.c.created_at.desc())
            .limit(_RECENT_SESSIONS)
            .subquery()
        )
        found = await self._rows(
            select(*(turns.c[name] for name in FOLDED))
            .join(recent, recent.c.session_id == turns.c.session_id)
            .order_by(recent.c.created_at.desc(), turns.c.session_id, turns.c.turn.desc())
        )
        return fold(student_id, found)

    async def llm_usage(self) -> LlmUsage:
        """How much the language models were asked, over all turns on record."""

        async def read(connection: AsyncConnection) -> LlmUsage:
            count = await connection.scalar(select(func.count()).select_from(turns))
            asked = await connection.scalars(select(turns.c.llm).where(turns.c.llm.is_not(None)))
            return summed(count or 0, asked)

        return await self._database.run(read, deadline=_REPORT_S)

    async def _is_recorded(self, row: TurnRow) -> bool:
        stored = await self.turn_by_request(row.session_id, row.request_id)
        return stored is not None and (stored.turn, stored.response) == (row.turn, row.response)

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        found: CursorResult[Any] = await self._database.run(lambda connection: connection.execute(query))
        return found.all()


def _turn_columns(row: TurnRow, learner: LearnerUpdate | None) -> dict[str, Any]:
    if unknown := row.facts.keys() - set(_FACTS):
        raise ValueError(f"no such facts: {', '.join(sorted(unknown))}; there are {', '.join(_FACTS)}")
    return {
        "session_id": row.session_id,
        "turn": row.turn,
        "request_id": row.request_id,
        **_NO_FACTS,
        **row.facts,
        "learner": dumps(asdict(learner)) if learner else None,
        "event": dumps(row.event),
        "llm": dumps(row.llm) if row.llm else None,
        "response": dumps(row.response),
        "trace": dumps(row.trace),
        "open_problems": dumps([*row.open_problems]),
    }


def _turn_row(row: Row[Any]) -> TurnRow:
    facts = {name: value for name in _FACTS if (value := getattr(row, name)) is not None}
    return TurnRow(
        row.session_id,
        row.turn,
        row.request_id,
        row.event,
        row.llm or [],
        row.response,
        row.trace,
        cast("Facts", facts),
        row.open_problems or (),
    )
