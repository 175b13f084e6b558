"""Runs of turns, which all processes know by their ids: a thread has one run at a time, under a lease whose holder is
the run.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from types import TracebackType
from typing import Any, Final, Self
from uuid import uuid4

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.chat.messages.turn_run import TurnRun
from maththera.json_types import JsonObject
from maththera.runtime import leases
from maththera.runtime.event_log import BEGINNING, KEPT_SECONDS, Event, EventLog, event_order
from maththera.runtime.leases import Lease, LeaseRenewals
from maththera.runtime.turns import Turns

logger = logging.getLogger(__name__)

THREAD_PREFIX: Final = "chat:"
"""Before a thread's id in the names of its lease and checkpoint: clients choose ids, and sessions have both, too."""
RUN_NOTE_PREFIX: Final = "maththera:chat:run:"
CONTROL: Final = "chat:control"
_LOOK_SECONDS: Final = 0.02
_NUMBER_AFTER_DEATH: Final = 2**40  # no run has so many events: the numbers of those that tell of its death
FINAL_EVENT: Final[Event] = {"type": "final"}
LOST_EVENT: Final[Event] = {"type": "error", "code": "lost"}
"""Before the `final` of a run whose process died."""

_NOTE: Final = """
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3]) end
return holder"""
"""The note of a run that has the lease; answers who has it."""


class RunRegistry(Turns):
    """`async with RunRegistry(redis, log) as runs`: the runs of this process, and the way to those of others."""

    def __init__(self, redis: Redis, log: EventLog) -> None:
        super().__init__(log)
        self._redis: Any = redis
        self._log = log
        self._own: dict[str, TurnRun] = {}
        self._leases = LeaseRenewals(redis)
        self._obeying: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._obeying = asyncio.create_task(self._follow_orders(), name="chat control")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for run in self._own.values():
            run.stop("stopping")
        if self._obeying is not None:
            self._obeying.cancel()
            await asyncio.wait([self._obeying])
        await self.aclose()
        self._leases.stop()

    async def claim(self, run: TurnRun, note: Mapping[str, Any]) -> str | None:
        """None when the thread is this run's now, else the run that has it. `note` is what `find` will tell.

        A run that has told its `final` has the thread no more, even if it has not given it back yet: whoever reads
        that may go on at once.
        """
        lease, text = run.lease, orjson.dumps({**note, "thread_id": run.thread_id})
        noting = ("EVAL", _NOTE, 2, lease.key, RUN_NOTE_PREFIX + run.run_id, run.run_id, text, KEPT_SECONDS)
        while not await leases.take(self._redis, lease, noting):
            if lease.answer is None:  # it was given back just then
                continue
            holder = lease.answer.decode()
            if not await self._ended(holder):
                return str(holder)
            await leases.give_back(self._redis, Lease(lease.key, holder, lease.seconds))
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

    async def find(self, run_id: str) -> JsonObject | None:
        """The note of a run, whoever works on it."""
        found = await self._redis.get(RUN_NOTE_PREFIX + run_id)
        return orjson.loads(found) if found else None

    async def running(self, thread_id: str) -> str | None:
        """The run that has the thread now; as for `claim`, none that has told its `final`."""
        holder = await self._holder(thread_id)
        return None if holder is None or await self._ended(holder) else holder

    async def _holder(self, thread_id: str) -> str | None:
        return await leases.holder(self._redis, THREAD_PREFIX + thread_id)

    @asynccontextmanager
    async def holding(self, run: TurnRun) -> AsyncIterator[None]:
        """Around the work on a claimed run."""
        self._own[run.run_id] = run
        self._leases.keep(run.lease)
        run.lease.lost.add_done_callback(lambda _: run.stop("lost"))
        try:
            yield
        finally:
            del self._own[run.run_id]
            await self._leases.end(run.lease)

    def open(self, thread_id: str, *, resumable: bool) -> TurnRun:
        # Whoever has lost it unknowingly may go on: the records take a turn once.
        lease = Lease(leases.PREFIX + THREAD_PREFIX + thread_id, uuid4().hex, leases.HELD_SECONDS, strict=False)
        return TurnRun(lease.holder, thread_id, lease, self.writer, resumable=resumable)

    def events(self, run_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and each as it comes, to the end of the run, wherever it is worked on."""
        run = self._own.get(run_id)
        return run.events(last_id) if run else self._from_log(run_id, last_id)

    async def keep(self, run_id: str) -> None:
        """Lets models be asked even when all readers leave, as a reader has come back for the run."""
        if run_id in self._own or await self._alive(run_id):
            await self._send_order(run_id, "keep")

    async def cancel(self, run_id: str, why: str = "cancelled") -> None:
        """Ends the run now, with what it has so far; `why`: the code of its error event."""
        await self._send_order(run_id, why)

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
            run.stop(order)

    async def _follow_orders(self) -> None:
        """Carries out what other processes order for the runs of this one."""
        last_id = f"{time.time_ns() // 1_000_000}-0"
        async with aclosing(self._log.watch(CONTROL, last_id)) as orders:
            async for _, order in orders:
                self._follow(order["run_id"], order["type"])

    async def _from_log(self, run_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        newest = await self._log.last_id(run_id)
        if event_order(last_id)[0] != event_order(newest)[0]:  # an id of another run
            last_id = BEGINNING
        if await self._has_read_final(run_id, last_id):
            return
        await self._ensure_final(run_id)
        async with self._final_ensured(run_id), aclosing(self._log.watch(run_id, last_id)) as events:
            async for number, event in events:
                yield number, event
                if event["type"] == "final":
                    return

    async def _has_read_final(self, run_id: str, last_id: str) -> bool:
        """Whether the reader has seen the end already, or the log no longer has it."""
        newest = await self._log.last_id(run_id)
        if event_order(last_id) < event_order(newest):
            return False
        return not await self._alive(run_id) and event_order(last_id) >= event_order(await self._log.last_id(run_id))

    async def _alive(self, run_id: str) -> bool:
        note = await self.find(run_id)
        return note is not None and await self._holder(note["thread_id"]) == run_id

    @asynccontextmanager
    async def _final_ensured(self, run_id: str) -> AsyncGenerator[None, None]:
        """Within the block, a run whose process dies gets an end in the log."""
        watching = asyncio.create_task(self._keep_ensuring_final(run_id), name=f"chat run {run_id} elsewhere")
        try:
            yield
        finally:
            watching.cancel()

    async def _keep_ensuring_final(self, run_id: str) -> None:
        while True:
            await asyncio.sleep(leases.RENEW_SECONDS)
            with suppress(RedisError):
                await self._ensure_final(run_id)

    async def _ensure_final(self, run_id: str) -> None:
        if not await self._alive(run_id):
            await self._write_final(run_id)

    async def _write_final(self, run_id: str) -> None:
        """Writes the end of a run that has none; idempotent, as several processes may notice."""
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


def is_after(number: str, last_id: str) -> bool:
    """Whether the event of this id comes after the other one, or is of another run."""
    (began, place), (last_began, last_place) = event_order(number), event_order(last_id)
    return began != last_began or place > last_place
