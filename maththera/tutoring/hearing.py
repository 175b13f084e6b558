"""A session's way in for words: danger is answered and "모르겠어요" is no answer, before anything else is read."""

import logging
from dataclasses import dataclass
from typing import Any

from redis.exceptions import RedisError

from maththera.learners.access import Role
from maththera.learners.database import StoreUnavailable
from maththera.tutoring.events import AnswerSubmitted, AnyEvent, words_of
from maththera.tutoring.service import TurnOutcome, TutoringService
from maththera.words.safety import Place, Safety, Sender

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hearing:
    """The service behind the front door."""

    service: TutoringService
    safety: Safety

    async def handle(
        self, session_id: str, event: AnyEvent, role: Role, away: StoreUnavailable | None = None
    ) -> TurnOutcome:
        """As `TutoringService.handle`. What tells of danger is no turn: nothing is recorded of it in the session, and
        the body has `safety` beside where the session stands. With `away` danger alone is answered; else that is
        raised."""
        sent: dict[str, Any] = event.model_dump(exclude_none=True)
        if (words := words_of(event)) is not None:
            sender = Sender(role, await self.service.owner(session_id))
            heard = await self.safety.hear(words, sender, Place("tutoring", session_id), event.request_id)
            if heard.told is not None:
                body = {"request_id": event.request_id, "safety": heard.shown(role)}
                return TurnOutcome({**await self._standing(session_id), **body}, replayed=False)
            if isinstance(event, AnswerSubmitted) and heard.reading.does_not_know:
                sent = {"type": "timeout", "request_id": event.request_id, "task_id": event.task_id}
        if away is not None:
            raise away
        return await self.service.handle(session_id, sent)

    async def _standing(self, session_id: str) -> dict[str, Any]:
        """Where the session stands; only its id where that cannot be read now."""
        try:
            return await self.service.view(session_id)
        except (StoreUnavailable, RedisError) as error:
            logger.warning("session %s: danger is answered without its task: %s", session_id, error)
            return {"session_id": session_id}
