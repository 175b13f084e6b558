"""Lessons: whose they are, each completed session with its question, and what they add up to for a learner."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from maththera.learners.tables import Utc, metadata, utc_now

lessons = Table(
    "lessons",
    metadata,
    Column("lesson_id", String, primary_key=True),
    Column("student_id", String, nullable=False),
    Column("course", String, nullable=False),
    Column("begin", JSON, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Index("lessons_of_student", "student_id", "created_at"),
)

lesson_sessions = Table(
    "lesson_sessions",
    metadata,
    Column("session_id", String, primary_key=True),
    Column("lesson_id", String, ForeignKey("lessons.lesson_id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("student_id", String, nullable=False),
    Column("chapter", Integer, nullable=False),
    Column("session_count", Integer, nullable=False),
    Column("decision", String, nullable=False),
    Column("session_start_time", Utc, nullable=False),
    Column("session_end_time", Utc, nullable=False),
    Column("conversations", JSON, nullable=False),
    UniqueConstraint("lesson_id", "number", name="lesson_sessions_number"),
    Index("lesson_sessions_of_student", "student_id", "session_end_time"),
)

lesson_quizzes = Table(
    "lesson_quizzes",
    metadata,
    Column("session_id", String, ForeignKey("lesson_sessions.session_id", ondelete="CASCADE"), primary_key=True),
    Column("student_id", String, nullable=False),
    Column("chapter", Integer, nullable=False),
    Column("question_number", Integer, nullable=False),
    Column("question_type", String, nullable=False),
    Column("is_correct", Integer, nullable=False),
    # None in sentences from before these were written down.
    Column("graded_by", String),
    Column("rule_score", Integer),
    Column("hint_count", Integer, nullable=False),
    # What a question of the arithmetic course was about, where it is a problem of the ladder.
    Column("problem_id", String),
    Column("given", Integer),
    Column("question_content", Text, nullable=False),
    Column("user_answer", Text, nullable=False),
    Column("feedback", Text, nullable=False),
    Index("lesson_quizzes_of_student", "student_id"),
)

lesson_statistics = Table(
    "lesson_statistics",
    metadata,
    Column("student_id", String, primary_key=True),
    Column("course", String, primary_key=True),
    Column("chapter", Integer, primary_key=True, autoincrement=False),
    Column("learning_count", Integer, nullable=False),
    Column("passed_count", Integer, nullable=False),
    Column("score_sum", Integer, nullable=False),
    Column("best_score", Integer, nullable=False),
    Column("last_score", Integer, nullable=False),
    Column("hint_count", Integer, nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("last_at", Utc, nullable=False),
)
