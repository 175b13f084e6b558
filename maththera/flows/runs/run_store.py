"""The data of a run beside its graph's checkpoints: the beginnings of steps that must not run twice, the results of
inner steps, and results too large for the state.

Each run has one mapping of fields. `begun <path>` is set once, and only by the process that holds the run's lease: a
process that was suspended and has lost its lease cannot begin a step that another has taken over. `ended <path>` is the
record of a step that ended, `large <path>` a result.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import orjson
from redis.asyncio import Redis

from maththera.json_types import JsonObject
from maththera.runtime.leases import Lease, LeaseLost

PREFIX: Final = "maththera:run-store:"
KEPT_SECONDS: Final = 7 * 24 * 3600  # as long as a checkpoint
BEGUN, ENDED, LARGE = "begun ", "ended ", "large "
_MOST_RUNS: Final = 500  # in memory
_MOST_ARGUMENTS: Final = 2_000  # of one command

_ADD: Final = """
if ARGV[1] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[1] then return -1 end
local first = redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return first
"""


_PUT: Final = """
if ARGV[1] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[1] and redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
for place = 3, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[place], ARGV[place + 1]) end
return redis.call('EXPIRE', KEYS[1], ARGV[2])
"""
"""The record of a step is kept even when the lease is lost, but not when the whole run has been erased."""


class RunStore(Protocol):
    """The fields of one run; values are JSON. `takes_large`: large results are kept here instead of in the state."""

    takes_large: bool

    async def add(self, field: str, value: Any) -> bool:
        """Sets a field that does not exist yet, and returns whether it was set. Raises LeaseLost."""
        ...

    async def put(self, values: Mapping[str, Any]) -> None:
        """Sets fields. Raises LeaseLost."""
        ...

    async def get(self, field: str) -> Any:
        """The value of a field, or None."""
        ...

    async def fields(self) -> list[str]: ...

    async def ended(self) -> JsonObject:
        """Path → record of every step that ended."""
        ...

    async def remove(self, fields: Iterable[str]) -> None: ...


class MemoryRunStore:
    """A store in memory: for runs on the command line, in Studio, and tests."""

    def __init__(self, *, takes_large: bool = True) -> None:
        self.takes_large = takes_large
        self._held: dict[str, bytes] = {}

    async def add(self, field: str, value: Any) -> bool:
        if field in self._held:
            return False
        self._held[field] = orjson.dumps(value)
        return True

    async def put(self, values: Mapping[str, Any]) -> None:
        self._held |= {field: orjson.dumps(value) for field, value in values.items()}

    async def get(self, field: str) -> Any:
        found = self._held.get(field)
        return None if found is None else orjson.loads(found)

    async def fields(self) -> list[str]:
        return list(self._held)

    async def ended(self) -> JsonObject:
        return _ended(self._held)

    async def remove(self, fields: Iterable[str]) -> None:
        for field in fields:
            self._held.pop(field, None)


class MemoryRunStores:
    """The stores of a process, one for each run; the oldest are dropped when there are too many."""

    def __init__(self) -> None:
        self._stores: dict[str, MemoryRunStore] = {}

    def of(self, run_id: str, *, takes_large: bool = True) -> MemoryRunStore:
        while len(self._stores) >= _MOST_RUNS and run_id not in self._stores:
            del self._stores[next(iter(self._stores))]
        return self._stores.setdefault(run_id, MemoryRunStore(takes_large=takes_large))


class RedisRunStore:
    """A store in Redis, for the service: one hash. `held`: the lease that must still be held when a step begins."""

    takes_large = True

    def __init__(self, redis: Redis, run_id: str, held: Lease | None = None) -> None:
        self._redis: Any = redis
        self._key = PREFIX + run_id
        self._lease = (held.key, held.holder) if held else (self._key, "")

    async def add(self, field: str, value: Any) -> bool:
        first = await self._redis.eval(_ADD, 2, self._key, *self._lease, field, orjson.dumps(value), KEPT_SECONDS)
        if first == -1:
            raise LeaseLost(self._key)
        return bool(first)

    async def put(self, values: Mapping[str, Any]) -> None:
        pairs = [part for field, value in values.items() for part in (field, orjson.dumps(value))]
        for start in range(0, len(pairs), _MOST_ARGUMENTS):
            part = pairs[start : start + _MOST_ARGUMENTS]
            if await self._redis.eval(_PUT, 2, self._key, *self._lease, KEPT_SECONDS, *part) == -1:
                raise LeaseLost(self._key)

    async def get(self, field: str) -> Any:
        found = await self._redis.hget(self._key, field)
        return None if found is None else orjson.loads(found)

    async def fields(self) -> list[str]:
        return [_text(field) for field in await self._redis.hkeys(self._key)]

    async def ended(self) -> JsonObject:
        return _ended({_text(field): value for field, value in (await self._redis.hgetall(self._key)).items()})

    async def remove(self, fields: Iterable[str]) -> None:
        if names := list(fields):
            await self._redis.hdel(self._key, *names)

    async def hold(self) -> None:
        """Removes the time limit while the run waits for a person; the next `add` or `put` sets it again."""
        await self._redis.persist(self._key)

    async def release(self) -> None:
        """Sets the time limit again."""
        await self._redis.expire(self._key, KEPT_SECONDS)


def _ended(held: Mapping[str, bytes]) -> JsonObject:
    return {field.removeprefix(ENDED): orjson.loads(value) for field, value in held.items() if field.startswith(ENDED)}


def _text(field: bytes | str) -> str:
    return field if isinstance(field, str) else field.decode()
