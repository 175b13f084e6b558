"""Tutoring sessions and their turns: one row for each answered turn, from which everything else can be computed.

A child's position has no table of its own: every turn carries it, and `learner` reads the newest. So a turn is one
INSERT, and a session that was broken off loses nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, TypedDict, cast

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    UniqueConstraint,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.json_types import JsonObject
from maththera.store.database import Database, Store, dumps, foreign_key_missing
from maththera.store.learner_state import LEARNER_COLUMNS, LearnerRow, LearnerUpdate, learner_from_turns
from maththera.store.owner_cache import OwnerCache
from maththera.store.review_queue import reviews as review_table
from maththera.store.schema import Utc, metadata, time_column, utc_now
from maththera.store.task_observations import TaskObservations

sessions: Final = Table(
    "sessions",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("student_id", String, nullable=False),
    Column("start", JSON, nullable=False),
    time_column(),
    Column("ended_at", Utc),
    Column("open_problems", JSON(none_as_null=True)),
    Index("sessions_of_student", "student_id", "created_at"),
)

turns: Final = Table(
    "turns",
    metadata,
    Column("session_id", String, ForeignKey("sessions.session_id", ondelete="CASCADE"), primary_key=True),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("request_id", String, nullable=False),
    time_column(),
    Column("problem_id", String),
    Column("kind", String),
    Column("phase", String),
    Column("c_level", Integer),
    Column("w", Float),
    Column("correct", Boolean),
    Column("pattern", String),
    Column("rt_ms", Integer),
    Column("input_kind", String),
    Column("cause_tag", String),
    Column("confidence", String),
    # Long columns are last: SQLite stores what exceeds a page elsewhere, and reports read only the short ones.
    Column("learner", JSON(none_as_null=True)),
    Column("event", JSON, nullable=False),
    Column("llm", JSON(none_as_null=True)),
    Column("response", JSON, nullable=False),
    Column("trace", JSON, nullable=False),
    Column("open_problems", JSON(none_as_null=True)),
    UniqueConstraint("session_id", "request_id", name="turns_request"),
)


class TurnTaken(Exception):
    """The turn or the request is already recorded, by another worker or by an earlier try."""


class UnknownSession(LookupError):
    """The session does not exist, or was erased."""


class TurnFacts(TypedDict, total=False):
    """The columns that reports count; absent is the same as None. `c_level`, `w`: of the problem, not of the child.
    `input_kind`: typed, tap, voice or widget; without it the response time does not count for the child's norms."""

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
    """`start`: everything that a replay needs besides the turns."""

    session_id: str
    student_id: str
    start: JsonObject
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One answered turn, with everything needed to compute it again. `llm`: answers of models, mostly none.
    `open_problems`: ids of the problems that wait for an answer after the turn."""

    session_id: str
    turn: int
    request_id: str
    event: JsonObject
    llm: list[JsonObject]
    response: JsonObject
    trace: list[JsonObject]
    facts: TurnFacts
    open_problems: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class NewReview:
    """An entry for the review queue: `kind` is unknown_answer, rejected_text …"""

    kind: str
    payload: JsonObject


_FACTS: Final = tuple(TurnFacts.__annotations__)
_NO_FACTS: Final = dict.fromkeys(_FACTS)
_TURN: Final = (
    "session_id", "turn", "request_id", *_FACTS, "learner", "event", "llm", "response", "trace", "open_problems",
)  # fmt: skip
_SESSION: Final = ("session_id", "student_id", "start", "created_at", "ended_at")

_RECENT_SESSIONS: Final = 20
"""How far `learner` looks back: about a month of daily sessions, read in a few milliseconds."""


class SessionRecords(Store):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._owners = OwnerCache(self._read_owner)
        self.seen = TaskObservations(database)
        # Compiled once: building the statement for each turn costs a third of the INSERT itself.
        compiled = insert(turns).compile(dialect=database.engine.dialect, column_keys=_TURN)
        self._insert_turn, self._insert_order = str(compiled), compiled.positiontup or ()

    async def create_session(
        self, session_id: str, student_id: str, start: JsonObject, open_problems: Sequence[str] = ()
    ) -> None:
        """Records a session before its first task, one of `open_problems`, is shown. Idempotent, as session ids are
        never used twice."""
        row = {"session_id": session_id, "student_id": student_id, "start": start, "open_problems": [*open_problems]}
        try:
            await self._database.write(lambda connection: connection.execute(insert(sessions), row))
        except IntegrityError:
            stored = await self.session(session_id)
            if stored is None or (stored.student_id, stored.start) != (student_id, start):
                raise

    async def session(self, session_id: str) -> SessionRow | None:
        columns = [sessions.c[name] for name in _SESSION]
        found = await self._database.rows(select(*columns).where(sessions.c.session_id == session_id))
        return SessionRow(**found[0]._mapping) if found else None

    async def open_session(self, student_id: str) -> str | None:
        """The id of the child's newest session that has not ended."""
        query = (
            select(sessions.c.session_id)
            .where(sessions.c.student_id == student_id, sessions.c.ended_at.is_(None))
            .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
            .limit(1)
        )
        return await self._database.value(query)

    async def open_since(self, student_ids: Collection[str], since: datetime) -> dict[str, str]:
        """Child → its newest session that has not ended and was begun, or had a turn, since then."""
        last = func.coalesce(func.max(turns.c.created_at), sessions.c.created_at)
        query = (
            select(sessions.c.student_id, sessions.c.session_id)
            .join(turns, turns.c.session_id == sessions.c.session_id, isouter=True)
            .where(sessions.c.student_id.in_(student_ids), sessions.c.ended_at.is_(None))
            .group_by(sessions.c.session_id, sessions.c.student_id, sessions.c.created_at)
            .having(last >= since)
            .order_by(sessions.c.created_at, sessions.c.session_id)
        )
        return {row.student_id: row.session_id for row in await self._database.rows(query)}

    async def ended_last(self, student_id: str) -> str | None:
        """The id of the child's newest session, if that has ended."""
        query = (
            select(sessions.c.session_id, sessions.c.ended_at)
            .where(sessions.c.student_id == student_id)
            .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
            .limit(1)
        )
        found = await self._database.rows(query)
        return found[0].session_id if found and found[0].ended_at is not None else None

    async def owner(self, session_id: str) -> str | None:
        """The student of a session; None for an unknown session. Cached."""
        return await self._owners.find(session_id)

    async def end_session(self, session_id: str) -> bool:
        """Marks a session as ended without a turn; False where it has ended already."""
        query = update(sessions).where(sessions.c.session_id == session_id, sessions.c.ended_at.is_(None))
        return (await self._database.execute(query.values(ended_at=utc_now()))).rowcount == 1

    async def append_turn(
        self,
        row: TurnRow,
        *,
        learner: LearnerUpdate | None = None,
        reviews: Sequence[NewReview] = (),
        ended: bool = False,
    ) -> None:
        """Records a turn with its reviews and the end of its session, in one transaction. Returns when it is on disk.

        Raises TurnTaken if the turn or the request is recorded already, UnknownSession without its session.
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
                await connection.execute(insert(review_table).values(rows))
            if ended:
                ending = update(sessions).where(sessions.c.session_id == row.session_id)
                await connection.execute(ending.values(ended_at=utc_now()))

        attempt = self._database.transaction if reviews or ended else self._database.write
        try:
            await attempt(work)
        except IntegrityError as error:
            if foreign_key_missing(error):
                raise UnknownSession(row.session_id) from error
            # The first try may have been committed although its connection broke: then the row is our own.
            if tries > 1 and await self._is_recorded(row):
                return
            raise TurnTaken(f"{row.session_id}: turn {row.turn} or request {row.request_id}") from error

    async def turns(self, session_id: str) -> list[TurnRow]:
        """All turns of a session, in order."""
        query = select(turns).where(turns.c.session_id == session_id).order_by(turns.c.turn)
        return [_turn_row(row) for row in await self._database.rows(query)]

    async def turn_by_request(self, session_id: str, request_id: str) -> TurnRow | None:
        """The turn that answered this request, or None."""
        query = select(turns).where(turns.c.session_id == session_id, turns.c.request_id == request_id)
        found = await self._database.rows(query)
        return _turn_row(found[0]) if found else None

    async def last_turn_number(self, session_id: str) -> int:
        """0 before the first turn."""
        return await self._database.value(select(func.max(turns.c.turn)).where(turns.c.session_id == session_id)) or 0

    async def screenings(self, student_id: str) -> list[tuple[str, datetime, dict[str, Any]]]:
        """Session, time and profile of each screening of number sense that was done to its end, the newest first."""
        last = (
            select(turns.c.session_id, func.max(turns.c.turn).label("turn"))
            .join(sessions, sessions.c.session_id == turns.c.session_id)
            .where(sessions.c.student_id == student_id, turns.c.phase == "screening")
            .group_by(turns.c.session_id)
            .subquery()
        )
        query = (
            select(turns.c.session_id, turns.c.created_at, turns.c.response)
            .join(last, (last.c.session_id == turns.c.session_id) & (last.c.turn == turns.c.turn))
            .order_by(turns.c.created_at.desc(), turns.c.session_id)
        )
        rows = await self._database.rows(query)
        found = [(row.session_id, row.created_at, row.response["summary"]) for row in rows]
        return [(one, at, summary["number_sense"]) for one, at, summary in found if "number_sense" in (summary or {})]

    async def learner(self, student_id: str) -> LearnerRow | None:
        """The child as the last turns show it, of ended and open sessions; None before the first turn."""
        recent = (
            select(sessions.c.session_id, sessions.c.created_at)
            .where(sessions.c.student_id == student_id)
            .order_by(sessions.c.created_at.desc())
            .limit(_RECENT_SESSIONS)
            .subquery()
        )
        query = (
            select(*(turns.c[name] for name in LEARNER_COLUMNS))
            .join(recent, recent.c.session_id == turns.c.session_id)
            .order_by(recent.c.created_at.desc(), turns.c.session_id, turns.c.turn.desc())
        )
        return learner_from_turns(student_id, await self._database.rows(query))

    async def _read_owner(self, session_id: str) -> str | None:
        return await self._database.value(select(sessions.c.student_id).where(sessions.c.session_id == session_id))

    async def _is_recorded(self, row: TurnRow) -> bool:
        stored = await self.turn_by_request(row.session_id, row.request_id)
        return stored is not None and (stored.turn, stored.response) == (row.turn, row.response)


def _turn_columns(row: TurnRow, learner: LearnerUpdate | None) -> JsonObject:
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
        cast("TurnFacts", facts),
        row.open_problems or (),
    )
