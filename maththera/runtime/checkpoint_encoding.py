"""The members of a thread's sorted set: how checkpoints and writes become bytes that Redis keeps in order.

A member is `<namespace> 0 <checkpoint id> 0 <kind> <time> <body>`. Kind `c` is a checkpoint, kind `w` the writes of one
task; the time (8 bytes, nanoseconds) keeps what is stored twice in its order. What is stored at once goes as a batch.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice, repeat
from typing import Any, NamedTuple

from langgraph.checkpoint.base import WRITES_IDX_MAP, PendingWrite, writes_sort_key
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.runtime.leases import Lease

CHECKPOINT, WRITES = b"c", b"w"
_HEAD = 9  # bytes of kind and time

Range = tuple[bytes, bytes]  # both ends as Redis wants them: "[" takes the end in, "(" leaves it out


class Record(NamedTuple):
    """One stored checkpoint, its parts still encoded, its writes in the order they were stored."""

    space: str
    checkpoint_id: str
    body: bytes
    writes: Sequence[bytes]


def member_head(space: str, checkpoint_id: str, kind: bytes) -> bytes:
    """Where a new member begins, stamped with the present time; its body follows."""
    return b"%b\0%b\0%b%b" % (space.encode(), checkpoint_id.encode(), kind, time.time_ns().to_bytes(8, "big"))


def namespace_range(space: str) -> Range:
    """All of a namespace."""
    return b"[%b\0" % space.encode(), b"(%b\1" % space.encode()


def checkpoint_range(space: str, checkpoint_id: str) -> Range:
    """One checkpoint with its writes."""
    start = b"%b\0%b" % (space.encode(), checkpoint_id.encode())
    return b"[%b\0" % start, b"(%b\1" % start


def older_range(space: str, checkpoint_id: str) -> Range:
    """The checkpoints of a namespace that were made before this one, with their writes."""
    return range_before(space, b"%b\0%b" % (space.encode(), checkpoint_id.encode()))


def range_before(space: str, start: bytes) -> Range:
    """All of a namespace that stands before the member that begins so."""
    return b"[%b\0" % space.encode(), b"(" + start


def records(members: Iterable[bytes]) -> Sequence[Record]:
    """From members in their order, the oldest checkpoint of each namespace first. Writes whose checkpoint is not there
    (it comes later, or is gone already) are left out."""
    found = []
    for (space, checkpoint_id), group in groupby((m.split(b"\0", 2) for m in members), key=lambda parts: parts[:2]):
        parts = [rest for _, _, rest in group]
        bodies = [rest[_HEAD:] for rest in parts if rest.startswith(CHECKPOINT)]
        if bodies:
            writes = [rest[_HEAD:] for rest in parts if rest.startswith(WRITES)]
            found.append(Record(space.decode(), checkpoint_id.decode(), bodies[-1], writes))
    return found


def pending(stored: Iterable[tuple[str, str, Sequence[tuple[str, Any]]]]) -> "list[PendingWrite]":
    """Writes in the order a run applies them. For a slot that was written twice, the first write of a channel counts,
    but the last error, interrupt or resume value."""
    slots: dict[tuple[str, int], tuple[str, PendingWrite]] = {}
    for task_id, task_path, writes in stored:
        for position, (channel, value) in enumerate(writes):
            slot = (task_id, WRITES_IDX_MAP.get(channel, position))
            if slot[1] < 0 or slot not in slots:
                slots[slot] = (task_path, (task_id, channel, value))
    return [slots[slot][1] for slot in sorted(slots, key=lambda slot: writes_sort_key(slots[slot][0], *slot))]


@dataclass(slots=True)
class _Batch:
    """What goes to one key in one round trip; `waiting` has a future for each caller."""

    waiting: list[asyncio.Future[None]] = field(default_factory=list)
    members: list[bytes] = field(default_factory=list)
    stale: list[Range] = field(default_factory=list)
    held: Lease | None = None

    def close(self, answers: Sequence[object]) -> None:
        """Tell the callers: the first error there was, or that all is saved. Whoever was cancelled is not told."""
        error = next((one for one in answers if isinstance(one, Exception)), None)
        if self.held is not None and not isinstance(answers[-1], Exception):
            self.held.given_back = bool(answers[-1])
        for saved in self.waiting:
            if saved.done():
                continue
            if error is None:
                saved.set_result(None)
            else:
                saved.set_exception(error)


class CheckpointBatches:
    """Gathers what is saved in one pass of the event loop, for any number of threads, into one round trip."""

    def __init__(self, redis: Redis, ttl: int) -> None:
        self._redis = redis
        self._ttl = ttl
        self._parcels: dict[str, _Batch] = {}
        self._posting: set[asyncio.Task[None]] = set()

    async def send(self, key: str, member: bytes, stale: Range | None = None, held: Lease | None = None) -> None:
        """Add a member to the set at `key`, remove the `stale` ones, renew its TTL, and then give back the lease
        `held`. Once begun, it is carried out even when the caller is cancelled."""
        loop = asyncio.get_running_loop()
        if not self._parcels:
            loop.call_soon(self._post)
        if (parcel := self._parcels.get(key)) is None:
            parcel = self._parcels[key] = _Batch()
        parcel.members.append(member)
        if stale:
            parcel.stale.append(stale)
        parcel.held = held or parcel.held
        saved = loop.create_future()
        parcel.waiting.append(saved)
        await saved

    def _post(self) -> None:
        parcels, self._parcels = self._parcels, {}
        task = asyncio.get_running_loop().create_task(self._send_batches(parcels))
        self._posting.add(task)
        task.add_done_callback(self._posting.discard)

    async def _send_batches(self, parcels: dict[str, _Batch]) -> None:
        pipe = self._redis.pipeline(transaction=False)
        lengths = []
        for key, parcel in parcels.items():
            # Add first, remove then: a connection that breaks in between leaves too much, never too little.
            pipe.zadd(key, dict.fromkeys(parcel.members, 0))
            for low, high in parcel.stale:
                pipe.zremrangebylex(key, low, high)
            pipe.expire(key, self._ttl)
            if parcel.held is not None:
                pipe.eval(*parcel.held.release())
            lengths.append(2 + len(parcel.stale) + (parcel.held is not None))
        answers: Iterator[object]
        try:
            answers = iter(await pipe.execute(raise_on_error=False))
        except RedisError as error:
            answers = repeat(error)
        for parcel, length in zip(parcels.values(), lengths, strict=True):
            parcel.close(list(islice(answers, length)))
