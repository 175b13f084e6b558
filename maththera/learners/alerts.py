"""Safety alerts: what was read as danger, who may see it, and that it was told. Part of the review queue."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import Row, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Principal, Role
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import reviews
from maththera.learners.tables_alerts import alert_openings

logger = logging.getLogger(__name__)

Urgency: TypeAlias = Literal["now", "day", "week"]
"""When adults are told: at once, with the digest of the day or with that of the week."""

_BY_TIER: Final[dict[int, Urgency]] = {1: "now", 2: "day"}
_BY_CATEGORY: Final[dict[str, Urgency | None]] = {"bullying": "day", "sadness": "week", "adult_tells": None}
"""Categories that wait longer than their tier says. An adult who tells of a child knows already."""


IS_ALERT: Final = (reviews.c.kind == "safety") & reviews.c.urgency.is_not(None)
"""Not those that are signals for their place alone."""
UNOPENED: Final = (
    IS_ALERT & (reviews.c.status == "open") & ~exists().where(alert_openings.c.review_id == reviews.c.review_id)
)


@dataclass(frozen=True, slots=True)
class NewAlert:
    """`room` and `place_id`: where it was written; `message_id`: of that place's messages, unique there. `tier`: 1 at
    once, 2 the day's digest, 3 only asked about. `role`: who wrote it."""

    room: str
    place_id: str
    message_id: str
    student_id: str | None
    role: Role
    category: str
    tier: int
    words: str
    at_once: bool = False
    """Whatever the category says: the child was asked whether it wants to tell an adult something and said yes, or it
    tells of another child."""

    @property
    def urgency(self) -> Urgency | None:
        """None: nobody is told, and it is a signal for its place alone."""
        if self.at_once:
            return "now"
        if self.tier not in _BY_TIER:
            return None
        return _BY_CATEGORY.get(self.category, _BY_TIER[self.tier])


@dataclass(frozen=True, slots=True)
class Opening:
    """Somebody has been shown the words of an alert."""

    token_id: str
    role: Role
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Signal:
    """What a place has heard before: `asked`: the newest tier 3 that "응" or "아니" may still answer."""

    tier: int
    asked: bool
    message_id: str = field(default="", compare=False)
    category: str = field(default="", compare=False)


class Alerts:
    """`added` is told of every new alert that adults hear of, after it is stored.

    Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database, added: Callable[[NewAlert], None] = lambda _: None) -> None:
        self._database, self._added = database, added

    async def add(self, alert: NewAlert) -> None:
        """The same message of a place again changes nothing."""
        row = {
            "kind": "safety",
            "room": alert.room,
            "place_id": alert.place_id,
            "message_id": alert.message_id,
            "student_id": alert.student_id,
            "category": alert.category,
            "tier": alert.tier,
            "urgency": alert.urgency,
            "payload": {"role": alert.role},
            "words": alert.words,
        }
        statement = INSERT[self._database.dialect](reviews).values(**row).on_conflict_do_nothing()
        stored = await self._database.write(lambda connection: connection.execute(statement))
        if stored.rowcount and alert.urgency is not None:
            if alert.urgency == "now":
                logger.warning("safety alert: %s in %s %s", alert.category, alert.room, alert.place_id)
            self._added(alert)

    async def open(self, review_id: int, who: Principal) -> str:
        """-> the words. That they were shown, to whom and when, is stored with them or they are not. Raises LookupError
        for what is no alert."""
        query = select(reviews.c.words).where(IS_ALERT, reviews.c.review_id == review_id)
        opening = {"review_id": review_id, "token_id": who.token_id, "role": who.role}

        async def work(connection: AsyncConnection) -> str:
            words = await connection.scalar(query)
            if words is None:
                raise LookupError(review_id)
            await connection.execute(insert(alert_openings), opening)
            return str(words)

        return await self._database.transaction(work)

    async def openings(self, review_ids: Collection[int]) -> Mapping[int, list[Opening]]:
        """Of each of these alerts, the first opening first."""
        columns = (alert_openings.c[name] for name in ("review_id", *Opening.__dataclass_fields__))
        query = select(*columns).where(alert_openings.c.review_id.in_(review_ids))
        found: dict[int, list[Opening]] = {review_id: [] for review_id in review_ids}

        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            return (await connection.execute(query.order_by(alert_openings.c.opening_id))).all()

        for row in await self._database.run(read):
            found[row.review_id].append(Opening(row.token_id, row.role, row.opened_at))
        return found

    async def unopened(self, students: Collection[str] | None) -> Mapping[str | None, int]:
        """How many alerts nobody has opened or decided, of each of these students who has any; None: of everybody, and
        those of nobody known under None."""
        query = select(reviews.c.student_id, func.count()).where(UNOPENED).group_by(reviews.c.student_id)
        if students is not None:
            query = query.where(reviews.c.student_id.in_(students))

        async def read(connection: AsyncConnection) -> Mapping[str | None, int]:
            return {row[0]: row[1] for row in await connection.execute(query)}

        return await self._database.run(read)

    async def signals(self, room: str, place_id: str) -> list[Signal]:
        """What was heard in this place before, the oldest first."""
        here = (reviews.c.kind == "safety") & (reviews.c.room == room) & (reviews.c.place_id == place_id)
        columns = (reviews.c.tier, reviews.c.message_id, reviews.c.category)
        query = select(*columns).where(here).order_by(reviews.c.review_id)

        async def read(connection: AsyncConnection) -> list[tuple[int, str, str]]:
            return [(row.tier, row.message_id, row.category) for row in await connection.execute(query)]

        found = await self._database.run(read)
        return [
            Signal(tier, tier == 3 and number == len(found), message_id, category)
            for number, (tier, message_id, category) in enumerate(found, start=1)
        ]
