"""Heatmaps, generated reports, and schools with their documents."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0002"
down_revision = "0001"


def _time(name: str = "created_at") -> sa.Column[object]:
    return sa.Column(name, Utc, nullable=False, server_default=utc_now())


def upgrade() -> None:
    op.create_table(
        "heatmaps",
        sa.Column("student_id", sa.String, primary_key=True),
        sa.Column("heatmap", sa.JSON, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        _time("updated_at"),
    )
    op.create_table(
        "reports",
        sa.Column("report_id", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("student_ids", sa.JSON, nullable=False),
        sa.Column("since", sa.String, nullable=False),
        sa.Column("until", sa.String, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        _time(),
    )
    report = sa.ForeignKey("reports.report_id", ondelete="CASCADE")
    op.create_table(
        "report_students",
        sa.Column("report_id", sa.String, report, primary_key=True),
        sa.Column("student_id", sa.String, primary_key=True),
    )
    op.create_index("reports_of_student", "report_students", ["student_id"])
    op.create_table(
        "schools",
        sa.Column("school_code", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("region", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("sample", sa.Boolean, nullable=False),
        _time(),
    )
    school = sa.ForeignKey("schools.school_code", ondelete="CASCADE")
    op.create_table(
        "school_documents",
        sa.Column("document_id", sa.String, primary_key=True),
        sa.Column("school_code", sa.String, school, nullable=False),
        sa.Column("year", sa.Integer, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        _time(),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("documents_of_school", "school_documents", ["school_code", "year"])
