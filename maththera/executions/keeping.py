"""Keeping no more of a child than may be kept: erasing everything, wherever it lies, and what has come of age."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from maththera.chat import playing, runs, tool_cache
from maththera.executions import leases
from maththera.flows import shelves
from maththera.learners.database import Database, StoreUnavailable
from maththera.learners.erasing import Erased, Erasing, Outside
from maththera.reports.links import report_file
from maththera.runtime import checkpointer, events
from maththera.runtime.events import EventLog
from maththera.runtime.locks import LockTimeout, thread_lock
from maththera.servers import cache

logger = logging.getLogger(__name__)

UPKEEP_SECONDS: Final = 600.0
_PAUSE_SECONDS: Final = 0.2  # between two batches of retention, for the children who are answering
_PAGE: Final = 500
_STOP_SECONDS, _LOOK_SECONDS = 5.0, 0.05
_ARRIVAL_SECONDS: Final = 0.5
"""By then, what was let in just before its token ended is a record, or a turn that is known to be under way."""
_OF_THREAD: Final = (
    checkpointer.PREFIX,
    checkpointer.PREFIX + playing.CHECKPOINT,
    events.PREFIX,
    leases.PREFIX,
    runs.THREAD,
    runs.NOTE,
)

_UNDONE: Final = (RedisError, OSError, StoreUnavailable)
"""What Redis, the disk or the database say when something is to be done later."""

CACHES: Final = (cache.PREFIX, tool_cache.PREFIX, f"{shelves.PREFIX}cache:")
"""Prefixes of results that are only kept for speed. Their names do not tell whose they are, so all go."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased, without a word of whose it was. `records`: table → rows; `keys`: in Redis. `complete`: False
    where Redis or the disk did not let go of something yet; the upkeep sees to it."""

    receipt_id: str
    records: dict[str, int]
    files: int
    keys: int
    complete: bool

    def shown(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


class Keeping:
    def __init__(self, database: Database, redis: Redis, log: EventLog, data_dir: Path) -> None:
        self._database = database
        self._erasing = Erasing(database)
        self._redis: Any = redis
        self._log = log
        self._data_dir = data_dir

    async def erase(self, student_id: str) -> Receipt:
        """Everything of a child. Raises StoreUnavailable, or RedisError before any record is gone."""
        await self._redis.ping()
        # First of all nobody begins anything for the child any more: it would be there again afterwards.
        if ended := await self._erasing.tokens(student_id):
            await asyncio.sleep(_ARRIVAL_SECONDS)
        await self._end_talks(student_id)
        return await self._finished(await self._erasing.student(student_id, ended), request=True)

    async def expire(self, days: int) -> dict[str, int]:
        """Erases what began, or for runs ended, more than `days` ago; -> table → rows."""
        before = datetime.now(UTC) - timedelta(days=days)
        records: dict[str, int] = {}
        while erased := await self._erasing.older_than(before):
            await self._finished(erased, request=False)
            for table, rows in erased.records.items():
                records[table] = records.get(table, 0) + rows
            await asyncio.sleep(_PAUSE_SECONDS)
        if records:
            with suppress(*_UNDONE):  # time writes over it as well
                await self._sweep()
        return records

    async def finish(self) -> None:
        """What a process left over that died, or that Redis refused."""
        for receipt_id, outside in await self._erasing.pending():
            await self._remove(outside)
            await self._sweep()
            await self._erasing.done(receipt_id)

    async def upkeep(self, days: int | None) -> None:
        """`finish`, and `expire` where there is a limit, from time to time until it is cancelled."""
        while True:
            try:
                await self.finish()
                if days is not None and (records := await self.expire(days)):
                    logger.info("erased after %d days: %s", days, records)
            except _UNDONE as error:
                logger.warning("keeping: %s", error)
            except Exception:
                logger.exception("keeping failed")
            await asyncio.sleep(UPKEEP_SECONDS)

    async def _finished(self, erased: Erased, *, request: bool) -> Receipt:
        outside = erased.outside
        try:
            keys = await self._remove(outside)
            if request:
                keys += await self._unlink_caches()
                await self._sweep()
            await self._erasing.done(erased.receipt_id)
        except _UNDONE as error:
            logger.warning("receipt %s is not complete yet: %r", erased.receipt_id, error)
            return Receipt(erased.receipt_id, dict(erased.records), 0, 0, complete=False)
        return Receipt(erased.receipt_id, dict(erased.records), len(outside.files), keys, complete=True)

    async def _remove(self, outside: Outside) -> int:
        """-> how many keys Redis had of it"""
        for report_id in outside.files:
            await asyncio.to_thread(report_file(self._data_dir, report_id).unlink, missing_ok=True)
        keys = 0
        for thread in outside.threads:
            async with self._stopped(thread):
                keys += int(await self._redis.unlink(*(prefix + thread for prefix in _OF_THREAD)))
        if outside.threads:
            keys += await self._unlink_large(set(outside.threads))
        return keys

    async def _sweep(self) -> None:
        """Of the files to which the stores append, in which what was once written goes on standing: SQLite's is
        emptied, Redis' own is written anew."""
        await self._database.sweep()
        with suppress(NoPermissionError):  # a Redis of somebody else's
            await self._rewritten()
            if (await self._redis.info("persistence")).get("aof_enabled"):
                await self._redis.bgrewriteaof()
                with suppress(TimeoutError):  # a private Redis may end with this process, a large one goes on by itself
                    await self._rewritten()

    async def _rewritten(self) -> None:
        """Waits until Redis does not write its file anew."""
        async with asyncio.timeout(_STOP_SECONDS):
            while (await self._redis.info("persistence")).get("aof_rewrite_in_progress"):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_SECONDS)

    @asynccontextmanager
    async def _stopped(self, thread: str) -> AsyncIterator[None]:
        """Whoever works on a run stops; a turn under way ends first, and none begins during the block. Else they would
        save their state afterwards."""
        if await self._redis.exists(leases.PREFIX + thread):
            await self._log.append(thread, {"type": "cancel"})
            await self._gone(leases.PREFIX + thread)
        await self._end_talk(thread)
        async with AsyncExitStack() as held:
            with suppress(LockTimeout):
                await held.enter_async_context(thread_lock(self._redis, thread))
            yield

    async def _end_talks(self, student_id: str) -> None:
        """Turns under way: the records do not know yet of a conversation that is in its first."""
        async for page in self._pages(f"{runs.NOTE}*"):
            notes = [orjson.loads(note) for note in await self._redis.mget(page) if note]
            for thread in {note["thread_id"] for note in notes if note["student_id"] == student_id}:
                await self._end_talk(thread)

    async def _end_talk(self, thread: str) -> None:
        if (holder := await self._redis.get(runs.THREAD + thread)) is not None:
            await self._log.append(runs.CONTROL, {"type": "erased", "run_id": holder.decode()})
            await self._gone(runs.THREAD + thread)

    async def _gone(self, key: str) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                while await self._redis.exists(key):  # noqa: ASYNC110 - another process'
                    await asyncio.sleep(_LOOK_SECONDS)

    async def _unlink_large(self, threads: set[str]) -> int:
        prefix = f"{shelves.PREFIX}large:"
        keys = 0
        async for page in self._pages(f"{prefix}*"):
            own = [name for name in page if name.decode().removeprefix(prefix).partition(":")[0] in threads]
            keys += int(await self._redis.unlink(*own)) if own else 0
        return keys

    async def _unlink_caches(self) -> int:
        keys = 0
        for prefix in CACHES:
            async for page in self._pages(f"{prefix}*"):
                keys += int(await self._redis.unlink(*page))
        return keys

    async def _pages(self, pattern: str) -> AsyncIterator[list[bytes]]:
        page: list[bytes] = []
        async for name in self._redis.scan_iter(match=pattern, count=_PAGE):
            page.append(name)
            if len(page) == _PAGE:
                yield page
                page = []
        if page:
            yield page
