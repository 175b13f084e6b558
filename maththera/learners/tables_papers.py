"""The tables of the assistant: documents that can be searched, answers that were saved, and what people thought of
answers."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from maththera.learners.tables import Utc, metadata, utc_now

papers = Table(
    "papers",
    metadata,
    Column("paper_id", String, primary_key=True),
    Column("title", String, nullable=False),
    Column("authors", JSON, nullable=False),
    Column("year", Integer),
    Column("kind", String, nullable=False),
    Column("file_name", String, nullable=False),
    # Shipped with the program, not added by anybody.
    Column("starter", Boolean, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
)

passages = Table(
    "paper_passages",
    metadata,
    Column("paper_id", String, ForeignKey("papers.paper_id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("heading", String, nullable=False),
    Column("page", Integer),
    Column("text", Text, nullable=False),
    # What the search compares, told apart once, when the document is added: that takes far longer than reading it.
    Column("words", Text, nullable=False),
)

saved_files = Table(
    "saved_files",
    metadata,
    Column("file_id", String, primary_key=True),
    Column("owner_token", String, nullable=False),
    Column("student_id", String),
    Column("name", String, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Column("expires_at", Utc, nullable=False),
    Column("text", Text, nullable=False),
    Index("saved_files_by_expiry", "expires_at"),
    Index("saved_files_of_student", "student_id"),
)

answer_ratings = Table(
    "answer_ratings",
    metadata,
    Column("run_id", String, primary_key=True),
    Column("token_id", String, primary_key=True),
    Column("level", String, primary_key=True),
    Column("student_id", String),
    Column("score", Integer, nullable=False),
    Column("comment", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("prompts", JSON, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Index("answer_ratings_of_student", "student_id"),
)
