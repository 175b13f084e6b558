"""Checkpoints of LangGraph threads in Redis, on core commands alone (Redis 6.2 or later, Valkey; no modules, no Lua).

A thread is one sorted set, `maththera:checkpoint:<thread id>`, all scores 0, so that Redis orders its members by their
bytes: by namespace, then by checkpoint id (`checkpoint_members.py`). Checkpoint ids grow with time, hence

- a load is one ZRANGEBYLEX over a namespace;
- a save is ZADD, ZREMRANGEBYLEX of all that is older, EXPIRE. LangGraph orders saves and writes only under
  `durability="sync"`; writes that overtake their own checkpoint are not older than it, so they stay;
- deleting a thread is one UNLINK and copying it one COPY, whatever characters its id has.

Saves and writes of one moment share a round trip: with `durability="exit"`, a turn that ends in an interrupt costs
four commands in two round trips. Under `RedisSaver.hold` the thread's lease is taken and given back in the same two.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NoReturn, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_serializable_checkpoint_metadata,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from redis.asyncio import Redis

from maththera.json_types import JsonObject
from maththera.runtime import checkpoint_encoding as members
from maththera.runtime.checkpoint_encoding import CHECKPOINT, WRITES, CheckpointBatches, Range, Record
from maththera.runtime.leases import HELD_SECONDS, Lease, lease

PREFIX = "maththera:checkpoint:"
WEEK_SECONDS = 7 * 24 * 3600
EVERYTHING: Range = (b"-", b"+")
_ROOT = ""  # the namespace of the graph itself; subgraphs have others
_HOLD = "__hold__"  # in a configurable: underscores keep it out of the metadata
_PAGE = 16  # members read at once when older checkpoints stand before the latest


@dataclass(slots=True)
class ThreadHold:
    """One run of a thread under its lease; `config` is the run's. After `close_with_save` the lease is given back with
    what is saved next, which has to be the run's last save."""

    config: RunnableConfig
    held: Lease
    closing: bool = False

    def close_with_save(self) -> None:
        """Nothing but the last save is left to do."""
        self.closing = True

    def take(self) -> "Sequence[bytes] | None":
        """What was read when the lease was taken; only once, since the run may change it."""
        read, self.held.answer = self.held.answer, None
        return cast("Sequence[bytes] | None", read)


