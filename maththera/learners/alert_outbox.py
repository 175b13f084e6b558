"""Which alerts have been told outside the review queue, by which channel, and which are due.

What is to be told is found in the queue itself, so an alert that was stored by any process, before a crash or while no
channel was configured, is told all the same. One row stands for an alert, a channel and an occasion; rows that go out
in one message share its id. A process claims a message for a while before it sends it: should the process die, another
one sends it after that, with the same id, by which the receiver knows it again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias
from uuid import uuid4

from sqlalchemy import ColumnElement, Row, Select, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.alerts import UNOPENED, Urgency
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import reviews, utc_now
from maththera.learners.tables_alerts import alert_deliveries

Occasion: TypeAlias = Literal["now", "day", "week", "unseen"]

LEASE: Final = timedelta(seconds=180)
"""Longer than any channel takes to send a message or to give up."""


@dataclass(frozen=True, slots=True)
class Due:
    """Alerts of this urgency that came before then are told on this occasion."""

    occasion: Occasion
    urgency: Urgency
    before: datetime


@dataclass(frozen=True, slots=True)
class ToldAlert:
    """What is told of an alert: never the words."""

    review_id: int
    category: str
    urgency: Urgency
    room: str
    student_id: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AlertMessage:
    """One message of a channel. `message_id` is the same at each of its `attempts`."""

    message_id: str
    channel: str
    occasion: Occasion
    attempts: int
    alerts: tuple[ToldAlert, ...]


class AlertOutbox:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def now(self) -> datetime:
        """The time of the database, by which all processes go."""

        async def read(connection: AsyncConnection) -> datetime:
            return (await connection.execute(select(utc_now()))).scalar_one()

        return await self._database.run(read)

    async def enter(self, channel: str, due: Due) -> None:
        """Puts down what is to be told by this channel, once: what nobody has opened yet."""
        missing = select(reviews.c.review_id, literal(channel), literal(due.occasion)).where(
            UNOPENED,
            reviews.c.urgency == due.urgency,
            reviews.c.created_at <= due.before,
            reviews.c.review_id.not_in(
                select(alert_deliveries.c.review_id).where(
                    alert_deliveries.c.channel == channel, alert_deliveries.c.occasion == due.occasion
                )
            ),
        )
        if await self._any(missing):
            columns = ("review_id", "channel", "occasion")
            fresh = INSERT[self._database.dialect](alert_deliveries).from_select(columns, missing)
            statement = fresh.on_conflict_do_nothing()
            await self._database.write(lambda connection: connection.execute(statement))

    async def claim(self, channel: str, now: datetime) -> AlertMessage | None:
        """A message that is due, for this process alone until `LEASE` has passed; None when there is none."""
        first = (
            select(alert_deliveries.c.message_id, alert_deliveries.c.occasion)
            .where(_due(channel, now))
            .order_by(alert_deliveries.c.next_try_at, alert_deliveries.c.review_id)
            .limit(1)
        )

        async def work(connection: AsyncConnection) -> AlertMessage | None:
            while (found := (await connection.execute(first)).one_or_none()) is not None:
                message_id = found.message_id or uuid4().hex
                same = (alert_deliveries.c.occasion == found.occasion) & (
                    alert_deliveries.c.message_id.is_not_distinct_from(found.message_id)
                )
                taking = update(alert_deliveries).where(_due(channel, now), same)
                taken = await connection.execute(
                    taking.values(
                        message_id=message_id,
                        attempts=alert_deliveries.c.attempts + 1,
                        leased_until=now + LEASE,
                    )
                )
                if taken.rowcount:
                    return _message((await connection.execute(_alerts_of(message_id))).all())
            return None

        return await self._database.transaction(work) if await self._any(first) else None

    async def delivered(self, message: AlertMessage) -> None:
        await self._settle(message, delivered_at=utc_now(), leased_until=None, error=None)

    async def failed(self, message: AlertMessage, reason: str, next_try_at: datetime) -> None:
        await self._settle(message, next_try_at=next_try_at, leased_until=None, error=reason)

    async def _settle(self, message: AlertMessage, **values: Any) -> None:
        own = alert_deliveries.c.message_id == message.message_id
        statement = update(alert_deliveries).where(own).values(**values)
        await self._database.write(lambda connection: connection.execute(statement))

    async def _any(self, query: Select[Any]) -> bool:
        """Most often there is nothing to do, and then nobody need wait for SQLite's one writer."""

        async def read(connection: AsyncConnection) -> bool:
            return (await connection.execute(query.limit(1))).first() is not None

        return await self._database.run(read)


def _due(channel: str, now: datetime) -> ColumnElement[bool]:
    """Not what somebody has opened meanwhile: that need not be told any more."""
    return (
        (alert_deliveries.c.channel == channel)
        & alert_deliveries.c.delivered_at.is_(None)
        & (alert_deliveries.c.next_try_at <= now)
        & or_(alert_deliveries.c.leased_until.is_(None), alert_deliveries.c.leased_until <= now)
        & alert_deliveries.c.review_id.in_(select(reviews.c.review_id).where(UNOPENED))
    )


_TOLD: Final = tuple(reviews.c[name] for name in ToldAlert.__dataclass_fields__)
_OF_MESSAGE: Final = tuple(alert_deliveries.c[name] for name in ("message_id", "channel", "occasion", "attempts"))


def _alerts_of(message_id: str) -> Select[Any]:
    joined = alert_deliveries.join(reviews, reviews.c.review_id == alert_deliveries.c.review_id)
    mine = alert_deliveries.c.message_id == message_id
    return select(*_OF_MESSAGE, *_TOLD).select_from(joined).where(mine, UNOPENED).order_by(reviews.c.review_id)


def _message(rows: Sequence[Row[Any]]) -> AlertMessage:
    alerts = tuple(ToldAlert(**{name: row._mapping[name] for name in ToldAlert.__dataclass_fields__}) for row in rows)
    head = rows[0]
    return AlertMessage(head.message_id, head.channel, head.occasion, head.attempts, alerts)
