"""What a child has answered lately: enough to say how things stand, and no more than can be read between two lines of
a conversation.
"""

from typing import Final

from maththera.learners.history import Answer, History

SESSIONS: Final = 30
"""About six weeks of daily practice. What was weak before that may long be learnt."""


async def recent_answers(history: History, student_id: str) -> list[Answer]:
    """The turns of the child's last sessions, the oldest first. Raises StoreUnavailable."""
    sessions = await history.sessions(student_id, SESSIONS)
    if not sessions:
        return []
    return await history.answers(student_id, since=min(session.created_at for session in sessions))
