"""Erases a child's data everywhere (database, Redis, report files), and deletes records past retention."""

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

from maththera.chat.coach import tool_cache
from maththera.chat.messages import run_registry
from maththera.executions import flow_files
from maththera.flows.runs import run_store, step_services
from maththera.json_types import JsonObject
from maththera.reports.signed_links import report_file
from maththera.runtime import checkpointer, event_log, leases
from maththera.runtime.event_log import EventLog
from maththera.runtime.leases import LeaseTimeout, lease
from maththera.servers.client import server_manager
from maththera.store.database import Database, StoreUnavailable
from maththera.store.personal_data.erasure import ErasureReceipt, ErasureRecords, ExternalData
from maththera.store.personal_data.text_mentions import Mention, MentionSearch, mentions_in_files

logger = logging.getLogger(__name__)

UPKEEP_SECONDS: Final = 600.0
_SOON_SECONDS: Final = 10.0
"""Until the next try after a failure."""
_PAUSE_SECONDS: Final = 0.2  # between two batches of retention, for the children who are answering
_PAGE: Final = 500
_STOP_SECONDS, _LOOK_SECONDS = 5.0, 0.05
_ARRIVAL_SECONDS: Final = 0.5
"""After this time every request that was admitted before its token ended has left a record, or a turn under way that is
known."""
_OF_THREAD: Final = (
    checkpointer.PREFIX,
    checkpointer.PREFIX + run_registry.THREAD_PREFIX,
    event_log.PREFIX,
    run_store.PREFIX,
    leases.PREFIX + run_registry.THREAD_PREFIX,
    run_registry.RUN_NOTE_PREFIX,
)

_RETRY_LATER: Final = (RedisError, OSError, StoreUnavailable)
"""Errors of Redis, the disk and the database after which the upkeep tries again."""

CACHES: Final = (server_manager.CACHE_PREFIX, tool_cache.PREFIX, f"{step_services.BLOB_PREFIX}cache:")
"""Prefixes of cached results. Their keys do not name the child, so all of them are deleted."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased, without the child's id. `records`: table → rows; `keys`: in Redis. `mentions`: texts by others
    that name the child. `searched`: they were searched for all its names; else some are too short, or a file could not
    be read. `pending`: something in Redis or on the disk could not be deleted yet; the upkeep tries again. `complete`:
    searched, without mentions, and nothing pending."""

    receipt_id: str
    records: dict[str, int]
    files: int
    keys: int
    pending: bool
    mentions: list[Mention]
    searched: bool
    complete: bool

    def shown(self) -> JsonObject:
        """As JSON."""
        return asdict(self)


