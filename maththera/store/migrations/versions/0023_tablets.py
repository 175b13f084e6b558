"""When a tablet was last used, and which children signed in on it, so that a lost one can be found and ended."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("sign_ins", sa.Column("tablet", sa.String))
    op.add_column("sign_ins", sa.Column("last_used_at", Utc))


def downgrade() -> None:
    op.drop_column("sign_ins", "last_used_at")
    op.drop_column("sign_ins", "tablet")
