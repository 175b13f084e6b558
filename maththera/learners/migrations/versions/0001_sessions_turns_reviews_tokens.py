"""Sessions, their turns, the review queue and the access tokens."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0001"
down_revision = None


def _created_at() -> sa.Column[object]:
    return sa.Column("created_at", Utc, nullable=False, server_default=utc_now())


def _session_id(*, primary_key: bool = False) -> sa.Column[str]:
    session = sa.ForeignKey("sessions.session_id", ondelete="CASCADE")
    return sa.Column("session_id", sa.String, session, primary_key=primary_key)


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("start", sa.JSON, nullable=False),
        _created_at(),
        sa.Column("ended_at", Utc),
    )
    op.create_index("sessions_of_student", "sessions", ["student_id", "created_at"])
    op.create_table(
        "turns",
        _session_id(primary_key=True),
        sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("request_id", sa.String, nullable=False),
        _created_at(),
        sa.Column("problem_id", sa.String),
        sa.Column("kind", sa.String),
        sa.Column("phase", sa.String),
        sa.Column("c_level", sa.Integer),
        sa.Column("w", sa.Float),
        sa.Column("correct", sa.Boolean),
        sa.Column("pattern", sa.String),
        sa.Column("rt_ms", sa.Integer),
        sa.Column("input_kind", sa.String),
        sa.Column("cause_tag", sa.String),
        sa.Column("confidence", sa.String),
        sa.Column("learner", sa.JSON),
        sa.Column("event", sa.JSON, nullable=False),
        sa.Column("llm", sa.JSON),
        sa.Column("response", sa.JSON, nullable=False),
        sa.Column("trace", sa.JSON, nullable=False),
        sa.UniqueConstraint("session_id", "request_id", name="turns_request"),
    )
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.Integer, primary_key=True),
        _session_id(),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("status", sa.String, nullable=False, server_default="open"),
        _created_at(),
    )
    op.create_index("ix_reviews_session_id", "reviews", ["session_id"])
    op.create_table(
        "tokens",
        sa.Column("token_id", sa.String, primary_key=True),
        sa.Column("hash", sa.String, nullable=False, unique=True),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("subject", sa.JSON, nullable=False),
        sa.Column("label", sa.String, nullable=False),
        _created_at(),
        sa.Column("expires_at", Utc),
        sa.Column("revoked_at", Utc),
    )
