"""Sends what a saver stores: the saves of one pass of the event loop share a round trip."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat

from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.runtime.checkpoint_encoding import Range
from maththera.runtime.leases import Lease


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
