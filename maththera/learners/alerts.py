"""Safety alerts: what was read as danger, who may see it, and that it was told. Part of the review queue."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Role
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import reviews

Urgency: TypeAlias = Literal["now", "day", "week"]
"""When adults are told: at once, with the digest of the day or with that of the week."""

_BY_TIER: Final[dict[int, Urgency]] = {1: "now", 2: "day"}
_BY_CATEGORY: Final[dict[str, Urgency | None]] = {"bullying": "day", "sadness": "week", "adult_tells": None}
"""Categories that wait longer than their tier says. An adult who tells of a child knows already."""


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
            "payload": {"role": alert.role, "words": alert.words},
        }
        statement = INSERT[self._database.dialect](reviews).values(**row).on_conflict_do_nothing()
        stored = await self._database.write(lambda connection: connection.execute(statement))
        if stored.rowcount and alert.urgency is not None:
            self._added(alert)

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
