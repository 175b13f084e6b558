"""Safety alerts in the review queue, which holds entries of every room now; their openings and deliveries."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Entries of before are all of tutoring."""
    with op.batch_alter_table("reviews") as table:
        table.alter_column("session_id", existing_type=sa.String, nullable=True)
        for name in ("room", "place_id", "student_id", "message_id", "category", "urgency"):
            table.add_column(sa.Column(name, sa.String))
        table.add_column(sa.Column("tier", sa.Integer))
        table.add_column(sa.Column("words", sa.Text))
    op.execute(
        "UPDATE reviews SET room = 'tutoring', place_id = session_id, student_id = "
        "(SELECT student_id FROM sessions WHERE sessions.session_id = reviews.session_id)"
    )
    op.create_index("reviews_of_student", "reviews", ["student_id"])
    op.create_index("reviews_of_place", "reviews", ["room", "place_id", "message_id"], unique=True)
    op.create_table(
        "alert_openings",
        sa.Column("opening_id", sa.Integer, primary_key=True),
        _review_id(),
        sa.Column("token_id", sa.String, nullable=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("opened_at", Utc, nullable=False, server_default=utc_now()),
    )
    op.create_index("ix_alert_openings_review_id", "alert_openings", ["review_id"])
    op.create_table(
        "alert_deliveries",
        _review_id(primary_key=True),
        sa.Column("channel", sa.String, primary_key=True),
        sa.Column("occasion", sa.String, primary_key=True),
        sa.Column("message_id", sa.String),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("next_try_at", Utc, nullable=False, server_default=utc_now()),
        sa.Column("leased_until", Utc),
        sa.Column("delivered_at", Utc),
        sa.Column("error", sa.Text),
    )
    op.create_index("alert_deliveries_open", "alert_deliveries", ["delivered_at", "next_try_at"])


def _review_id(**options: Any) -> sa.Column[int]:
    review = sa.ForeignKey("reviews.review_id", ondelete="CASCADE")
    return sa.Column("review_id", sa.Integer, review, nullable=False, **options)
