"""Runs of turns: each is a task of its own that outlives whoever watches it, and a list of events with ids.

The process that works on a run gives its events their ids, shows them to its own readers at once and writes them into
the event log behind their back, so nobody waits for Redis. Readers in other processes follow the log. A thread has one
run at a time: its key in Redis names the run and ends by itself when the process that renews it dies.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from types import TracebackType
from typing import Any, Final, Self

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.chat.messages.event_writer import PAGE, EventWriter
from maththera.chat.messages.turn_run import TurnRun
from maththera.runtime.event_log import KEPT_SECONDS, Event, EventLog

logger = logging.getLogger(__name__)

THREAD_LEASE_PREFIX: Final = "maththera:chat:thread:"
RUN_NOTE_PREFIX: Final = "maththera:chat:run:"
CONTROL: Final = "chat:control"
LEASE_SECONDS: Final = 12.0
"""After so long without a sign of life a run counts as dead, and its thread is free."""
_RENEW_SECONDS: Final = 3.0
_SETTLE_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 0.02
_NUMBER_AFTER_DEATH: Final = 2**40  # no run has so many events: the numbers of those that tell of its death
FINAL_EVENT: Final[Event] = {"type": "final"}
LOST_EVENT: Final[Event] = {"type": "error", "code": "lost"}
"""Before the `final` of a run whose process died."""

_CLAIM: Final = """
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4])
  return false
