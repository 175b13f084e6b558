"""Safety alerts: messages that were read as danger, and who has opened them. They are part of the review queue."""

import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import ForeignKey, String, exists, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.access.authorization import Principal, Role
from maththera.store.database import Database, Store
from maththera.store.review_queue import IS_ALERT, Urgency, reviews
from maththera.store.schema import INSERT_BY_DIALECT, Record, table_of, utc_now

logger = logging.getLogger(__name__)


class AlertOpening(Record):
    """A person was shown the words of an alert."""

    __tablename__ = "alert_openings"

    opening_id: Mapped[int] = mapped_column(primary_key=True)
    review_id: Mapped[int] = mapped_column(ForeignKey("reviews.review_id", ondelete="CASCADE"), index=True)
    token_id: Mapped[str]
    role: Mapped[Role] = mapped_column(String)
    opened_at: Mapped[datetime] = mapped_column(server_default=utc_now())


alert_openings: Final = table_of(AlertOpening)
_BY_TIER: Final[dict[int, Urgency]] = {1: "now", 2: "day"}
_BY_CATEGORY: Final[dict[str, Urgency | None]] = {"bullying": "day", "sadness": "week", "adult_tells": None}
"""Categories that may wait longer than their tier. An adult who reports a child needs no alert."""

UNOPENED: Final = (
    IS_ALERT & (reviews.c.status == "open") & ~exists().where(alert_openings.c.review_id == reviews.c.review_id)
)


@dataclass(frozen=True, slots=True)
class NewAlert:
    """`room` and `place_id`: where it was written; `message_id`: unique within that place. `tier`: 1 at once, 2 with
    the digest of the day, 3 leads only to a question. `role`: of the writer. `at_once`: regardless of the category, as
    the child wants to tell an adult or wrote about another child."""

    room: str
    place_id: str
    message_id: str
    student_id: str | None
    role: Role
    category: str
    tier: int
    words: str
    at_once: bool = False

    @property
    def urgency(self) -> Urgency | None:
        """None: adults are not told; it is only a signal for its place."""
        if self.at_once:
            return "now"
        if self.tier not in _BY_TIER:
            return None
        return _BY_CATEGORY.get(self.category, _BY_TIER[self.tier])


@dataclass(frozen=True, slots=True)
class DangerSignal:
    """An earlier danger in the same place. `asked`: tier 3 and the newest, so "응" or "아니" may still answer it."""

    tier: int
    asked: bool
    message_id: str = field(default="", compare=False)
    category: str = field(default="", compare=False)


class Alerts(Store):
    """`added` is called with every new alert that adults are told of, after it is stored."""

    def __init__(self, database: Database, added: Callable[[NewAlert], None] = lambda _: None) -> None:
        super().__init__(database)
        self._added = added

    async def add(self, alert: NewAlert) -> None:
        """Idempotent for a message of a place."""
        own = {name: value for name, value in asdict(alert).items() if name not in ("role", "at_once")}
        row = own | {"kind": "safety", "urgency": alert.urgency, "payload": {"role": alert.role}}
        statement = INSERT_BY_DIALECT[self._database.dialect](reviews).values(**row).on_conflict_do_nothing()
        stored = await self._database.execute(statement)
        if stored.rowcount and alert.urgency is not None:
            if alert.urgency == "now":
                logger.warning("safety alert: %s in %s %s", alert.category, alert.room, alert.place_id)
            self._added(alert)

    async def open(self, review_id: int, who: Principal) -> str:
        """Returns the words of an alert, once it is stored who opened it. LookupError for other reviews."""
        query = select(reviews.c.words).where(IS_ALERT, reviews.c.review_id == review_id)
        opening = {"review_id": review_id, "token_id": who.token_id, "role": who.role}

        async def work(connection: AsyncConnection) -> str:
            words = await connection.scalar(query)
            if words is None:
                raise LookupError(review_id)
            await connection.execute(insert(alert_openings), opening)
            return str(words)

        return await self._database.transaction(work)

    async def openings(self, review_ids: Collection[int]) -> Mapping[int, list[AlertOpening]]:
        """Review id → its openings, the first one first."""
        query = select(alert_openings).where(alert_openings.c.review_id.in_(review_ids))
        found: dict[int, list[AlertOpening]] = {review_id: [] for review_id in review_ids}
        for row in await self._database.rows(query.order_by(alert_openings.c.opening_id)):
            found[row.review_id].append(AlertOpening.from_row(row))
        return found

    async def unopened(self, students: Collection[str] | None) -> Mapping[str | None, int]:
        """Student id → number of alerts that are neither opened nor decided, without zeros. `students`: None for all;
        alerts without a student are counted under None."""
        query = (
            select(reviews.c.student_id, func.count().label("alerts")).where(UNOPENED).group_by(reviews.c.student_id)
        )
        if students is not None:
            query = query.where(reviews.c.student_id.in_(students))
        return {row.student_id: row.alerts for row in await self._database.rows(query)}

    async def signals(self, room: str, place_id: str) -> list[DangerSignal]:
        """The earlier dangers of this place, the oldest first."""
        here = (reviews.c.kind == "safety") & (reviews.c.room == room) & (reviews.c.place_id == place_id)
        columns = (reviews.c.tier, reviews.c.message_id, reviews.c.category)
        found = await self._database.rows(select(*columns).where(here).order_by(reviews.c.review_id))
        return [
            DangerSignal(row.tier, row.tier == 3 and number == len(found), row.message_id, row.category)
            for number, row in enumerate(found, start=1)
        ]
