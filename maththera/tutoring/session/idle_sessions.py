"""Sessions that nobody answers any more end by themselves, so that their tasks are free again."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Final

from maththera.store.database import Database, StoreUnavailable
from maththera.store.open_sessions import IdleSession, idle_sessions
from maththera.tutoring.session.service import TutoringService

logger = logging.getLogger(__name__)

UPKEEP_SECONDS: Final = 300.0
_BATCH: Final = 100
_PAUSE_SECONDS: Final = 0.2  # between two batches, for the children who are answering


class IdleSessions:
    """Any number of processes may do this at once: a session ends once, and an answer that comes first goes first."""

    def __init__(self, service: TutoringService, database: Database, hours: float) -> None:
        self._service, self._database = service, database
        self._after = timedelta(hours=hours)

    async def upkeep(self) -> None:
        """Ends what is idle, from time to time until it is cancelled."""
        while True:
            await asyncio.sleep(UPKEEP_SECONDS)
            try:
                await self.end(datetime.now(UTC))
            except StoreUnavailable as error:
                logger.warning("idle sessions are left for later: %s", error)
            except Exception:
                logger.exception("ending idle sessions failed")

    async def end(self, now: datetime) -> int:
        """-> how many sessions were ended. Raises StoreUnavailable."""
        ended, last = 0, None
        while batch := await idle_sessions(self._database, now - self._after, _BATCH, last):
            for session in batch:
                ended += await self._end(session)
            last = batch[-1]
            await asyncio.sleep(_PAUSE_SECONDS)
        return ended

    async def _end(self, session: IdleSession) -> bool:
        """A session that cannot be ended, as where the bank has lost its problem, does not keep the others open."""
        try:
            return await self._service.end_idle(session.session_id, session.turn)
        except StoreUnavailable:
            raise
        except Exception:
            logger.exception("session %s cannot be ended", session.session_id)
            return False
