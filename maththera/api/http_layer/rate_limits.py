"""Limits of a client's requests, per minute and at once, so that a flood by one does not slow down the others."""

import asyncio
import logging
import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from redis.asyncio import Redis
from redis.exceptions import RedisError
from starlette.types import Scope

from maththera.api.http_layer.problem_details import ApiProblem
from maththera.runtime.service_limits import Limits, RequestLimits, ShareLimits
from maththera.store.access.authorization import Role

logger = logging.getLogger(__name__)

Kind: TypeAlias = Role | Literal["without_token", "wrong_tokens"]

_ANY_REDIS: Final = "redis://"
"""A placeholder that the library asks for: the connections of the given pool know their Redis."""
PREFIX: Final = "maththera:rates"
_LOT: Final = 1 / 20
"""The share of a limit that a worker counts by itself before it adds its count to Redis, which each request would else
ask."""
_LONGEST_WAIT: Final = 5.0
"""The longest Retry-After in seconds. Requests are counted over the last minute, so room appears sooner than that."""
_WITHOUT_REDIS_SECONDS: Final = 5.0
_LOOKUPS: Final = 2
_MOST_REMEMBERED: Final = 50_000


def client_address(scope: Scope) -> str:
    """The address of the client; behind a proxy, the one that the proxy reports."""
    return scope["client"][0] if scope.get("client") else ""


class TooManyRequests(ApiProblem):
    """Problem 429; `seconds` until the next try."""

    def __init__(self, seconds: float) -> None:
        headers = {"Retry-After": str(math.ceil(seconds))}
        super().__init__("too_many_requests", "Try again later.", headers=headers)


@dataclass(slots=True)
class _Tally:
    """A worker's count that is not in Redis yet; after a refusal, the time until which it refuses without asking."""

    count: int = 0
    refused_until: float = 0.0


class RequestRates:
    """Counts requests over all workers, in Redis, and by itself while Redis is away."""

    def __init__(self, limits: RequestLimits, redis: Redis, refused: Callable[[str], None]) -> None:
        """`refused` is called with the kind of each refusal."""
        storage = RedisStorage(
            _ANY_REDIS,
            implementation="redispy",
            key_prefix=PREFIX,
            connection_pool=redis.connection_pool,  # type: ignore[arg-type]
        )
        self._shared = SlidingWindowCounterRateLimiter(storage)
        self._own = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._limits, self._refused = limits, refused
        self._tallies: dict[tuple[Kind, str], _Tally] = {}
        self._own_until = 0.0

    async def check(self, kind: Kind, who: str) -> None:
        """Counts a request. TooManyRequests."""
        now = time.monotonic()
        if len(self._tallies) > _MOST_REMEMBERED:
            self._tallies.clear()
        tally = self._tallies.setdefault((kind, who), _Tally())
        if now >= tally.refused_until and await self._counted(kind, who, tally):
            return
        if now >= tally.refused_until:
            tally.refused_until = now + _LONGEST_WAIT
        self._refused(kind)
        raise TooManyRequests(tally.refused_until - now)

    def exceeded(self, kind: Kind, who: str) -> bool:
        """Whether the last request of this kind exceeded the limit."""
        tally = self._tallies.get((kind, who))
        return tally is not None and time.monotonic() < tally.refused_until

    async def _counted(self, kind: Kind, who: str, tally: _Tally) -> bool:
        limit: int = getattr(self._limits, kind)
        tally.count += 1
        if tally.count < max(1, int(limit * _LOT)):
            return True
        cost, tally.count = tally.count, 0
        item = RateLimitItemPerMinute(limit)
        if time.monotonic() >= self._own_until:
            try:
                return await self._shared.hit(item, kind, who, cost=cost)
            except (RedisError, OSError) as error:
                self._own_until = time.monotonic() + _WITHOUT_REDIS_SECONDS
                logger.debug("requests are counted by each worker alone: %s", error)
        return await self._own.hit(item, kind, who, cost=cost)


@dataclass(frozen=True, slots=True)
class Traffic:
    """All limits that a request passes. `lookups`: limits the concurrent look-ups of tokens for addresses that sent too
    many wrong ones."""

    limits: RequestLimits
    rates: RequestRates
    shares: "ConcurrencyShares"
    lookups: asyncio.Semaphore

    @classmethod
    def of(cls, limits: Limits, redis: Redis, refused: Callable[[str], None]) -> "Traffic":
        rates = RequestRates(limits.requests, redis, refused)
        return cls(limits.requests, rates, ConcurrencyShares(limits.shares), asyncio.Semaphore(_LOOKUPS))

    async def count(self, kind: Kind, who: str) -> None:
        """As `RequestRates.check`, with a delay before the refusal."""
        try:
            await self.rates.check(kind, who)
        except TooManyRequests:
            await asyncio.sleep(self.limits.refusal_seconds)
            raise


@dataclass(slots=True)
class _Lane:
    """The requests of one token: `busy` are at work, the others are waiting."""

    busy: int = 0
    asked_at: float = 0.0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class RequestSlot:
    """One request's place in its lane. Giving it back a second time does nothing."""

    def __init__(self, give_back: Callable[[], None], seconds: float) -> None:
        self._give_back: Callable[[], None] | None = give_back
        self._timer = asyncio.get_running_loop().call_later(seconds, self.free)

    def free(self) -> None:
        give_back, self._give_back = self._give_back, None
        self._timer.cancel()
        if give_back is not None:
            give_back()


class ConcurrencyShares:
    """A lane for each token, in the order of their last requests."""

    def __init__(self, limits: ShareLimits) -> None:
        self._limits = limits
        self._lanes: OrderedDict[str, _Lane] = OrderedDict()

    async def place(self, token_id: str) -> RequestSlot:
        """Waits for a free slot of this token."""
        lane = self._lanes.setdefault(token_id, _Lane())
        lane.asked_at = time.monotonic()
        self._lanes.move_to_end(token_id)
        self._forget(lane.asked_at)
        if lane.waiting or lane.busy >= self._width():
            turn = asyncio.get_running_loop().create_future()
            lane.waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._leave(lane)
                raise
        else:
            lane.busy += 1
        return RequestSlot(lambda: self._leave(lane), self._limits.seconds)

    def _leave(self, lane: _Lane) -> None:
        lane.busy -= 1
        while lane.waiting and lane.busy < self._width():
            turn = lane.waiting.popleft()
            if not turn.done():
                lane.busy += 1
                turn.set_result(None)

    def _width(self) -> int:
        return self._limits.alone if len(self._lanes) == 1 else self._limits.shared

    def _forget(self, now: float) -> None:
        """Drops lanes that have been empty for long; the oldest are first."""
        while (oldest := next(iter(self._lanes.values()))).asked_at + self._limits.remembered_seconds < now:
            if oldest.busy or oldest.waiting:
                return
            self._lanes.popitem(last=False)
