"""The cause that an observation after the answer names."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("task_observations", sa.Column("cause_tag", sa.String))


def downgrade() -> None:
    with op.batch_alter_table("task_observations") as table:
        table.drop_column("cause_tag")
