"""Conversations: whose they are, and what was said."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "threads",
        sa.Column("thread_id", sa.String, primary_key=True),
        sa.Column("profile", sa.String, nullable=False),
        sa.Column("student_id", sa.String),
        sa.Column("owner_token", sa.String),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
        sa.Column("updated_at", Utc, nullable=False, server_default=utc_now()),
    )
    op.create_index("threads_of_student", "threads", ["student_id"])
    op.create_index("threads_of_owner", "threads", ["owner_token"])
    op.create_table(
        "messages",
        sa.Column("thread_id", sa.String, sa.ForeignKey("threads.thread_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("run_id", sa.String, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("detail", sa.JSON),
    )
