"""Lessons, their completed sessions and questions, and what they add up to."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "lessons",
        sa.Column("lesson_id", sa.String, primary_key=True),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("course", sa.String, nullable=False),
        sa.Column("begin", sa.JSON, nullable=False),
        sa.Column("created_at", Utc, nullable=False, server_default=utc_now()),
    )
    op.create_index("lessons_of_student", "lessons", ["student_id", "created_at"])
    op.create_table(
        "lesson_sessions",
        sa.Column("session_id", sa.String, primary_key=True),
        sa.Column("lesson_id", sa.String, sa.ForeignKey("lessons.lesson_id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("chapter", sa.Integer, nullable=False),
        sa.Column("session_count", sa.Integer, nullable=False),
        sa.Column("decision", sa.String, nullable=False),
        sa.Column("session_start_time", Utc, nullable=False),
        sa.Column("session_end_time", Utc, nullable=False),
        sa.Column("conversations", sa.JSON, nullable=False),
        sa.UniqueConstraint("lesson_id", "number", name="lesson_sessions_number"),
    )
    op.create_index("lesson_sessions_of_student", "lesson_sessions", ["student_id", "session_end_time"])
    op.create_table(
        "lesson_quizzes",
        sa.Column(
            "session_id",
            sa.String,
            sa.ForeignKey("lesson_sessions.session_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("chapter", sa.Integer, nullable=False),
        sa.Column("question_number", sa.Integer, nullable=False),
        sa.Column("question_type", sa.String, nullable=False),
        sa.Column("is_correct", sa.Integer, nullable=False),
        sa.Column("hint_count", sa.Integer, nullable=False),
        sa.Column("problem_id", sa.String),
        sa.Column("given", sa.Integer),
        sa.Column("question_content", sa.Text, nullable=False),
        sa.Column("user_answer", sa.Text, nullable=False),
        sa.Column("feedback", sa.Text, nullable=False),
    )
    op.create_index("lesson_quizzes_of_student", "lesson_quizzes", ["student_id"])
    op.create_table(
        "lesson_statistics",
        sa.Column("student_id", sa.String, primary_key=True),
        sa.Column("course", sa.String, primary_key=True),
        sa.Column("chapter", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("learning_count", sa.Integer, nullable=False),
        sa.Column("passed_count", sa.Integer, nullable=False),
        sa.Column("score_sum", sa.Integer, nullable=False),
        sa.Column("best_score", sa.Integer, nullable=False),
        sa.Column("last_score", sa.Integer, nullable=False),
        sa.Column("hint_count", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("last_at", Utc, nullable=False),
    )
