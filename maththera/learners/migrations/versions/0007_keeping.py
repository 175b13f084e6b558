"""Decisions on reviews, the rules that they suggest, consents, and receipts of erasures."""

import sqlalchemy as sa
from alembic import op

from maththera.learners.tables import Utc, utc_now

revision = "0007"
down_revision = "0006"


def _time(name: str = "created_at") -> sa.Column[object]:
    return sa.Column(name, Utc, nullable=False, server_default=utc_now())


def upgrade() -> None:
    for column in (
        sa.Column("decided_at", Utc),
        sa.Column("decided_by", sa.String),
        sa.Column("decision", sa.JSON),
    ):
        op.add_column("reviews", column)
    op.create_index("reviews_by_status", "reviews", ["status", "review_id"])
    op.create_table(
        "consents",
        sa.Column("consent_id", sa.Integer, primary_key=True),
        sa.Column("student_id", sa.String, nullable=False),
        sa.Column("purpose", sa.String, nullable=False),
        sa.Column("granted", sa.Boolean, nullable=False),
        sa.Column("given_by", sa.String, nullable=False),
        sa.Column("note", sa.Text),
        sa.Column("recorded_by", sa.String, nullable=False),
        _time(),
    )
    op.create_index("consents_of_student", "consents", ["student_id", "purpose", "consent_id"])
    op.create_table(
        "erasures",
        sa.Column("receipt_id", sa.String, primary_key=True),
        sa.Column("reason", sa.String, nullable=False),
        _time("erased_at"),
        sa.Column("records", sa.JSON, nullable=False),
        sa.Column("pending", sa.JSON),
    )
    op.create_table(
        "rule_candidates",
        sa.Column("candidate_id", sa.Integer, primary_key=True),
        sa.Column("operation", sa.String, nullable=False),
        sa.Column("cause_tag", sa.String, nullable=False),
        sa.Column("procedure", sa.Text, nullable=False),
        _time(),
    )
    same = ["operation", "cause_tag", "procedure"]
    op.create_index("rule_candidates_same", "rule_candidates", same, unique=True)
    candidate = sa.ForeignKey("rule_candidates.candidate_id", ondelete="CASCADE")
    op.create_table(
        "rule_examples",
        sa.Column("example_id", sa.Integer, primary_key=True),
        sa.Column("candidate_id", sa.Integer, candidate, nullable=False),
        sa.Column("problem_id", sa.String, nullable=False),
        sa.Column("answer", sa.Integer, nullable=False),
    )
    op.create_index("ix_rule_examples_candidate_id", "rule_examples", ["candidate_id"])
