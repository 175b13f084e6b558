"""The tables of the conversations: one row of `messages` for each thing said, on either side."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, String, Table, Text

from maththera.learners.tables import Utc, metadata, utc_now

threads = Table(
    "threads",
    metadata,
    Column("thread_id", String, primary_key=True),
    Column("profile", String, nullable=False),
    # Whom it is about, and whose it is: a learner's own thread has no owner_token, an adult's has.
    Column("student_id", String),
    Column("owner_token", String),
    Column("turns", Integer, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Column("updated_at", Utc, nullable=False, server_default=utc_now()),
    Index("threads_of_student", "student_id"),
    Index("threads_of_owner", "owner_token"),
)

messages = Table(
    "messages",
    metadata,
    Column("thread_id", String, ForeignKey("threads.thread_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("role", String, nullable=False),
    Column("run_id", String, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Column("text", Text, nullable=False),
    Column("detail", JSON(none_as_null=True)),
)
