"""Documents to search, saved answers, and what people thought of answers."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0006"
down_revision = "0005"


def _created() -> sa.Column[object]:
    return sa.Column("created_at", Utc, nullable=False, server_default=utc_now())


def upgrade() -> None:
    op.create_table(
        "papers",
        sa.Column("paper_id", sa.String, primary_key=True),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("authors", sa.JSON, nullable=False),
        sa.Column("year", sa.Integer),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("file_name", sa.String, nullable=False),
        sa.Column("starter", sa.Boolean, nullable=False),
        _created(),
    )
    op.create_table(
        "paper_passages",
        sa.Column("paper_id", sa.String, sa.ForeignKey("papers.paper_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("heading", sa.String, nullable=False),
        sa.Column("page", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_table(
        "saved_files",
        sa.Column("file_id", sa.String, primary_key=True),
        sa.Column("owner_token", sa.String, nullable=False),
        sa.Column("student_id", sa.String),
        sa.Column("name", sa.String, nullable=False),
        _created(),
        sa.Column("expires_at", Utc, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("saved_files_by_expiry", "saved_files", ["expires_at"])
    op.create_index("saved_files_of_student", "saved_files", ["student_id"])
    op.create_table(
        "answer_ratings",
        sa.Column("run_id", sa.String, primary_key=True),
        sa.Column("token_id", sa.String, primary_key=True),
        sa.Column("level", sa.String, primary_key=True),
        sa.Column("student_id", sa.String),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("prompts", sa.JSON, nullable=False),
        _created(),
    )
    op.create_index("answer_ratings_of_student", "answer_ratings", ["student_id"])
