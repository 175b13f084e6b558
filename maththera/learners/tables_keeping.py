"""What may be kept of a child, that it was erased, and what reviewers found out."""

from sqlalchemy import JSON, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from maththera.learners.tables import Utc, metadata, utc_now

consents = Table(
    "consents",
    metadata,
    Column("consent_id", Integer, primary_key=True),
    Column("student_id", String, nullable=False),
    Column("purpose", String, nullable=False),
    Column("granted", Boolean, nullable=False),
    Column("given_by", String, nullable=False),
    Column("note", Text),
    Column("recorded_by", String, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Index("consents_of_student", "student_id", "purpose", "consent_id"),
)

erasures = Table(
    "erasures",
    metadata,
    Column("receipt_id", String, primary_key=True),
    Column("reason", String, nullable=False),
    Column("erased_at", Utc, nullable=False, server_default=utc_now()),
    Column("records", JSON, nullable=False),
    # Runs' and sessions' ids and file names that are still to be removed outside the database.
    Column("pending", JSON(none_as_null=True)),
)

rule_candidates = Table(
    "rule_candidates",
    metadata,
    Column("candidate_id", Integer, primary_key=True),
    Column("operation", String, nullable=False),
    Column("cause_tag", String, nullable=False),
    Column("procedure", Text, nullable=False),
    Column("created_at", Utc, nullable=False, server_default=utc_now()),
    Index("rule_candidates_same", "operation", "cause_tag", "procedure", unique=True),
)

rule_examples = Table(
    "rule_examples",
    metadata,
    # No session and no child: an example outlives their records.
    Column("example_id", Integer, primary_key=True),
    Column(
        "candidate_id",
        Integer,
        ForeignKey("rule_candidates.candidate_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("problem_id", String, nullable=False),
    Column("answer", Integer, nullable=False),
)
