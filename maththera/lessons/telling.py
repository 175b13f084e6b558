"""What happens in a turn, as the events that a page follows."""

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Any, Final

from redis.exceptions import RedisError

from maththera.lessons.state import Agent
from maththera.runtime.events import Event, EventLog

logger = logging.getLogger(__name__)

_SHOWN: Final = {"session_progress_stage": "stage", "ui_mode": "ui_mode"}


class Teller:
    """Writes the events of one request into the lesson's log, behind the turn's back: as many at once as have come
    meanwhile."""

    def __init__(self, log: EventLog, lesson_id: str, request_id: str, after: str, titles: Mapping[Agent, str]) -> None:
        """`after`: the id of the log's newest event; ours are higher whatever the clocks say."""
        self._log, self._lesson_id, self._request_id, self._titles = log, lesson_id, request_id, titles
        self._began = max(time.time_ns() // 1_000_000, int(after.partition("-")[0]) + 1)
        self._told = 0
        self._pending: list[tuple[str, str, Event]] = []
        self._writing: asyncio.Task[None] | None = None
        self._last: dict[str, Any] = {}

    def put(self, event: Mapping[str, Any]) -> None:
        self._told += 1
        entry = {**event, "request_id": self._request_id}
        self._pending.append((self._lesson_id, f"{self._began}-{self._told}", entry))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="lesson events")

    def changed(self, update: Mapping[str, Any]) -> None:
        """Tells of an agent that begins to work, and of stage and mode where they are not what they were."""
        if (agent := update.get("current_agent")) is not None and self._new("current_agent", agent):
            self.put({"type": "agent", "agent": agent, "title": self._titles[agent]})
        for field, kind in _SHOWN.items():
            if (value := update.get(field)) is not None and self._new(field, value):
                self.put({"type": kind, kind: value})

    async def told(self) -> None:
        """Waits until all is written, or Redis has failed twice."""
        for _ in range(2):
            if self._pending and self._writing is None:
                self._writing = asyncio.create_task(self._write(), name="lesson events")
            while self._writing is not None:
                await asyncio.shield(self._writing)

    def _new(self, field: str, value: object) -> bool:
        known = self._last.get(field)
        self._last[field] = value
        return known != value

    async def _write(self) -> None:
        try:
            while self._pending:
                entries, self._pending = self._pending, []
                try:
                    await self._log.write(entries)
                except RedisError as error:
                    logger.warning("lesson %s: %d events not written: %r", self._lesson_id, len(entries), error)
                    self._pending = entries + self._pending
                    return
        finally:
            self._writing = None
