"""Whose tokens proposed, approved and switched off a learned procedure, as they were labelled then."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_COLUMNS = {
    "learned_procedures": {
        "proposed_name": "proposed_by",
        "approved_name": "approved_by",
        "switched_off_name": "switched_off_by",
    },
    "procedure_versions": {"changed_name": "changed_by"},
}


def upgrade() -> None:
    tokens = sa.table("tokens", sa.column("token_id"), sa.column("label"))
    for table, columns in _COLUMNS.items():
        for name, of in columns.items():
            op.add_column(table, sa.Column(name, sa.String))
            changed = sa.table(table, sa.column(name), sa.column(of))
            label = sa.select(tokens.c.label).where(tokens.c.token_id == changed.c[of]).scalar_subquery()
            op.execute(sa.update(changed).values({name: label}))


def downgrade() -> None:
    for table, columns in _COLUMNS.items():
        for name in columns:
            op.drop_column(table, name)
