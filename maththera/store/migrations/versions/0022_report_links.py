"""Links to reports have rows, so that one can be ended alone. Those that were given before open nothing any more."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "report_links",
        sa.Column("link_id", sa.String, primary_key=True),
        sa.Column(
            "report_id", sa.String, sa.ForeignKey("reports.report_id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("made_at", Utc, nullable=False),
        sa.Column("expires_at", Utc, nullable=False),
        sa.Column("opened_at", Utc),
    )


def downgrade() -> None:
    op.drop_table("report_links")
