"""Which problems of a session wait for an answer: known from its creation, and with every turn."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_sessions = sa.table("sessions", sa.column("session_id", sa.String), sa.column("ended_at", sa.DateTime))
_turns = sa.table(
    "turns",
    sa.column("session_id", sa.String),
    sa.column("turn", sa.Integer),
    sa.column("response", sa.JSON),
    sa.column("open_problems", sa.JSON),
)


def upgrade() -> None:
    """Sessions under way have their task from their last answer; the first task of one without an answer was not
    written down."""
    op.add_column("sessions", sa.Column("open_problems", sa.JSON))
    op.add_column("turns", sa.Column("open_problems", sa.JSON))
    connection = op.get_bind()
    last = (
        sa.select(_turns.c.session_id, sa.func.max(_turns.c.turn).label("turn"))
        .join(_sessions, _sessions.c.session_id == _turns.c.session_id)
        .where(_sessions.c.ended_at.is_(None))
        .group_by(_turns.c.session_id)
        .subquery()
    )
    this = (_turns.c.session_id == last.c.session_id) & (_turns.c.turn == last.c.turn)
    shown = sa.select(_turns.c.session_id, _turns.c.turn, _turns.c.response).join(last, this)
    for session_id, turn, response in connection.execute(shown).all():
        problem = ((response.get("task") or {}).get("problem") or {}).get("problem_id")
        own = (_turns.c.session_id == session_id) & (_turns.c.turn == turn)
        ids = [problem] if problem else []
        connection.execute(sa.update(_turns).where(own).values(open_problems=ids))
