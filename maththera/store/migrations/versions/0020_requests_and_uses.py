"""What guardians ask the school for, and when a token was last used."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc, utc_now

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("tokens", sa.Column("last_used_at", Utc))
    op.create_table(
        "guardian_requests",
        sa.Column("request_id", sa.String, primary_key=True),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("about", sa.String, nullable=False),
        sa.Column("asked_by", sa.String, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
        sa.Column("done_at", Utc),
        sa.Column("done_by", sa.String),
    )
    op.create_index("guardian_requests_of_student", "guardian_requests", ["student_id", "created_at"])


def downgrade() -> None:
    op.drop_table("guardian_requests")
    op.drop_column("tokens", "last_used_at")
