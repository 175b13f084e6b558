"""Procedures that adults described, and the versions of those in force."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc, utc_now

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "learned_procedures",
        sa.Column("procedure_id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("definition", sa.JSON, nullable=False),
        sa.Column("candidate_id", sa.Integer, sa.ForeignKey("rule_candidates.candidate_id", ondelete="SET NULL")),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("proposed_by", sa.String, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
        sa.Column("trial", sa.JSON),
        sa.Column("approved_by", sa.String),
        sa.Column("approved_at", Utc),
        sa.Column("switched_off_by", sa.String),
        sa.Column("switched_off_at", Utc),
    )
    op.create_table(
        "procedure_versions",
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("changed_by", sa.String, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
    )


def downgrade() -> None:
    op.drop_table("procedure_versions")
    op.drop_table("learned_procedures")
