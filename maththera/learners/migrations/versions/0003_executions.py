"""Runs of flows, and the very versions that they run."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0003"
down_revision = "0002"


def _created() -> sa.Column[object]:
    return sa.Column("created_at", Utc, nullable=False, server_default=utc_now())


def upgrade() -> None:
    op.create_table(
        "flow_versions",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("version", sa.String, nullable=False),
        _created(),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "executions",
        sa.Column("execution_id", sa.String, primary_key=True),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("flow_hash", sa.String, sa.ForeignKey("flow_versions.hash"), nullable=False),
        sa.Column("flow_name", sa.String, nullable=False),
        sa.Column("owner_token", sa.String, nullable=False),
        sa.Column("owner", sa.JSON, nullable=False),
        sa.Column("student_id", sa.String),
        sa.Column("starts", sa.Integer, nullable=False, server_default="0"),
        _created(),
        sa.Column("ended_at", Utc),
        sa.Column("command", sa.Text),
        sa.Column("inputs", sa.JSON, nullable=False),
        sa.Column("waiting", sa.JSON),
        sa.Column("answer", sa.JSON),
        sa.Column("result", sa.JSON),
        sa.Column("closing", sa.Text),
        sa.Column("error", sa.JSON),
        sa.Column("completed_steps", sa.JSON),
        sa.Column("error_log", sa.JSON),
    )
    op.create_index("executions_by_status", "executions", ["status"])
    op.create_index("executions_of_owner", "executions", ["owner_token", "created_at"])
    op.create_index("executions_of_student", "executions", ["student_id"])
