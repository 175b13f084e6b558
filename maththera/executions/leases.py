"""Which process works on a run: a token in Redis that ends by itself when the process does."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.flows.runs.run_store import LeaseLost
from maththera.runtime.checkpointer import RedisSaver

logger = logging.getLogger(__name__)

PREFIX: Final = "maththera:run:"
HELD_SECONDS: Final = 12.0
"""After so long without a sign of life, another process goes on with the run."""
_RENEW_SECONDS: Final = 3.0

_PATIENCE_SECONDS, _LOOK_SECONDS = 0.5, 0.05
"""A run that has just come to a question is let go within this time; its answer may be as quick."""

_IF_MINE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call({}) end return 0"
_RENEW: Final = _IF_MINE.format("'PEXPIRE', KEYS[1], ARGV[2]")
_RELEASE: Final = _IF_MINE.format("'DEL', KEYS[1]")


@dataclass(frozen=True, slots=True)
class HeldLease:
    """A lease that this process has. `lost` is done when another may have it, so that the work must stop; until then
    `token` stands under `key`, which tells what was suspended meanwhile that it has it no longer."""

    key: str
    token: str
    lost: asyncio.Task[None]


class LeasedSaver(RedisSaver):
    """Saves for as long as the lease is held: a process that was suspended must not overwrite what another has saved
    since. Raises LeaseLost."""

    def __init__(self, redis: Redis, held: HeldLease) -> None:
        super().__init__(redis)
        self._held = held

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        await self._fence()
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        await self._fence()
        await super().aput_writes(config, writes, task_id, task_path)

    async def _fence(self) -> None:
        found: Any = await self._redis.get(self._held.key)
        if found is None or found.decode() != self._held.token:
            raise LeaseLost(self._held.key)


@asynccontextmanager
async def lease(redis: Redis, run_id: str) -> AsyncIterator[HeldLease | None]:
    """None when another process has it."""
    key, token = PREFIX + run_id, secrets.token_hex(16)
    until = time.monotonic() + _PATIENCE_SECONDS
    while not await redis.set(key, token, nx=True, px=round(HELD_SECONDS * 1000)):
        if time.monotonic() > until:
            yield None
            return
        await asyncio.sleep(_LOOK_SECONDS)
    renewing = asyncio.create_task(_renew(redis, key, token), name=f"lease of {run_id}")
    try:
        yield HeldLease(key, token, renewing)
    finally:
        renewing.cancel()
        try:
            await _eval(redis, _RELEASE, 1, key, token)
        except RedisError as error:
            logger.warning("%s was not given back: %r", key, error)


async def leased_runs(redis: Redis, run_ids: list[str]) -> set[str]:
    """Those of the runs that some process works on."""
    if not run_ids:
        return set()
    held = await redis.mget([PREFIX + run_id for run_id in run_ids])
    return {run_id for run_id, token in zip(run_ids, held, strict=True) if token is not None}


async def _renew(redis: Redis, key: str, token: str) -> None:
    """Ends when another has the lease, or may have it by now."""
    renewed = time.monotonic()
    while time.monotonic() - renewed < HELD_SECONDS - _RENEW_SECONDS:
        await asyncio.sleep(_RENEW_SECONDS)
        try:
            if not await _eval(redis, _RENEW, 1, key, token, round(HELD_SECONDS * 1000)):
                return
            renewed = time.monotonic()
        except RedisError as error:
            logger.debug("%s was not renewed: %r", key, error)


async def _eval(redis: Redis, script: str, keys: int, *values: str | int) -> bool:
    answer: Any = redis.eval(script, keys, *values)
    return bool(await answer)
