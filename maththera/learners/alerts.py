"""Safety alerts: what was read as danger, who may see it, and that it was told. Part of the review queue."""

from dataclasses import dataclass

from maththera.learners.access import Role
from maththera.learners.database import Database


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


@dataclass(frozen=True, slots=True)
class Signal:
    """What a place has heard before: `asked`: the newest tier 3 that "응" or "아니" may still answer."""

    tier: int
    asked: bool


class Alerts:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, alert: NewAlert) -> None:
        """The same message of a place again changes nothing."""

    async def signals(self, room: str, place_id: str) -> list[Signal]:
        """What was heard in this place before, the oldest first."""
        return []
