"""Safety alerts beside their rows in the review queue: who has opened one, and how it was told outside."""

from typing import Any

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text

from maththera.learners.tables import Utc, metadata, utc_now


def _of_review(**options: Any) -> Column[int]:
    return Column("review_id", Integer, ForeignKey("reviews.review_id", ondelete="CASCADE"), nullable=False, **options)


alert_openings = Table(
    "alert_openings",
    metadata,
    Column("opening_id", Integer, primary_key=True),
    _of_review(index=True),
    Column("token_id", String, nullable=False),
    Column("role", String, nullable=False),
    Column("opened_at", Utc, nullable=False, server_default=utc_now()),
)

alert_deliveries = Table(
    "alert_deliveries",
    metadata,
    _of_review(primary_key=True),
    Column("channel", String, primary_key=True),
    # now, day, week: by the alert's urgency; unseen: once more, because nobody has opened it.
    Column("occasion", String, primary_key=True),
    # Alerts that go out in one message share its id, from the first try on.
    Column("message_id", String),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("next_try_at", Utc, nullable=False, server_default=utc_now()),
    # Until then a process is sending it; one that died in between is not waited for any longer.
    Column("leased_until", Utc),
    Column("delivered_at", Utc),
    Column("error", Text),
    Index("alert_deliveries_open", "delivered_at", "next_try_at"),
)
