"""What happens in a turn, as the events that a page follows."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final

from redis.exceptions import RedisError

from maththera.lessons.state import Agent
from maththera.runtime.event_log import Event, EventLog

logger = logging.getLogger(__name__)

_REPORTED_FIELDS: Final = {"session_progress_stage": "stage", "ui_mode": "ui_mode"}


class InMemoryEventLog:
    """The events of one turn, for those who follow it in this process, whether Redis is there or not."""

    def __init__(self) -> None:
        self._events: list[tuple[str, Event]] = []
        self._bell = asyncio.Event()

    def add(self, number: str, event: Event) -> None:
        self._events.append((number, event))
        self._bell.set()

    async def watch(self, _lesson_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """As `EventLog.watch`. Other turns' ids are not compared: none of them is here."""
        place = next((at for at, (number, _) in enumerate(self._events, 1) if number == last_id), 0)
        while True:
            self._bell.clear()
            while place < len(self._events):
                place += 1
                yield self._events[place - 1]
            await self._bell.wait()


class LessonEventWriter:
    """Tells `events` of what happens in one request, and writes it into the lesson's log, behind the turn's back: as
    much at once as has come meanwhile."""

    def __init__(
        self, log: EventLog | None, lesson_id: str, request_id: str, after: str, titles: Mapping[Agent, str]
    ) -> None:
        """`log`: None without Redis. `after`: the id of its newest event; ours are higher whatever the clocks say."""
        self.events = InMemoryEventLog()
        self._log, self._lesson_id, self._request_id, self._titles = log, lesson_id, request_id, titles
        self._began = max(time.time_ns() // 1_000_000, int(after.partition("-")[0]) + 1)
        self._told = 0
        self._pending: list[tuple[str, str, Event]] = []
        self._writing: asyncio.Task[None] | None = None
        self._last: dict[str, Any] = {}

    def put(self, event: Mapping[str, Any]) -> None:
        self._told += 1
        number, entry = f"{self._began}-{self._told}", {**event, "request_id": self._request_id}
        self.events.add(number, entry)
        if self._log is not None:
            self._pending.append((self._lesson_id, number, entry))
            self._start_writing(self._log)

    def changed(self, update: Mapping[str, Any]) -> None:
        """Tells of an agent that begins to work, and of stage and mode where they are not what they were."""
        if (agent := update.get("current_agent")) is not None and self._new("current_agent", agent):
            self.put({"type": "agent", "agent": agent, "title": self._titles[agent]})
        for field, kind in _REPORTED_FIELDS.items():
            if (value := update.get(field)) is not None and self._new(field, value):
                self.put({"type": kind, kind: value})

    async def told(self) -> None:
        """Waits until all is written, or Redis has failed twice."""
        for _ in range(2):
            if self._log is not None and self._pending:
                self._start_writing(self._log)
            while self._writing is not None:
                await asyncio.shield(self._writing)

    def _new(self, field: str, value: object) -> bool:
        known = self._last.get(field)
        self._last[field] = value
        return known != value

    def _start_writing(self, log: EventLog) -> None:
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(log), name="lesson events")

    async def _write(self, log: EventLog) -> None:
        try:
            while self._pending:
                entries, self._pending = self._pending, []
                try:
                    await log.write(entries)
                except RedisError as error:
                    logger.warning("lesson %s: %d events not written: %r", self._lesson_id, len(entries), error)
                    self._pending = entries + self._pending
                    return
        finally:
            self._writing = None
