"""What happens in a run, kept in Redis for whoever watches it now or later, from any process.

A run is one stream, `maththera:events:<run id>`; the id of an entry is the id of the event. Each event also leaves the
run's id in one short stream for all runs, which one task of a process reads and wakes that process' watchers. So any
number of them costs one blocking connection.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from types import TracebackType
from typing import Any, Final, Self

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.json_types import JsonObject
from maththera.runtime.redis_client import ANSWER_SECONDS

logger = logging.getLogger(__name__)

PREFIX: Final = "maththera:events:"
WAKE_STREAM: Final = "maththera:bell"
BEGINNING: Final = "0-0"
"""An id before that of every event."""
KEPT_SECONDS: Final = 7 * 24 * 3600
MOST_EVENTS: Final = 20_000  # of a run; the oldest go first
_BELL_LENGTH: Final = 1_000
_PAGE: Final = 200
_BLOCK_MS: Final = round(ANSWER_SECONDS * 500)  # half of the client's own patience with Redis
_POLL_SECONDS: Final = 10.0  # a watcher looks by itself, should a bell have been lost
_PAUSE_SECONDS: Final = 0.5
_WRITE: Final = """
local prefix, most, seconds, rings = unpack(ARGV, 1, 4)
for at = 5, #ARGV, 3 do
  local place, number, event = unpack(ARGV, at, at + 2)
  local added = redis.pcall('XADD', KEYS[tonumber(place)], 'MAXLEN', '~', most, number, 'event', event)
  if added.err and not string.find(added.err, 'equal or smaller', 1, true) then return added end
end
for place = 2, #KEYS do
  redis.call('EXPIRE', KEYS[place], seconds)
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', rings, '*', 'run', string.sub(KEYS[place], prefix + 1))
end"""
"""Adds events, which Redis refuses where their id is there already; then wakes the watchers of each run."""

Event = JsonObject


def event_order(event_id: str) -> tuple[int, int]:
    """An id as what can be compared: the millisecond in which its turn began, and its place there."""
    began, _, place = event_id.partition("-")
    return int(began), int(place)


class EventLog:
    """`async with EventLog(redis) as log`. Appending raises RedisError; watchers outlast a Redis that goes away."""

    def __init__(self, redis: Redis) -> None:
        self._redis: Any = redis  # its types leave open what a client without decode_responses answers: bytes
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)

    @property
    def watched(self) -> list[str]:
        """The ids of the runs that somebody watches in this process."""
        return list(self._watchers)

    async def append(self, run_id: str, event: Mapping[str, Any]) -> str:
        """-> the event's id, higher than those of all before it"""
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.xadd(PREFIX + run_id, {"event": orjson.dumps(dict(event))}, maxlen=MOST_EVENTS, approximate=True)
        pipeline.expire(PREFIX + run_id, KEPT_SECONDS)
        pipeline.xadd(WAKE_STREAM, {"run": run_id}, maxlen=_BELL_LENGTH, approximate=True)
        added, *_ = await pipeline.execute()
        return str(added.decode())

    async def write(self, entries: Sequence[tuple[str, str, Mapping[str, Any]]]) -> None:
        """Events of any runs, (run id, event id, event), in one command: a pipeline costs this process the work of a
        command for each event. Their one writer gives the ids himself, so that he need not wait for Redis to tell them;
        what is there already stays as it is."""
        runs = dict.fromkeys(run_id for run_id, *_ in entries)
        places = {run_id: place for place, run_id in enumerate(runs, start=2)}
        keys = [WAKE_STREAM, *(PREFIX + run_id for run_id in runs)]
        events: list[str | int | bytes] = []
        for run_id, number, event in entries:
            events += (places[run_id], number, orjson.dumps(dict(event)))
        await self._redis.eval(_WRITE, len(keys), *keys, len(PREFIX), MOST_EVENTS, KEPT_SECONDS, _BELL_LENGTH, *events)

    async def after(self, run_id: str, last_id: str = BEGINNING) -> list[tuple[str, Event]]:
        """Events after `last_id`, a page of them at most."""
        found = await self._redis.xrange(PREFIX + run_id, f"({last_id}", "+", count=_PAGE)
        return [(number.decode(), orjson.loads(fields[b"event"])) for number, fields in found]

    async def all(self, run_id: str) -> list[tuple[str, Event]]:
        """Every event so far."""
        found: list[tuple[str, Event]] = []
        while page := await self.after(run_id, found[-1][0] if found else BEGINNING):
            found += page
        return found

    async def newest(self, run_id: str) -> tuple[str, Event] | None:
        """The last event so far."""
        found = await self._redis.xrevrange(PREFIX + run_id, count=1)
        return (found[0][0].decode(), orjson.loads(found[0][1][b"event"])) if found else None

    async def last_id(self, run_id: str) -> str:
        """The id of the newest event; BEGINNING when there is none."""
        found = await self.newest(run_id)
        return found[0] if found else BEGINNING

    async def watch(self, run_id: str, last_id: str = BEGINNING) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and then each as it comes; the watcher decides when it has seen the last."""
        with self._woken(run_id) as bell:
            while True:
                bell.clear()
                try:
                    page = await self.after(run_id, last_id)
                except RedisError as error:
                    logger.debug("events of %s: %r", run_id, error)
                    page = []
                for number, event in page:
                    last_id = number
                    yield number, event
                if not page:
                    await _wait_for_wake(bell)

    async def until(self, run_id: str, last_id: str, kinds: frozenset[str]) -> Event:
        """The next event of one of these types."""
        async with aclosing(self.watch(run_id, last_id)) as events:
            async for _, event in events:
                if event.get("type") in kinds:
                    return event
        raise AssertionError("a watch has no end")

    @contextmanager
    def _woken(self, run_id: str) -> Iterator[asyncio.Event]:
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read(), name="events")
        bell = asyncio.Event()
        self._watchers[run_id].add(bell)
        try:
            yield bell
        finally:
            self._watchers[run_id].discard(bell)
            if not self._watchers[run_id]:
                del self._watchers[run_id]

    async def _read(self) -> None:
        last: bytes | str = "$"
        while True:
            try:
                if last == "$":  # found once: what rings between two reads must not be missed
                    newest = await self._redis.xrevrange(WAKE_STREAM, count=1)
                    last = newest[0][0] if newest else "0-0"
                    self._ring(self._watchers)
                for _, entries in await self._redis.xread({WAKE_STREAM: last}, count=_PAGE, block=_BLOCK_MS) or ():
                    last = entries[-1][0]
                    self._ring({fields[b"run"].decode() for _, fields in entries})
            except RedisError as error:
                logger.debug("events: %r", error)  # the client says that Redis is away
                last = "$"
                await asyncio.sleep(_PAUSE_SECONDS)

    def _ring(self, runs: Any) -> None:
        for run_id in runs:
            for bell in self._watchers.get(run_id, ()):
                bell.set()


async def _wait_for_wake(bell: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(_POLL_SECONDS):
            await bell.wait()
    except TimeoutError:
        return
