"""Screens the words in a session's events: danger is answered, and "모르겠어요" is not graded as an answer."""

import logging
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from maththera.store.access.authorization import Role
from maththera.store.database import StoreUnavailable
from maththera.tutoring.session.service import TurnOutcome, TutoringService
from maththera.tutoring.turns.events import AnswerSubmitted, AnyEvent, words_of
from maththera.words.danger.message_safety import MessageSafety, Place, Sender

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EventScreening:
    """The tutoring service, with every message checked for danger first."""

    service: TutoringService
    safety: MessageSafety

    async def handle(self, session_id: str, event: AnyEvent, role: Role, unfit: Exception | None = None) -> TurnOutcome:
        """Like `TutoringService.handle`. A message of danger makes no turn: the session records nothing, and the body
        has `safety` beside the session's view. `unfit` is the error of an event that does not fit; it is raised unless
        the words tell of danger."""
        sent: dict[str, Any] = event.model_dump(exclude_none=True)
        if (words := words_of(event)) is not None:
            sender = Sender(role, await self.service.owner(session_id))
            heard = await self.safety.check_message(words, sender, Place("tutoring", session_id), event.request_id)
            if heard.told is not None:
                body = {"request_id": event.request_id, "safety": heard.shown(role)}
                return TurnOutcome({**await self._current_view(session_id), **body}, replayed=False)
            if isinstance(event, AnswerSubmitted) and heard.reading.does_not_know:
                sent = {"type": "timeout", "request_id": event.request_id, "task_id": event.task_id, "said": True}
        if unfit is not None:
            raise unfit
        return await self.service.handle(session_id, sent)

    async def _current_view(self, session_id: str) -> dict[str, Any]:
        """The session's view; only its id while it cannot be read."""
        try:
            return await self.service.view(session_id)
        except (StoreUnavailable, RedisError) as error:
            logger.warning("session %s: danger is answered without its task: %s", session_id, error)
            return {"session_id": session_id}
