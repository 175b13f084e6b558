"""Who works on a thread or a run: a key in Redis that names its holder, and ends by itself when that process dies.

In front of it is a queue in the process, so that callers of one process get a lease in the order they came. Taken for a
session in `checkpointer.py`, for a chat turn in `chat/messages/run_registry.py`, for a flow in `executions/runner.py`.
"""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PREFIX: Final = "maththera:lease:"
HELD_SECONDS: Final = 12.0
"""After so long without a sign of life, another may have the lease."""
WAIT_SECONDS: Final = 5.0
RENEW_SECONDS: Final = 3.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.002, 0.05  # seconds between two looks at a key that another process holds
_PAGE: Final = 500  # renewed at a time: Redis must answer in its time

_GIVE_BACK: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
_RENEW: Final = """
local holder = redis.call('GET', KEYS[1])
if holder ~= ARGV[1] and (holder or ARGV[3] == '1') then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1"""

Command = tuple[Any, ...]  # its name and its arguments

# An entry lives as long as somebody of this process holds the lease or waits for it.
_queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()


class LeaseTimeout(TimeoutError):
    """Others held the lease for as long as the caller could wait."""


class LeaseLost(Exception):
    """Another process has taken over, so this one must stop."""


@dataclass(slots=True, eq=False)
class Lease:
    """`holder` stands under the key while the lease is held. `answer`: of the command that was sent along.
    `given_back`: whether the key still named this holder then; None while nobody has asked.

    Of one that is renewed: `lost` is done when its work must stop, that is, when another has the lease; of a `strict`
    one already when another may have had it, as the key was gone or Redis could not be asked for too long. Its result:
    whether Redis said so."""

    key: str
    holder: str
    seconds: float
    strict: bool = True
    answer: Any = None
    given_back: bool | None = None
    lost: "asyncio.Future[bool]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    renewed_at: float = field(default_factory=time.monotonic)

    def release(self) -> tuple[str, int, str, str]:
        """The arguments of the EVAL that gives it back, for a caller that sends it with the block's last command."""
        return _GIVE_BACK, 1, self.key, self.holder


@asynccontextmanager
async def lease(
    redis: Redis, name: str, *, seconds: float = HELD_SECONDS, wait: float | None = None, along: Command | None = None
) -> AsyncIterator[Lease]:
    """Hold the lease `name` during the block, which has to end within `seconds`.

    `along` is sent in the same round trip, after the lease, and its answer is that of the time when the lease was got.
    Raises LeaseTimeout after `wait` seconds (None: WAIT_SECONDS), and RedisError when Redis cannot be asked. A Redis
    that fails after the block is not told: the work is done, and the lease ends by itself.
    """
    patience = WAIT_SECONDS if wait is None else wait
    queue = _queues.setdefault(name, asyncio.Lock())
    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(patience):
                await stack.enter_async_context(queue)
                held = Lease(PREFIX + name, secrets.token_hex(16), seconds)
                await stack.enter_async_context(_held(redis, held, along))
        except TimeoutError:
            raise LeaseTimeout(f"{name} was busy for {patience:g} s") from None
        yield held


async def take(redis: Redis, wanted: Lease, along: Command | None = None) -> bool:
    """Whether the lease is held now: it was nobody's. `along` as for `lease`."""
    pipe = redis.pipeline(transaction=False)
    pipe.set(wanted.key, wanted.holder, nx=True, px=round(wanted.seconds * 1000))
    if along is not None:
        pipe.execute_command(*along)
    taken, *answers = await pipe.execute()
    wanted.answer = answers[0] if answers else None
    return bool(taken)


async def give_back(redis: Redis, held: Lease) -> bool:
    """Whether it was still held."""
    answer: Any = redis.eval(*held.release())
    return bool(await answer)


async def is_held(redis: Redis, held: Lease) -> bool:
    """Whether the key still names this holder."""
    found: Any = await redis.get(held.key)
    return found is not None and bool(found.decode() == held.holder)


