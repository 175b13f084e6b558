"""Learned procedures: what adults described, who approved it, and the versions, each with the procedures in force.

A row names adults by their tokens and the labels these had then, and no child. A definition is never changed: another
one is another row, so that a session can always be computed again under the version that it names.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from pydantic import ValidationError
from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    ForeignKey,
    Integer,
    Row,
    String,
    Table,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.arithmetic.malrules import LEARNED
from maththera.json_types import JsonObject
from maththera.procedures.procedure import DEFINITION, learn
from maththera.store.database import Store
from maththera.store.schema import Record, metadata, table_of, time_column, utc_now
from maththera.store.tutoring_sessions import sessions, turns

logger = logging.getLogger(__name__)

ProcedureStatus = Literal["proposed", "approved", "off"]

procedure_versions: Final = Table(
    "procedure_versions",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("names", JSON, nullable=False),
    Column("changed_by", String, nullable=False),
    Column("changed_name", String),
    time_column(),
)

_MOST_ANSWERS: Final = 50_000
_TRIES: Final = 5


class NoSuchProcedure(LookupError):
    """There is no learned procedure with this id, or no rule candidate that it could be of."""


class ProcedureTaken(Exception):
    """The very same procedure was proposed before."""


class OwnProcedure(Exception):
    """Who proposed a procedure may not approve it."""


class UnnamedAdult(Exception):
    """A token without a label does not say whose it is, so nobody can tell two adults by it."""


class WrongStatus(Exception):
    """The procedure has not been tried, is in force already, or is not."""


class Adult(NamedTuple):
    """The token with which an adult came, and its label: whose it is."""

    token_id: str
    name: str | None

    @property
    def is_named(self) -> bool:
        return bool(self.name and self.name.strip())

    def is_same_person(self, other: "Adult") -> bool:
        """By the token, or by the label in whatever case and spacing."""
        return self.token_id == other.token_id or _plain(self.name) == _plain(other.name)


class ProcedureRow(Record):
    """`trial`: what trying it has found; None before. `…_name`: the label of the token with which it was done."""

    __tablename__ = "learned_procedures"

    procedure_id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    definition: Mapped[JsonObject]
    candidate_id: Mapped[int | None] = mapped_column(ForeignKey("rule_candidates.candidate_id", ondelete="SET NULL"))
    status: Mapped[ProcedureStatus] = mapped_column(String)
    proposed_by: Mapped[str]
    proposed_name: Mapped[str | None]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now())
    trial: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    approved_by: Mapped[str | None]
    approved_name: Mapped[str | None]
    approved_at: Mapped[datetime | None]
    switched_off_by: Mapped[str | None]
    switched_off_name: Mapped[str | None]
    switched_off_at: Mapped[datetime | None]

    @property
    def proposer(self) -> Adult:
        return Adult(self.proposed_by, self.proposed_name)


learned_procedures: Final = table_of(ProcedureRow)


class Version(NamedTuple):
    """The names of the procedures in force, in order; version 0 has none."""

    version: int
    names: list[str]


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version, who made it and when, and how many sessions of how many children began under it."""

    version: int
    names: list[str]
    changed_by: str | None
    changed_name: str | None
    created_at: datetime | None
    sessions: int
    children: int


class SessionOfVersion(NamedTuple):
    session_id: str
    student_id: str
    created_at: datetime


class WrongAnswer(NamedTuple):
    """A recorded wrong answer. `cause_tag`: what it was diagnosed as, if anything."""

    session_id: str
    student_id: str
    problem_id: str
    given: int
    cause_tag: str | None


class SessionTally(NamedTuple):
    """Of a session, the answers, the wrong ones, and those after which a cause was stated with high confidence."""

    answered: int
    wrong: int
    stated: int