class RedisSaver(BaseCheckpointSaver[int]):
    """Async checkpoint saver. `history` is the number of checkpoints kept for each namespace, None for all of them.

    The TTL (seconds) of a thread starts anew with everything saved to it. Errors of Redis, time-outs included, are
    raised as they come: a checkpoint that could not be read is never taken for one that does not exist.

    State that LangGraph stores as differences (`DeltaChannel`) needs its ancestors, so saving it raises ValueError
    unless `history` is None. Namespaces of finished subgraph runs stay until their thread expires or is deleted.
    """

    def __init__(self, redis: Redis, *, ttl: int = WEEK_SECONDS, history: int | None = 1) -> None:
        if redis.connection_pool.connection_kwargs.get("decode_responses"):
            raise ValueError("checkpoints are bytes: open Redis without decode_responses")
        if history is not None and history < 1:
            raise ValueError(f"history must be at least 1, or None for all: {history}")
        super().__init__(serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self._redis = redis
        self._history = history
        self._ttl = ttl
        self._outbox = CheckpointBatches(redis, ttl)

    @asynccontextmanager
    async def hold(self, thread_id: str, *, seconds: float = HELD_SECONDS) -> AsyncIterator[ThreadHold]:
        """Hold a thread's lease, as `lease` does, for one run with the `config` of what comes back: the run's load
        is in the round trip that takes the lease, and its save can be in the one that gives it back."""
        config = _config(thread_id, _ROOT)
        load = ("ZRANGEBYLEX", PREFIX + thread_id, *members.namespace_range(_ROOT))
        async with lease(self._redis, thread_id, seconds=seconds, along=load) as held:
            hold = config["configurable"][_HOLD] = ThreadHold(config, held)
            yield hold

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that `config` names, or the latest of its thread and namespace; None when there is none."""
        thread_id, space = _address(config)
        hold: ThreadHold | None = config["configurable"].get(_HOLD)
        found: Sequence[Record]
        if checkpoint_id := get_checkpoint_id(config):
            found = await self._read(thread_id, members.checkpoint_range(space, checkpoint_id))
        elif hold is not None and space == _ROOT and (read := hold.take()) is not None:
            found = members.records(read)
        elif self._history == 1:
            found = await self._read(thread_id, members.namespace_range(space))
        else:
            found = await self._latest(thread_id, members.namespace_range(space))
        return self._tuple(thread_id, found[-1]) if found else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: JsonObject | None = None,  # noqa: A002  # named by LangGraph
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Checkpoints of one thread, or of all threads when `config` is None; newest first within a thread."""
        wanted = config["configurable"] if config else {}
        space, checkpoint_id = wanted.get("checkpoint_ns"), wanted.get("checkpoint_id")
        end = get_checkpoint_id(before) if before else None
        left = limit
        async for thread_id in self._threads(wanted.get("thread_id")):
            for record in sorted(await self._read(thread_id), key=_age, reverse=True):
                if left == 0:
                    return
                if space not in (None, record.space) or checkpoint_id not in (None, record.checkpoint_id):
                    continue
                if end and record.checkpoint_id >= end:
                    continue
                found = self._tuple(thread_id, record)
                metadata: JsonObject = {**found.metadata}
                if all(metadata.get(name) == value for name, value in (filter or {}).items()):
                    yield found
                    left = None if left is None else left - 1

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,  # noqa: ARG002  # all values are stored: they are small, and one load finds them
    ) -> RunnableConfig:
        """Save a checkpoint and drop those that the history has no room for."""
        if self._history is not None and metadata.get("counters_since_delta_snapshot"):
            raise ValueError("DeltaChannel state needs its ancestors: use RedisSaver(history=None)")
        thread_id, space = _address(config)
        checkpoint_id = checkpoint["id"]
        metadata = get_serializable_checkpoint_metadata(config, metadata)
        body = self._dump((checkpoint, metadata, get_checkpoint_id(config)))
        head = members.member_head(space, checkpoint_id, CHECKPOINT)
        stale = members.range_before(space, head) if self._history == 1 else None
        await self._outbox.send(PREFIX + thread_id, head + body, stale, _closing(config))
        if self._history is not None and self._history > 1:
            await self._trim(thread_id, self._history, members.namespace_range(space))
        return _config(thread_id, space, checkpoint_id)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what one task wrote on top of a checkpoint."""
        thread_id, space = _address(config)
        body = self._dump((task_id, task_path, tuple(writes)))
        head = members.member_head(space, config["configurable"]["checkpoint_id"], WRITES)
        await self._outbox.send(PREFIX + thread_id, head + body, held=_closing(config))

    async def persist(self, thread_id: str) -> None:
        """Without a limit of time, for a thread that waits for a person; the next save sets one again."""
        await self._redis.persist(PREFIX + thread_id)

    async def expire(self, thread_id: str) -> None:
        """With a limit of time again, for a thread that waits no more."""
        await self._redis.expire(PREFIX + thread_id, self._ttl)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete everything of one thread."""
        await self._redis.unlink(PREFIX + thread_id)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread over another: checkpoints, writes and the time it has left to live."""
        await self._redis.copy(PREFIX + source_thread_id, PREFIX + target_thread_id, replace=True)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """`keep_latest` leaves the latest checkpoint of each namespace (and the ancestors that its DeltaChannels are
        read from), `delete` leaves nothing."""
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"unknown strategy {strategy!r}: keep_latest or delete")
        for thread_id in thread_ids:
            await (self.adelete_thread(thread_id) if strategy == "delete" else self._trim(thread_id, 1))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints that these runs made. Reads every thread: for maintenance, not for requests."""
        runs = set(run_ids)
        async for thread_id in self._threads():
            made = [r for r in await self._read(thread_id) if self._load(r.body)[1].get("run_id") in runs]
            await self._remove(thread_id, [members.checkpoint_range(r.space, r.checkpoint_id) for r in made])

    async def _threads(self, thread_id: str | None = None) -> AsyncIterator[str]:
        if thread_id is not None:
            yield thread_id
            return
        seen: set[bytes] = set()  # SCAN may show a key twice
        async for key in self._redis.scan_iter(match=PREFIX + "*", count=500):
            if key not in seen:
                seen.add(key)
                yield key.decode().removeprefix(PREFIX)

    async def _read(self, thread_id: str, part: Range = EVERYTHING) -> Sequence[Record]:
        found = await self._redis.zrangebylex(PREFIX + thread_id, *part)
        return members.records(cast("Sequence[bytes]", found))

    async def _latest(self, thread_id: str, part: Range) -> Sequence[Record]:
        """Read backwards, until a checkpoint stands before its writes."""
        low, high = part
        found: list[bytes] = []
        while page := await self._redis.zrevrangebylex(PREFIX + thread_id, high, low, start=len(found), num=_PAGE):
            found += cast("list[bytes]", page)
            if complete := members.records(reversed(found)):
                return complete
        return ()

    async def _trim(self, thread_id: str, keep: int, part: Range = EVERYTHING) -> None:
        """Leave the `keep` latest checkpoints of each namespace."""
        stale = []
        for space, group in groupby(await self._read(thread_id, part), key=lambda record: record.space):
            history = list(group)
            stale.append(members.older_range(space, self._oldest_needed(history, history[-keep:][0])))
        await self._remove(thread_id, stale)

    def _oldest_needed(self, history: Sequence[Record], record: Record) -> str:
        """The id of `record`, or of its nearest ancestor that holds every channel whole."""
        by_id = {r.checkpoint_id: r for r in history}
        while True:
            _, metadata, parent = self._load(record.body)
            if not metadata.get("counters_since_delta_snapshot") or parent not in by_id:
                return record.checkpoint_id
            record = by_id[parent]

    async def _remove(self, thread_id: str, parts: Iterable[Range]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for low, high in parts:
            pipe.zremrangebylex(PREFIX + thread_id, low, high)
        await pipe.execute()

    def _tuple(self, thread_id: str, record: Record) -> CheckpointTuple:
        checkpoint, metadata, parent = self._load(record.body)
        return CheckpointTuple(
            config=_config(thread_id, record.space, record.checkpoint_id),
            checkpoint=checkpoint,
            metadata=metadata,
            parent_config=_config(thread_id, record.space, parent) if parent else None,
            pending_writes=members.pending(map(self._load, record.writes)),
        )

    def _dump(self, value: object) -> bytes:
        return self.serde.dumps_typed(value)[1]

    def _load(self, body: bytes) -> Any:
        return self.serde.loads_typed(("msgpack", body))

    def _async_only(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError("RedisSaver is asynchronous: use ainvoke, astream, aget_state, aupdate_state …")

    get_tuple = list = put = put_writes = delete_thread = delete_for_runs = copy_thread = prune = _async_only


def _address(config: RunnableConfig) -> tuple[str, str]:
    configurable = config["configurable"]
    return str(configurable["thread_id"]), configurable.get("checkpoint_ns", "")


def _config(thread_id: str, space: str, checkpoint_id: str | None = None) -> RunnableConfig:
    named = {} if checkpoint_id is None else {"checkpoint_id": checkpoint_id}
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": space, **named}}


def _closing(config: RunnableConfig) -> Lease | None:
    hold: ThreadHold | None = config["configurable"].get(_HOLD)
    return hold.held if hold is not None and hold.closing else None


def _age(record: Record) -> str:
    return record.checkpoint_id
