"""Goals; and a report is named by whom it is for."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc, utc_now

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "goals",
        sa.Column("goal_id", sa.String, primary_key=True),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("skill_id", sa.String, nullable=False),
        sa.Column("right", sa.Integer, nullable=False),
        sa.Column("out_of", sa.Integer, nullable=False),
        sa.Column("due", sa.String, nullable=False),
        sa.Column("baseline_word", sa.String, nullable=False),
        sa.Column("baseline_right", sa.Integer, nullable=False),
        sa.Column("baseline_tries", sa.Integer, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
        sa.UniqueConstraint("student_id", "skill_id", "due", name="goals_skill_and_day"),
        sa.Index("goals_of_student", "student_id", "due"),
    )
    _rename("diagnostic", "teacher")


def downgrade() -> None:
    op.drop_table("goals")
    _rename("teacher", "diagnostic")


def _rename(kind: str, to: str) -> None:
    reports = sa.table("reports", sa.column("kind", sa.String))
    op.execute(reports.update().where(reports.c.kind == kind).values(kind=to))