async def holder(redis: Redis, name: str) -> str | None:
    """Who holds a lease."""
    found: Any = await redis.get(PREFIX + name)
    return found.decode() if found else None


async def held_names(redis: Redis, names: Sequence[str]) -> set[str]:
    """Those of the names whose lease somebody holds."""
    if not names:
        return set()
    found = await redis.mget([PREFIX + name for name in names])
    return {name for name, holder in zip(names, found, strict=True) if holder is not None}


@asynccontextmanager
async def _held(redis: Redis, held: Lease, along: Command | None) -> AsyncIterator[None]:
    pause = _FIRST_PAUSE
    try:
        while not await take(redis, held, along):
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311  # only keeps waiters apart
            pause = min(1.5 * pause, _LONGEST_PAUSE)
    except asyncio.CancelledError:
        await _end(redis, held)  # Redis may have set the key although the answer was not waited for
        raise
    try:
        yield
    finally:
        if held.given_back is None:
            held.given_back = await _end(redis, held)
        if held.given_back is False:
            logger.warning("%s was not given back: not renewed for %.0f s", held.key, held.seconds)


async def _end(redis: Redis, held: Lease) -> bool | None:
    """As `give_back`; None where Redis failed, which its client says."""
    try:
        return await give_back(redis, held)
    except RedisError as error:
        logger.debug("%s was not given back: %r", held.key, error)
        return None


class LeaseRenewals:
    """Renews leases of this process, all together, while the work under them goes on."""

    def __init__(self, redis: Redis) -> None:
        self._redis: Any = redis
        self._held: set[Lease] = set()
        self._left: set[Lease] = set()
        """Ended while Redis was away, which still says that they are held."""
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def hold(self, name: str, *, wait: float) -> AsyncIterator[Lease]:
        """As `lease`, for any length of time; the block has to end when the lease is `lost`."""
        async with lease(self._redis, name, wait=wait) as held:
            self.keep(held)
            try:
                yield held
            finally:
                self._forget(held)

    def keep(self, held: Lease) -> None:
        """Renews a lease until it ends."""
        self._held.add(held)
        if self._task is None:
            self._task = asyncio.create_task(self._renew_all(), name="leases")

    async def end(self, held: Lease) -> None:
        """Gives a lease back; as soon as Redis is there again, if it is away."""
        self._held.discard(held)
        try:
            await give_back(self._redis, held)
        except RedisError as error:
            logger.debug("%s is free when Redis is back: %r", held.key, error)
            self._left.add(held)
        self._forget(held)

    def stop(self) -> None:
        """Renews nothing any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _forget(self, held: Lease) -> None:
        self._held.discard(held)
        if not self._held and not self._left:
            self.stop()

    async def _renew_all(self) -> None:
        while self._held or self._left:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self._renew()
                await self._give_back_left()
            except RedisError as error:
                logger.debug("leases: %r", error)
            for held in self._held:
                if held.strict and time.monotonic() - held.renewed_at >= held.seconds - RENEW_SECONDS:
                    _lose(held, told=False)
        self._task = None

    async def _give_back_left(self) -> None:
        for held in list(self._left):
            await give_back(self._redis, held)
            self._left.discard(held)

    async def _renew(self) -> None:
        everything = list(self._held)
        for start in range(0, len(everything), _PAGE):
            page = [held for held in everything[start : start + _PAGE] if held in self._held]
            pipeline = self._redis.pipeline(transaction=False)
            for held in page:
                pipeline.eval(_RENEW, 1, held.key, held.holder, round(held.seconds * 1000), int(held.strict))
            for held, mine in zip(page, await pipeline.execute(), strict=True):
                if mine:
                    held.renewed_at = time.monotonic()
                else:
                    _lose(held, told=True)


def _lose(held: Lease, *, told: bool) -> None:
    if not held.lost.done():
        held.lost.set_result(told)
