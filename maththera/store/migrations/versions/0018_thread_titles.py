"""What a conversation is called."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("threads", sa.Column("title", sa.String))


def downgrade() -> None:
    op.drop_column("threads", "title")
