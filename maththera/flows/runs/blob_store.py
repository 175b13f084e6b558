"""Bytes by name for a limited time: cached results of steps."""

import time
from typing import Final, Protocol

from redis.asyncio import Redis

PREFIX: Final = "maththera:flow:"
_MOST: Final = 2_000  # entries of a store in memory


class BlobStore(Protocol):
    """Bytes by name, kept for a number of seconds."""

    async def get(self, name: str) -> bytes | None: ...

    async def put(self, name: str, value: bytes, seconds: int) -> None: ...


class MemoryBlobs:
    """A store in memory: for runs on the command line, and tests."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[float, bytes]] = {}

    async def get(self, name: str) -> bytes | None:
        until, value = self._held.get(name, (0.0, b""))
        return value if until > time.monotonic() else None

    async def put(self, name: str, value: bytes, seconds: int) -> None:
        self._held.pop(name, None)
        self._held[name] = (time.monotonic() + seconds, value)
        while len(self._held) > _MOST:
            del self._held[next(iter(self._held))]


class RedisBlobs:
    """A store in Redis, for the service: keys `maththera:flow:…` with a TTL."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def get(self, name: str) -> bytes | None:
        found = await self._redis.get(PREFIX + name)
        return found.encode() if isinstance(found, str) else found

    async def put(self, name: str, value: bytes, seconds: int) -> None:
        await self._redis.set(PREFIX + name, value, ex=seconds)
