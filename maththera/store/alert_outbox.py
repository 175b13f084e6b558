"""The outbox of safety alerts: which were sent outside the review queue, through which channel, and which are due.

Due alerts are found in the queue itself, so also those that were stored before a crash or while no channel was
configured are sent. A row is one alert, one channel and one occasion; rows that are sent in one message share its id. A
process leases a message before it sends it. If the process dies, another one sends the message after the lease, with
the same id, so the receiver can recognise it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TypeAlias, cast
from uuid import uuid4

from sqlalchemy import (
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    Row,
    Select,
    String,
    Table,
    Text,
    literal,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.database import Store
from maththera.store.review_queue import Urgency, reviews
from maththera.store.safety_alerts import UNOPENED
from maththera.store.schema import INSERT_BY_DIALECT, Utc, metadata, time_column, utc_now

Occasion: TypeAlias = Literal["now", "day", "week", "unseen"]
"""The urgency of the alert; `unseen`: once more, as it has not been opened."""

LEASE: Final = timedelta(seconds=180)
"""Longer than any channel takes to send a message or to give up."""

alert_deliveries: Final = Table(
    "alert_deliveries",
    metadata,
    Column("review_id", Integer, ForeignKey("reviews.review_id", ondelete="CASCADE"), primary_key=True),
    Column("channel", String, primary_key=True),
    Column("occasion", String, primary_key=True),
    Column("message_id", String),
    Column("attempts", Integer, nullable=False, server_default="0"),
    time_column("next_try_at"),
    Column("leased_until", Utc),
    Column("delivered_at", Utc),
    Column("error", Text),
    Index("alert_deliveries_open", "delivered_at", "next_try_at"),
)


@dataclass(frozen=True, slots=True)
class DueAlerts:
    """Alerts of this urgency, created before then, are sent on this occasion."""

    occasion: Occasion
    urgency: Urgency
    before: datetime


@dataclass(frozen=True, slots=True)
class AlertSummary:
    """An alert as it is sent: without the child's words."""

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
    alerts: tuple[AlertSummary, ...]


class AlertOutbox(Store):
    async def now(self) -> datetime:
        """The database's time, which is the same for all processes."""
        return cast("datetime", await self._database.value(select(utc_now())))

    async def enqueue(self, channel: str, due: DueAlerts) -> None:
        """Adds the due alerts that have not been opened, once for each channel and occasion."""
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
            fresh = INSERT_BY_DIALECT[self._database.dialect](alert_deliveries).from_select(columns, missing)
            await self._database.execute(fresh.on_conflict_do_nothing())

    async def claim(self, channel: str, now: datetime) -> AlertMessage | None:
        """Leases a due message to this process for `LEASE`; None if there is none."""
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
        await self._update_deliveries(message, delivered_at=utc_now(), leased_until=None, error=None)

    async def failed(self, message: AlertMessage, reason: str, next_try_at: datetime) -> None:
        await self._update_deliveries(message, next_try_at=next_try_at, leased_until=None, error=reason)

    async def _update_deliveries(self, message: AlertMessage, **values: Any) -> None:
        own = alert_deliveries.c.message_id == message.message_id
        await self._database.execute(update(alert_deliveries).where(own).values(**values))

    async def _any(self, query: Select[Any]) -> bool:
        """True if the query has a row. Mostly it has none, and then SQLite's writer is not needed."""
        return bool(await self._database.rows(query.limit(1)))


def _due(channel: str, now: datetime) -> ColumnElement[bool]:
    """The condition that a delivery is due. Alerts that were opened meanwhile are not sent any more."""
    return (
        (alert_deliveries.c.channel == channel)
        & alert_deliveries.c.delivered_at.is_(None)
        & (alert_deliveries.c.next_try_at <= now)
        & or_(alert_deliveries.c.leased_until.is_(None), alert_deliveries.c.leased_until <= now)
        & alert_deliveries.c.review_id.in_(select(reviews.c.review_id).where(UNOPENED))
    )


_TOLD: Final = tuple(reviews.c[name] for name in AlertSummary.__dataclass_fields__)
_OF_MESSAGE: Final = tuple(alert_deliveries.c[name] for name in ("message_id", "channel", "occasion", "attempts"))


def _alerts_of(message_id: str) -> Select[Any]:
    joined = alert_deliveries.join(reviews, reviews.c.review_id == alert_deliveries.c.review_id)
    mine = alert_deliveries.c.message_id == message_id
    return select(*_OF_MESSAGE, *_TOLD).select_from(joined).where(mine, UNOPENED).order_by(reviews.c.review_id)


def _message(rows: Sequence[Row[Any]]) -> AlertMessage:
    alerts = tuple(
        AlertSummary(**{name: row._mapping[name] for name in AlertSummary.__dataclass_fields__}) for row in rows
    )
    head = rows[0]
    return AlertMessage(head.message_id, head.channel, head.occasion, head.attempts, alerts)
