"""What a child has answered lately: enough to say how things stand, and no more than can be read between two lines of
a conversation.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from maththera.learners.history import Answer, History, PlayedSession

SESSIONS: Final = 30
"""About six weeks of daily practice. What was weak before that may long be learnt."""


async def recent_answers(history: History, student_id: str) -> list[Answer]:
    """The turns of the child's last sessions, and the lessons of that time, the oldest first; all lessons of a child
    who has no sessions. Raises StoreUnavailable.

    This is all that the coach reads of a child's answers; `records_version` changes with them.
    """
    sessions = await history.sessions(student_id, SESSIONS)
    return await history.answers(student_id, since=began(sessions))


def began(sessions: Sequence[PlayedSession]) -> datetime | None:
    """When the first of them began."""
    return min((one.created_at for one in sessions), default=None)
