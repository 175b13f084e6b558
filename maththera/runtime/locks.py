"""One turn at a time for each session, in all workers: a token in Redis, and in front of it a queue in the process."""

import asyncio
import logging
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PREFIX = "maththera:lock:"
HELD_SECONDS = 10.0  # a turn takes 2 s at most: a token this old belongs to a worker that died
WAIT_SECONDS = 5.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05  # seconds between two looks at a token that another worker holds

_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"

# An entry lives as long as somebody of this process holds the lock or waits for it.
_queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


class LockTimeout(TimeoutError):
    """Others held the lock for as long as the caller could wait."""


@asynccontextmanager
async def thread_lock(redis: Redis, name: str, *, ttl: float = HELD_SECONDS) -> AsyncIterator[None]:
    """Hold the lock `name` during the block; callers of one process get it in the order they came.

    The block has to end within `ttl` seconds, after which others may take the lock. Raises LockTimeout after
    WAIT_SECONDS, and RedisError when Redis cannot be asked. A Redis that fails after the block is only logged: the work
    is done, and the lock ends by itself.
    """
    queue = _queues.setdefault(name, asyncio.Lock())
    async with AsyncExitStack() as held:
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await held.enter_async_context(queue)
                await held.enter_async_context(_token(redis, PREFIX + name, ttl))
        except TimeoutError:
            raise LockTimeout(f"{name} was busy for {WAIT_SECONDS:.0f} s") from None
        yield


@asynccontextmanager
async def _token(redis: Redis, key: str, ttl: float) -> AsyncIterator[None]:
    token = secrets.token_hex(16)
    pause = _FIRST_PAUSE
    try:
        while not await redis.set(key, token, nx=True, px=round(ttl * 1000)):
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311  # only keeps waiters apart
            pause = min(1.5 * pause, _LONGEST_PAUSE)
    except asyncio.CancelledError:
        await _give_back(redis, key, token)  # Redis may have set the token although the answer was not waited for
        raise
    try:
        yield
    finally:
        if not await _give_back(redis, key, token):
            logger.warning("%s was not given back: held for more than %.0f s, or Redis failed", key, ttl)


async def _give_back(redis: Redis, key: str, token: str) -> bool:
    try:
        return bool(await redis.eval(_RELEASE, 1, key, token))
    except RedisError as error:
        logger.warning("%s: %r", key, error)
        return False
