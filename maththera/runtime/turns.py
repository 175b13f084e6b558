"""A turn, whatever room takes it: an answer in a session, a message in the chat or a lesson, a run of a flow.

Its steps, in this order and by these words in every room:

1. claimed: one process has the thread, by its lease (`leases.py`); a room that can do without Redis goes on alone;
2. rebuilt: where the thread stands, by its checkpoint, or by the records where that is lost or behind them;
3. answered: a request that is sent again is the same turn, and its id with another body is refused;
4. run: the room's graph, on its checkpoint;
5. recorded: before anybody learns that it is done;
6. told: its events go to its readers in this process at once, and into the event log behind its back, so that nobody
   waits for Redis; what goes wrong is told as a code. Who comes back, to whichever process, goes on after the last
   event that it has.

Here is what rooms have in common of it. Apart stay: tutoring, which runs first, on the state that came with the lease,
and asks what was answered or is to be rebuilt only when the graph refuses, as in any other order a turn would read the
state twice; the record of a turn of tutoring or of the chat, which is a node of the graph, as only so it comes before
the checkpoint; and runs of flows, which no caller waits for, since any process may take them over, and which wait for
the log with each event, as their history is read back from it when they end.
"""

import asyncio
import hashlib
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from itertools import islice
from typing import Any, Final, TypeVar

import orjson
from redis.exceptions import RedisError

from maththera.runtime.event_log import BEGINNING, Event, EventLog, event_order

logger = logging.getLogger(__name__)

Code = TypeVar("Code", bound=str)
T = TypeVar("T", bound="RunningTurn")

_PAGE: Final = 500  # events written at a time: Redis must answer in its time
_GATHER_SECONDS: Final = 0.003  # of events that are written together: a round trip costs more than they do
_SETTLE_SECONDS: Final = 10.0


class RequestIdReused(ValueError):
    """The id of an earlier request came with another body."""


def body_digest(body: Any) -> str:
    """What tells one JSON body from another, however its members are ordered."""
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def require_same_body(earlier: str | None, digest: str) -> None:
    """`earlier`: the digest of what first came with this id. RequestIdReused."""
    if earlier != digest:
        raise RequestIdReused("the request id was used before, with another body")


@contextmanager
def failures_told(turn: str, codes: Mapping[type[Exception], Code], tell: Callable[[Code], None]) -> Iterator[None]:
    """Whatever goes wrong in the block ends here, and is told as the first of the `codes` that fits; the last one is
    for every exception."""
    try:
        yield
    except tuple(codes) as error:
        kind = next(kind for kind in codes if isinstance(error, kind))
        if kind is Exception:
            logger.exception("%s failed", turn)
        else:
            # That Redis is away its client says.
            logger.log(logging.DEBUG if isinstance(error, RedisError) else logging.WARNING, "%s: %r", turn, error)
        tell(codes[kind])


class EventWriter:
    """Writes the events of all turns of this process into the log, in the order they were told, those that have come
    meanwhile together."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._pending: deque[tuple[int, str, str, Event]] = deque()
        self._put = self._written = 0
        self._writing: asyncio.Task[None] | None = None
        self._moved = asyncio.Event()

    def put(self, log_id: str, number: str, event: Event) -> None:
        self._put += 1
        self._pending.append((self._put, log_id, number, event))
        self._start()

    async def settled(self) -> bool:
        """Whether all that was put so far is in the log; False as soon as Redis fails, or if it takes too long."""
        last = self._put
        self._start()
        with suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_SECONDS):
                while self._written < last and self._writing is not None:
                    await self._moved.wait()
        return self._written >= last

    def drop(self, log_id: str) -> None:
        """What could not be written of a turn that has ended is given up."""
        self._pending = deque(entry for entry in self._pending if entry[1] != log_id)

    def _start(self) -> None:
        if self._writing is None and self._pending:
            self._writing = asyncio.create_task(self._write(), name="turn events")

    async def _write(self) -> None:
        try:
            while self._pending:
                await asyncio.sleep(_GATHER_SECONDS)
                page = list(islice(self._pending, _PAGE))
                await self._log.write([(log_id, number, event) for _, log_id, number, event in page])
                self._written = page[-1][0]
                while self._pending and self._pending[0][0] <= self._written:
                    self._pending.popleft()
                self._move()
        except RedisError as error:
            logger.debug("%d events of turns are not written: %r", len(self._pending), error)
        finally:
            self._writing = None
            self._move()

    def _move(self) -> None:
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


class RunningTurn:
    """A turn under way in this process, and what it has told, for whoever follows it here."""

    def __init__(self, log_id: str, writer: EventWriter | None, after: str = BEGINNING) -> None:
        """`writer`: None without Redis. `after`: the id of the log's newest event; ours are higher whatever the clocks
        say."""
        self.ended = False
        self._log_id, self._writer = log_id, writer
        self._began = max(time.time_ns() // 1_000_000, event_order(after)[0] + 1)
        self._events: list[Event] = []
        self._bells: set[asyncio.Event] = set()

    @property
    def begun(self) -> bool:
        """Whether anything was told."""
        return bool(self._events)

    def emit(self, event: Mapping[str, Any]) -> None:
        """Tells every reader. Nothing can follow `final`."""
        if self.ended:
            return
        self._events.append(dict(event))
        self.ended = event["type"] == "final"
        if self._writer is not None:
            self._writer.put(self._log_id, self._id(len(self._events)), self._events[-1])
        for bell in self._bells:
            bell.set()

    async def events(self, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and each as it comes, to the end."""
        bell = asyncio.Event()
        self._bells.add(bell)
        try:
            place = self._place(last_id)
            while True:
                bell.clear()
                while place < len(self._events):
                    place += 1
                    yield self._id(place), self._events[place - 1]
                if self.ended:
                    return
                await bell.wait()
        finally:
            self._bells.discard(bell)
            if not self._bells:
                self.unwatched()

    def unwatched(self) -> None:
        """Is called when the last reader has left."""

    async def settled(self) -> bool:
        """Whether the log has what was told so far."""
        return self._writer is None or await self._writer.settled()

    async def close(self) -> None:
        """Waits until the log has everything; what it does not take is given up."""
        if self._writer is not None and not (await self.settled() or await self.settled()):
            self._writer.drop(self._log_id)

    def _id(self, place: int) -> str:
        return f"{self._began}-{place}"

    def _place(self, last_id: str) -> int:
        began, place = event_order(last_id)
        return min(place, len(self._events)) if began == self._began else 0  # else an id of another turn


class Turns:
    """The turns of one room in this process: each is a task of its own, which goes on whoever follows it."""

    def __init__(self, log: EventLog) -> None:
        self.writer = EventWriter(log)
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, name: str, claimed: AbstractAsyncContextManager[T], run: Callable[[T], Awaitable[None]]) -> T:
        """The turn as it was claimed, which is now run, to its end in the log. Raises what the claim raises."""
        taken: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(_take(claimed, run, taken), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await taken

    async def aclose(self) -> None:
        """Waits for the turns under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _take(
    claimed: AbstractAsyncContextManager[T], run: Callable[[T], Awaitable[None]], taken: asyncio.Future[T]
) -> None:
    try:
        async with claimed as turn:
            if taken.cancelled():  # whoever sent it has gone before it began
                return
            taken.set_result(turn)
            try:
                await run(turn)
            finally:
                await turn.close()
    except BaseException as error:
        if taken.done():
            raise
        taken.set_exception(error)
