"""Counts for the operator, over all children: answers that nothing explains, and runs of flows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import func, select

from maththera.store.database import Store
from maththera.store.executions import executions
from maththera.store.tutoring_sessions import turns

_UNKNOWN: Final = "UNKNOWN"
"""The cause that is named where there is none."""
_PROBED: Final = turns.c.response["diagnosis"]["probe_needed"].as_boolean()


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """`unexplained`: pattern → wrong answers that nothing explains, and that no probe followed."""

    answered: int
    wrong: int
    degraded: int
    unexplained: dict[str, int]


class OperationFigures(Store):
    async def answers(self, since: datetime) -> AnswerFigures:
        recent = turns.c.created_at >= since
        wrong = recent & turns.c.correct.is_(False)
        degraded = turns.c.response["degraded"].as_boolean().is_(True)
        counts = select(
            func.count().filter(recent & turns.c.correct.is_not(None)).label("answered"),
            func.count().filter(wrong).label("wrong"),
            func.count().filter(recent & degraded).label("degraded"),
        ).select_from(turns)
        nothing = turns.c.cause_tag.is_(None) | (turns.c.cause_tag == _UNKNOWN)
        unexplained = (
            select(turns.c.pattern, func.count().label("answers"))
            .where(wrong, nothing, _PROBED.is_(False))
            .group_by(turns.c.pattern)
        )
        (found,) = await self._database.report(counts.where(recent))
        patterns = await self._database.report(unexplained)
        by_pattern = {row.pattern or "none": row.answers for row in patterns}
        return AnswerFigures(found.answered, found.wrong, found.degraded, by_pattern)

    async def runs(self, since: datetime) -> dict[str, int]:
        """Status → runs that began since then."""
        query = select(executions.c.status, func.count().label("runs")).where(executions.c.created_at >= since)
        rows = await self._database.report(query.group_by(executions.c.status))
        return {row.status: row.runs for row in rows}
