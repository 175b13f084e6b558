"""One turn at a time for each session, in all workers: a token in Redis, and in front of it a queue in the process."""

import asyncio
import logging
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PREFIX = "maththera:lock:"
HELD_SECONDS = 10.0  # a turn takes 2 s at most: a token this old belongs to a worker that died
WAIT_SECONDS = 5.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05  # seconds between two looks at a token that another worker holds

_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"

Command = tuple[Any, ...]  # its name and its arguments

# An entry lives as long as somebody of this process holds the lock or waits for it.
_queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


class LockTimeout(TimeoutError):
    """Others held the lock for as long as the caller could wait."""


@dataclass(slots=True)
class HeldLock:
    """A lock that is held. `answer`: of the command that was sent along. `given_back`: whether Redis still had this
    token then; None while nobody has asked."""

    key: str
    token: str
    answer: Any = None
    given_back: bool | None = None

    def release(self) -> tuple[str, int, str, str]:
        """The arguments of the EVAL that gives it back, for a caller that sends it with the block's last command."""
        return _RELEASE, 1, self.key, self.token


@asynccontextmanager
async def thread_lock(
    redis: Redis, name: str, *, ttl: float = HELD_SECONDS, along: Command | None = None
) -> AsyncIterator[HeldLock]:
    """Hold the lock `name` during the block; callers of one process get it in the order they came.

    `along` is sent in the same round trip, behind the lock, and its answer is that of the time when the lock was got.
    The block has to end within `ttl` seconds, after which others may take the lock. Raises LockTimeout after
    WAIT_SECONDS, and RedisError when Redis cannot be asked. A Redis that fails after the block is only logged: the work
    is done, and the lock ends by itself.
    """
    queue = _queues.setdefault(name, asyncio.Lock())
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await stack.enter_async_context(queue)
                held = await stack.enter_async_context(_token(redis, PREFIX + name, ttl, along))
        except TimeoutError:
            raise LockTimeout(f"{name} was busy for {WAIT_SECONDS:.0f} s") from None
        yield held


@asynccontextmanager
async def _token(redis: Redis, key: str, ttl: float, along: Command | None) -> AsyncIterator[HeldLock]:
    held = HeldLock(key, secrets.token_hex(16))
    pause = _FIRST_PAUSE
    try:
        while not await _taken(redis, held, ttl, along):
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311  # only keeps waiters apart
            pause = min(1.5 * pause, _LONGEST_PAUSE)
    except asyncio.CancelledError:
        await _give_back(redis, held)  # Redis may have set the token although the answer was not waited for
        raise
    try:
        yield held
    finally:
        if held.given_back is None:
            held.given_back = await _give_back(redis, held)
        if not held.given_back:
            logger.warning("%s was not given back: held for more than %.0f s, or Redis failed", key, ttl)


async def _taken(redis: Redis, held: HeldLock, ttl: float, along: Command | None) -> bool:
    pipe = redis.pipeline(transaction=False)
    pipe.set(held.key, held.token, nx=True, px=round(ttl * 1000))
    if along is not None:
        pipe.execute_command(*along)
    taken, *answers = await pipe.execute()
    held.answer = answers[0] if answers else None
    return bool(taken)


async def _give_back(redis: Redis, held: HeldLock) -> bool:
    try:
        return bool(await redis.eval(*held.release()))
    except RedisError as error:
        logger.warning("%s: %r", held.key, error)
        return False
