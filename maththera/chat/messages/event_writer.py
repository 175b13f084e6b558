"""What the runs of this process tell, on its way into the event log."""

import asyncio
import logging
from collections import deque
from itertools import islice
from typing import Final

from redis.exceptions import RedisError

from maththera.runtime.event_log import Event, EventLog

logger = logging.getLogger(__name__)

_PAGE: Final = 500  # events written at a time: Redis must answer in its time
_GATHER_SECONDS: Final = 0.003  # of events that are written together: a round trip costs more than they do


class EventWriter:
    """Writes the events of all runs of this process into the log, in the order they were told, those that have come
    meanwhile together."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._pending: deque[tuple[int, str, str, Event]] = deque()
        self._put = self._written = 0
        self._writing: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()

    def put(self, run_id: str, number: str, event: Event) -> None:
        self._put += 1
        self._pending.append((self._put, run_id, number, event))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="chat journal")

    async def settled(self) -> bool:
        """Whether all that was put so far is in the log; False as soon as Redis fails."""
        last = self._put
        while self._written < last:
            if self._writing is None:
                return False
            await self._moved.wait()
        return True

    def drop(self, run_id: str) -> None:
        """What could not be written of a run that has ended is given up."""
        self._pending = deque(entry for entry in self._pending if entry[1] != run_id)

    async def _write(self) -> None:
        try:
            while self._pending:
                await asyncio.sleep(_GATHER_SECONDS)
                page = list(islice(self._pending, _PAGE))
                await self._log.write([(run_id, number, event) for _, run_id, number, event in page])
                self._written = page[-1][0]
                while self._pending and self._pending[0][0] <= self._written:
                    self._pending.popleft()
                self._move()
        except RedisError as error:
            logger.warning("chat: %d events are not written: %r", len(self._pending), error)
        finally:
            self._writing = None
            self._move()

    def _move(self) -> None:
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
