"""Classes, and how children and adults sign in on a page."""

import sqlalchemy as sa
from alembic import op

from maththera.store.schema import Utc, utc_now

revision = "0014"
down_revision = "0013"

_STUDENT_COLUMNS = (
    sa.Column("nickname", sa.String),
    sa.Column("animal", sa.String),
    sa.Column("grade", sa.Integer),
    sa.Column("pictures", sa.String),
    sa.Column("card", sa.String),
    sa.Column("prefs", sa.JSON),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("tried_at", Utc),
)


def upgrade() -> None:
    with op.batch_alter_table("students") as table:
        for column in _STUDENT_COLUMNS:
            table.add_column(column._copy())
        table.create_unique_constraint("students_card_key", ["card"])
    op.add_column("tokens", sa.Column("prefs", sa.JSON))
    op.create_table(
        "classes",
        sa.Column("class_id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("owner_token", sa.String, nullable=False),
        sa.Column("code", sa.String, unique=True),
        sa.Column("code_expires_at", Utc),
        _created_at(),
    )
    op.create_table(
        "class_members",
        sa.Column("class_id", sa.String, sa.ForeignKey("classes.class_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("student_id", sa.String, primary_key=True),
        sa.Column("tile_id", sa.String, nullable=False, unique=True),
        _created_at(),
        sa.Index("class_members_of_student", "student_id"),
    )
    op.create_table(
        "sign_ins",
        sa.Column("hash", sa.String, primary_key=True),
        sa.Column("token_id", sa.String, sa.ForeignKey("tokens.token_id", ondelete="CASCADE")),
        sa.Column("student_id", sa.String),
        sa.Column("class_id", sa.String, sa.ForeignKey("classes.class_id", ondelete="CASCADE")),
        _created_at(),
        sa.Column("expires_at", Utc, nullable=False),
        sa.Index("sign_ins_by_expiry", "expires_at"),
        sa.Index("sign_ins_of_student", "student_id"),
    )


def downgrade() -> None:
    for name in ("sign_ins", "class_members", "classes"):
        op.drop_table(name)
    with op.batch_alter_table("tokens") as table:
        table.drop_column("prefs")
    with op.batch_alter_table("students") as table:
        table.drop_constraint("students_card_key", type_="unique")
        for column in _STUDENT_COLUMNS:
            table.drop_column(column.name)


def _created_at() -> sa.Column[object]:
    return sa.Column("created_at", Utc, nullable=False, server_default=utc_now())
