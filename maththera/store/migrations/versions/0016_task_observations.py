"""What was seen of a child at a task."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc, utc_now

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "task_observations",
        sa.Column("session_id", sa.String, sa.ForeignKey("sessions.session_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("task_id", sa.String, primary_key=True),
        sa.Column("tag", sa.String, primary_key=True),
        sa.Column("seen_by", sa.String, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
    )


def downgrade() -> None:
    op.drop_table("task_observations")