end
return redis.call('GET', KEYS[1])"""
_RENEW: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""
_RELEASE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class RunRegistry:
    """`async with Runs(redis, log) as runs`: the runs of this process, and the way to those of others."""

    def __init__(self, redis: Redis, log: EventLog) -> None:
        self._redis: Any = redis
        self._log = log
        self._journal = EventWriter(log)
        self._own: dict[str, TurnRun] = {}
        self._unreleased: list[TurnRun] = []
        """Ended while Redis was away, which still says that they have their threads."""
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [
            asyncio.create_task(self._renew_all(), name="chat leases"),
            asyncio.create_task(self._obey(), name="chat control"),
        ]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        running = [run for run in self._own.values() if run.task]
        for run in running:
            self._stop(run, "stopping")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(run.task for run in running if run.task), *self._tasks, return_exceptions=True)

    async def claim(self, thread_id: str, run_id: str, note: Mapping[str, Any]) -> str | None:
        """None when the thread is this run's now, else the run that has it. `note` is what `find` will tell.

        A run that has told its `final` has the thread no more, even if it has not given it back yet: whoever reads
        that may go on at once.
        """
        keys = (THREAD_LEASE_PREFIX + thread_id, RUN_NOTE_PREFIX + run_id)
        values = (run_id, round(LEASE_SECONDS * 1000), orjson.dumps({**note, "thread_id": thread_id}), KEPT_SECONDS)
        while holder := await self._redis.eval(_CLAIM, len(keys), *keys, *values):
            if not await self._ended(holder.decode()):
                return str(holder.decode())
            await self._redis.eval(_RELEASE, 1, keys[0], holder)
        return None

    async def _ended(self, run_id: str) -> bool:
        if (run := self._own.get(run_id)) is not None:
            return run.ended
        newest = await self._log.newest(run_id)
        return newest is not None and newest[1]["type"] == "final"

    async def freed(self, thread_id: str, run_id: str, seconds: float) -> None:
        """Waits until this run has the thread no more; TimeoutError."""
        async with asyncio.timeout(seconds):
            while await self._holder(thread_id) == run_id:  # noqa: ASYNC110 - another process may work on it
                await asyncio.sleep(_LOOK_SECONDS)

    async def find(self, run_id: str) -> dict[str, Any] | None:
        """The note of a run, whoever works on it."""
        found = await self._redis.get(RUN_NOTE_PREFIX + run_id)
        return orjson.loads(found) if found else None

    async def running(self, thread_id: str) -> str | None:
        """The run that has the thread now; as for `claim`, none that has told its `final`."""
        holder = await self._holder(thread_id)
        return None if holder is None or await self._ended(holder) else holder

    async def _holder(self, thread_id: str) -> str | None:
        holder = await self._redis.get(THREAD_LEASE_PREFIX + thread_id)
        return holder.decode() if holder else None

    def start(self, run: TurnRun, work: Coroutine[Any, Any, None]) -> None:
        """Works on a claimed run, to its end."""
        self._own[run.run_id] = run
        run.task = asyncio.create_task(self._work(run, work), name=f"chat run {run.run_id}")

    def open(self, run_id: str, thread_id: str, *, resumable: bool) -> TurnRun:
        return TurnRun(run_id, thread_id, self._journal, resumable=resumable)

    async def events(self, run_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and each as it comes, to the end of the run, wherever it is worked on."""
        run = self._own.get(run_id)
        async with aclosing(run.events(last_id) if run else self._from_log(run_id, last_id)) as events:
            async for number, event in events:
                yield number, event

    async def keep(self, run_id: str) -> None:
        """Somebody has come back for the run: models go on being asked, whoever leaves."""
        if run_id in self._own or await self._alive(run_id):
            await self._send_order(run_id, "keep")

    async def cancel(self, run_id: str, why: str = "cancelled") -> None:
        """It ends now, with what there is; `why` is the code of its error event."""
        await self._send_order(run_id, why)

    async def settled(self) -> bool:
        """Whether the log has all that was told so far."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_SECONDS):
                return await self._journal.settled()
        return False

    # --- the runs of this process ---------------------------------------------------------------------------------

    async def _work(self, run: TurnRun, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        finally:
            run.emit(FINAL_EVENT)
            if not await self.settled():
                self._journal.drop(run.run_id)
            del self._own[run.run_id]
            await self._release(run)

    async def _release(self, run: TurnRun) -> None:
        try:
            await self._redis.eval(_RELEASE, 1, THREAD_LEASE_PREFIX + run.thread_id, run.run_id)
        except RedisError as error:
            logger.warning("thread %s is free when Redis is back: %r", run.thread_id, error)
            self._unreleased.append(run)

    async def _renew_all(self) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            runs, left = list(self._own.values()), self._unreleased
            self._unreleased = []
            for run in left:
                await self._release(run)
            try:
                for start in range(0, len(runs), PAGE):
                    await self._renew(runs[start : start + PAGE])
            except RedisError as error:
                logger.debug("chat leases: %r", error)

    async def _renew(self, runs: Sequence[TurnRun]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        for run in runs:
            pipeline.eval(_RENEW, 1, THREAD_LEASE_PREFIX + run.thread_id, run.run_id, round(LEASE_SECONDS * 1000))
        for run, mine in zip(runs, await pipeline.execute(), strict=True):
            if not mine:
                self._stop(run, "lost")

    def _stop(self, run: TurnRun, why: str) -> None:
        """Once, as a second time would take its last words from a run, which only an erasure may; and not before its
        task has begun, or it would have none: what is called soon is called in that order."""
        if run.task is not None and not run.ended and (run.why is None or why == "erased"):
            run.why = why
            asyncio.get_running_loop().call_soon(run.task.cancel)

    # --- across processes -----------------------------------------------------------------------------------------

    async def _send_order(self, run_id: str, order: str) -> None:
        if run_id in self._own:
            self._follow(run_id, order)
        else:
            await self._log.append(CONTROL, {"type": order, "run_id": run_id})

    def _follow(self, run_id: str, order: str) -> None:
        run = self._own.get(run_id)
        if run is None:
            return
        if order == "keep":
            run.resumable = True
        else:
            self._stop(run, order)

    async def _obey(self) -> None:
        """What other processes want of the runs of this one."""
        last_id = f"{time.time_ns() // 1_000_000}-0"
        async with aclosing(self._log.watch(CONTROL, last_id)) as orders:
            async for _, order in orders:
                self._follow(order["run_id"], order["type"])

    async def _from_log(self, run_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        newest = await self._log.last_id(run_id)
        if _order(last_id)[0] != _order(newest)[0]:  # an id of another run
            last_id = "0-0"
        if await self._told(run_id, last_id):
            return
        await self._look_after(run_id)
        async with self._mourned(run_id), aclosing(self._log.watch(run_id, last_id)) as events:
            async for number, event in events:
                yield number, event
                if event["type"] == "final":
                    return

    async def _told(self, run_id: str, last_id: str) -> bool:
        """Whether the reader has had the end already, or it is kept no longer."""
        newest = await self._log.last_id(run_id)
        if _order(last_id) < _order(newest):
            return False
        return not await self._alive(run_id) and _order(last_id) >= _order(await self._log.last_id(run_id))

    async def _alive(self, run_id: str) -> bool:
        note = await self.find(run_id)
        return note is not None and await self._holder(note["thread_id"]) == run_id

    @asynccontextmanager
    async def _mourned(self, run_id: str) -> AsyncGenerator[None, None]:
        """Meanwhile, a run whose process dies gets an end in the log."""
        watching = asyncio.create_task(self._watch_over(run_id), name=f"chat run {run_id} elsewhere")
        try:
            yield
        finally:
            watching.cancel()

    async def _watch_over(self, run_id: str) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            with suppress(RedisError):
                await self._look_after(run_id)

    async def _look_after(self, run_id: str) -> None:
        if not await self._alive(run_id):
            await self._bury(run_id)

    async def _bury(self, run_id: str) -> None:
        """The end of a run that has none, told once however many notice."""
        newest = await self._log.newest(run_id)
        if newest is not None and newest[1]["type"] == "final":
            return
        began = newest[0].partition("-")[0] if newest else "0"
        await self._log.write(
            [
                (run_id, f"{began}-{_NUMBER_AFTER_DEATH}", LOST_EVENT),
                (run_id, f"{began}-{_NUMBER_AFTER_DEATH + 1}", FINAL_EVENT),
            ]
        )


def _order(number: str) -> tuple[int, int]:
    began, _, place = number.partition("-")
    return int(began), int(place)


def is_after(number: str, last_id: str) -> bool:
    """Whether the event of this id comes behind the other one, or is of another run."""
    (began, place), (last_began, last_place) = _order(number), _order(last_id)
    return began != last_began or place > last_place
