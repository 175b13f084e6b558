"""Who graded an answer of a lesson, and what the rules alone would have given."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Sentences of before stay without: a model may have graded them, and nobody wrote down whether one did."""
    op.add_column("lesson_quizzes", sa.Column("graded_by", sa.String))
    op.add_column("lesson_quizzes", sa.Column("rule_score", sa.Integer))
    op.execute(
        "UPDATE lesson_quizzes SET graded_by = 'rules', rule_score = is_correct WHERE question_type = 'multiple_choice'"
    )