class DataErasure:
    def __init__(self, database: Database, redis: Redis, log: EventLog, data_dir: Path) -> None:
        self._database = database
        self._erasing, self._mentions = ErasureRecords(database), MentionSearch(database)
        self._redis: Any = redis
        self._log = log
        self._data_dir = data_dir
        self._left = asyncio.Event()

    async def erase(self, student_id: str) -> Receipt:
        """Erases everything of a child. Without Redis the records are erased now, and the rest when it is back. Raises
        StoreUnavailable."""
        called = await self._mentions.names(student_id)
        # First of all nobody begins anything for the child any more: it would be there again afterwards.
        if ended := await self._erasing.tokens(student_id):
            await asyncio.sleep(_ARRIVAL_SECONDS)
        try:
            await self._end_chat_turns(student_id)
            talks = False
        except RedisError:
            talks = True
        erased = await self._erasing.student(student_id, ended, talks=talks)
        files, keys, pending = await self._remove_outside_records(erased, request=True)
        if pending:
            self._left.set()
        mentions, searched = await self._mentions.of(called.sought), called.all_sought
        try:
            mentions += await asyncio.to_thread(mentions_in_files, self._data_dir / flow_files.FOLDER, called.sought)
        except OSError as error:
            logger.warning("saved flows cannot be searched: %s", error)
            searched = False
        complete = searched and not pending and not mentions
        records = dict(erased.records)
        return Receipt(erased.receipt_id, records, files, keys, pending, mentions, searched, complete)

    async def expire(self, days: int) -> dict[str, int]:
        """Erases sessions that began, and runs that ended, more than `days` ago; -> table → rows."""
        before = datetime.now(UTC) - timedelta(days=days)
        records: dict[str, int] = {}
        while erased := await self._erasing.older_than(before):
            await self._remove_outside_records(erased, request=False)
            for table, rows in erased.records.items():
                records[table] = records.get(table, 0) + rows
            await asyncio.sleep(_PAUSE_SECONDS)
        if records:
            with suppress(*_RETRY_LATER):  # time writes over it as well
                await self._sweep()
        return records

    async def finish(self) -> None:
        """Finishes erasures that another process left unfinished or that Redis refused."""
        for receipt_id, outside in await self._erasing.pending():
            if outside.student_id is not None:
                await self._end_chat_turns(outside.student_id)
                await self._remove(await self._erasing.late(receipt_id, outside.student_id))
            await self._remove(outside)
            await self._unlink_caches()
            await self._sweep()
            await self._erasing.done(receipt_id)

    async def upkeep(self, days: int | None) -> None:
        """Repeats `finish`, and `expire` if there is a limit, until it is cancelled."""
        while True:
            pause = UPKEEP_SECONDS
            try:
                await self.finish()
                if days is not None and (records := await self.expire(days)):
                    logger.info("erased after %d days: %s", days, records)
            except _RETRY_LATER as error:
                pause = _SOON_SECONDS
                logger.debug("erasing expired records: %s", error)
            except Exception:
                logger.exception("erasing expired records failed")
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._left.wait()
                    self._left.clear()
                    await asyncio.sleep(_SOON_SECONDS)

    async def _remove_outside_records(self, erased: ErasureReceipt, *, request: bool) -> tuple[int, int, bool]:
        """-> the numbers of deleted files and keys, and whether something is left for the upkeep"""
        outside = erased.outside
        if outside.student_id is not None:
            logger.info("receipt %s is not complete yet: Redis is away", erased.receipt_id)
            return 0, 0, True
        try:
            keys = await self._remove(outside)
            if request:
                keys += await self._unlink_caches()
                await self._sweep()
            await self._erasing.done(erased.receipt_id)
        except _RETRY_LATER as error:
            level = (
                logging.INFO if isinstance(error, RedisError) else logging.WARNING
            )  # the client says that Redis is away
            logger.log(level, "receipt %s is not complete yet: %r", erased.receipt_id, error)
            return 0, 0, True
        return len(outside.files), keys, False

    async def _remove(self, outside: ExternalData) -> int:
        """-> the number of deleted keys"""
        for report_id in outside.files:
            await asyncio.to_thread(report_file(self._data_dir, report_id).unlink, missing_ok=True)
        keys = 0
        for thread in outside.threads:
            async with self._stopped(thread):
                keys += int(await self._redis.unlink(*(prefix + thread for prefix in _OF_THREAD)))
        return keys

    async def _sweep(self) -> None:
        """Removes erased data from append-only files: empties SQLite's write-ahead file, has Redis rewrite its own."""
        await self._database.truncate_wal()
        with suppress(NoPermissionError):  # a Redis of somebody else's
            await self._aof_rewrite_ended()
            if (await self._redis.info("persistence")).get("aof_enabled"):
                await self._redis.bgrewriteaof()
                with suppress(TimeoutError):  # a private Redis may end with this process, a large one goes on by itself
                    await self._aof_rewrite_ended()

    async def _aof_rewrite_ended(self) -> None:
        """Waits until Redis is not rewriting its file."""
        async with asyncio.timeout(_STOP_SECONDS):
            while (await self._redis.info("persistence")).get("aof_rewrite_in_progress"):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_SECONDS)

    @asynccontextmanager
    async def _stopped(self, thread: str) -> AsyncIterator[None]:
        """Locks this thread: its state must not be saved again after the erasure. A turn
        under way ends first; a run that does not stop in time loses its lease, so it cannot save."""
        await self._end_chat_turn(thread)
        if await leases.holder(self._redis, thread) is not None:
            await self._log.append(thread, {"type": "cancel"})
        async with AsyncExitStack() as held:
            try:
                await held.enter_async_context(lease(self._redis, thread))
            except LeaseTimeout:
                await self._redis.unlink(leases.PREFIX + thread)
            yield

    async def _end_chat_turns(self, student_id: str) -> None:
        """Ends the child's turns under way. Searches Redis, as a conversation in its first turn has no record yet."""
        async for page in self._pages(f"{run_registry.RUN_NOTE_PREFIX}*"):
            notes = [orjson.loads(note) for note in await self._redis.mget(page) if note]
            for thread in {note["thread_id"] for note in notes if note["student_id"] == student_id}:
                await self._end_chat_turn(thread)

    async def _end_chat_turn(self, thread: str) -> None:
        name = run_registry.THREAD_PREFIX + thread
        if (holder := await leases.holder(self._redis, name)) is None:
            return
        await self._log.append(run_registry.CONTROL, {"type": "erased", "run_id": holder})
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                while await leases.holder(self._redis, name) is not None:  # noqa: ASYNC110 - another process'
                    await asyncio.sleep(_LOOK_SECONDS)

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