class ProcedureRecords(Store):
    async def propose(self, name: str, definition: JsonObject, candidate_id: int | None, by: Adult) -> int:
        """The id of a new procedure. UnnamedAdult, ProcedureTaken; NoSuchProcedure without that candidate."""
        if not by.is_named:
            raise UnnamedAdult(by.token_id)
        row = {
            "name": name,
            "definition": definition,
            "candidate_id": candidate_id,
            "status": "proposed",
            "proposed_by": by.token_id,
            "proposed_name": by.name,
        }

        async def work(connection: AsyncConnection) -> int:
            fresh = insert(learned_procedures).values(**row).returning(learned_procedures.c.procedure_id)
            return int((await connection.execute(fresh)).scalar_one())

        try:
            return await self._database.transaction(work)
        except IntegrityError as error:
            if await self.definitions([name]):
                raise ProcedureTaken(name) from error
            raise NoSuchProcedure(candidate_id) from error

    async def all(self) -> list[ProcedureRow]:
        """The newest first."""
        query = select(learned_procedures).order_by(learned_procedures.c.procedure_id.desc())
        return [ProcedureRow.from_row(row) for row in await self._database.rows(query)]

    async def find(self, procedure_id: int) -> ProcedureRow:
        """NoSuchProcedure."""
        query = select(learned_procedures).where(learned_procedures.c.procedure_id == procedure_id)
        found = await self._database.rows(query)
        if not found:
            raise NoSuchProcedure(procedure_id)
        return ProcedureRow.from_row(found[0])

    async def definitions(self, names: Collection[str]) -> dict[str, JsonObject]:
        """Name → definition, whatever its status: sessions of earlier versions are computed again under theirs."""
        columns = learned_procedures.c.name, learned_procedures.c.definition
        rows = await self._database.rows(select(*columns).where(learned_procedures.c.name.in_(names)))
        return {row.name: row.definition for row in rows}

    async def learn(self, names: Collection[str]) -> set[str]:
        """Makes these procedures known to this process; those that are known then. One that this release cannot read
        is left out."""
        unread = [name for name in names if name not in LEARNED]
        for name, definition in (await self.definitions(unread) if unread else {}).items():
            try:
                learn(DEFINITION.validate_python(definition))
            except ValidationError:
                logger.exception("the learned procedure %s cannot be read", name)
        return {name for name in names if name in LEARNED}

    async def keep_trial(self, procedure_id: int, trial: Mapping[str, Any]) -> None:
        this = learned_procedures.c.procedure_id == procedure_id
        await self._database.execute(update(learned_procedures).where(this).values(trial=dict(trial)))

    async def version(self) -> Version:
        """The one in force."""
        found = await self._database.rows(_NEWEST)
        return Version(found[0].version, found[0].names) if found else Version(0, [])

    async def versions(self) -> list[VersionRow]:
        """The newest first. Version 0 is the one before any was approved."""
        children = func.count(sessions.c.student_id.distinct()).label("children")
        query = select(_UNDER.label("under"), func.count().label("sessions"), children).group_by(_UNDER)
        counts = {row.under: row for row in await self._database.report(query)}
        made = await self._database.rows(select(procedure_versions).order_by(procedure_versions.c.version.desc()))
        known: list[Mapping[str, Any]] = [dict(row._mapping) for row in made]
        known.append({"version": 0, "names": [], "changed_by": None, "changed_name": None, "created_at": None})
        return [
            VersionRow(**one, sessions=under.sessions if under else 0, children=under.children if under else 0)
            for one in known
            for under in [counts.get(one["version"])]
        ]

    async def sessions_of(self, version: int, students: Collection[str] | None, limit: int) -> list[SessionOfVersion]:
        """The newest sessions that began under a version; of these students, with None of all."""
        query = (
            select(sessions.c.session_id, sessions.c.student_id, sessions.c.created_at)
            .where(_UNDER.in_([version]))
            .order_by(sessions.c.created_at.desc(), sessions.c.session_id)
            .limit(limit)
        )
        if students is not None:
            query = query.where(sessions.c.student_id.in_(students))
        rows = await self._database.report(query)
        return [SessionOfVersion(**row._mapping) for row in rows]

    async def approve(self, procedure_id: int, by: Adult) -> Version:
        """The new version, with this procedure. OwnProcedure, UnnamedAdult, WrongStatus, NoSuchProcedure."""
        row = await self.find(procedure_id)
        if not (by.is_named and row.proposer.is_named):
            raise UnnamedAdult(procedure_id)
        if row.proposer.is_same_person(by):
            raise OwnProcedure(procedure_id)
        if row.trial is None or row.status == "approved":
            raise WrongStatus(procedure_id)
        values = {"status": "approved", "approved_by": by.token_id, "approved_name": by.name, "approved_at": utc_now()}
        return await self._change(procedure_id, ("proposed", "off"), values, by)

    async def switch_off(self, procedure_id: int, by: Adult) -> Version:
        """The new version, without this procedure. WrongStatus, NoSuchProcedure."""
        await self.find(procedure_id)
        values = {
            "status": "off",
            "switched_off_by": by.token_id,
            "switched_off_name": by.name,
            "switched_off_at": utc_now(),
        }
        return await self._change(procedure_id, ("approved",), values, by)

    async def _change(
        self, procedure_id: int, before: Sequence[ProcedureStatus], values: Mapping[str, Any], by: Adult
    ) -> Version:
        """Another change at the same time takes the number of the version; then this one is made again after it."""
        this = (learned_procedures.c.procedure_id == procedure_id) & learned_procedures.c.status.in_(before)
        in_force = select(learned_procedures.c.name).where(learned_procedures.c.status == "approved")

        async def work(connection: AsyncConnection) -> Version:
            newest = (await connection.execute(_NEWEST)).first()
            if not (await connection.execute(update(learned_procedures).where(this).values(**values))).rowcount:
                raise WrongStatus(procedure_id)
            found = await connection.execute(in_force.order_by(learned_procedures.c.procedure_id))
            version = Version((newest.version if newest else 0) + 1, [row.name for row in found])
            row = {**version._asdict(), "changed_by": by.token_id, "changed_name": by.name}
            await connection.execute(insert(procedure_versions).values(row))
            return version

        for _ in range(_TRIES - 1):
            try:
                return await self._database.transaction(work)
            except IntegrityError:
                continue
        return await self._database.transaction(work)

    async def recorded_sessions(self) -> tuple[int, int]:
        """How many sessions there are, and of how many children."""
        children = func.count(sessions.c.student_id.distinct()).label("children")
        query = select(func.count().label("sessions"), children).select_from(sessions)
        (row,) = await self._database.report(query)
        return row.sessions, row.children

    async def wrong_answers(self) -> list[WrongAnswer]:
        """The newest recorded wrong answers, at most 50,000."""
        query = (
            select(turns.c.session_id, sessions.c.student_id, turns.c.problem_id, turns.c.event, turns.c.cause_tag)
            .join(sessions, sessions.c.session_id == turns.c.session_id)
            .where(turns.c.correct.is_(False), turns.c.problem_id.is_not(None))
            .order_by(turns.c.created_at.desc(), turns.c.session_id, turns.c.turn.desc())
            .limit(_MOST_ANSWERS)
        )
        found = await self._database.report(query)
        return [answer for row in found if (answer := _wrong_answer(row)) is not None]

    async def tallies(self) -> dict[str, SessionTally]:
        """Session id → how it went, for every session with an answer."""
        query = (
            select(
                turns.c.session_id,
                func.count(turns.c.correct).label("answered"),
                func.count().filter(turns.c.correct.is_(False)).label("wrong"),
                func.count().filter(turns.c.confidence == "high", turns.c.cause_tag.is_not(None)).label("stated"),
            )
            .where(turns.c.correct.is_not(None))
            .group_by(turns.c.session_id)
        )
        rows = await self._database.report(query)
        return {row.session_id: SessionTally(row.answered, row.wrong, row.stated) for row in rows}


def _plain(name: str | None) -> str:
    return " ".join((name or "").split()).casefold()


def _wrong_answer(row: Row[Any]) -> WrongAnswer | None:
    given = row.event.get("answer")
    if not isinstance(given, int):
        return None
    return WrongAnswer(row.session_id, row.student_id, row.problem_id, given, row.cause_tag)


_NEWEST: Final = (
    select(procedure_versions.c.version, procedure_versions.c.names)
    .order_by(procedure_versions.c.version.desc())
    .limit(1)
)
_UNDER: Final[ColumnElement[int]] = func.coalesce(sessions.c.start[("learned", "version")].as_integer(), 0)
"""The version of learned procedures under which a session began."""
