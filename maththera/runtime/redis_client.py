"""Opens the one Redis client of a process, which knows when Redis is away.

A Redis that refuses connections says so at once. One that hangs would cost every command half a second, one after the
other: so after two time-outs in a row commands fail at once, and a single one in a while asks again.
"""

import asyncio
import logging
import time
from typing import Any, ClassVar

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 0.5
ANSWER_SECONDS = 0.5
POOL_SECONDS = 2.0
CONNECTIONS = 32
HANGING_TIMEOUTS = 2
"""In a row; a single one may be a pause of this process itself."""
ASK_AGAIN_SECONDS = 0.25
SAY_AGAIN_SECONDS = 60.0
"""Between two warnings that Redis is away, also where it comes and goes."""
_AWAY = "Redis is away; what cannot do without it is refused meanwhile: %s (this is said every %.0f s at most)"

# One immediate retry hides a server that was restarted between two turns. Time-outs are not repeated: a caller waiting
# for a turn has to learn within ANSWER_SECONDS that Redis does not answer.
_RETRY = Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,))


def open_redis(url: str) -> Redis:
    """A client for `redis://`, `rediss://` or `unix://` that speaks bytes and connects at its first command.

    Callers beyond CONNECTIONS wait for a free connection (the plain pool of redis-py raises instead). Every failure,
    time-outs included, is raised as a `redis.exceptions.RedisError`. Close it with `await client.aclose()`.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=POOL_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        retry=_RETRY,
        protocol=2,  # understood by every server, and the cheaper one to parse in Python
    )
    pool.connection_class = watched_connection_class(pool.connection_class)
    return Redis.from_pool(pool)


class _Outage:
    """What the connections of a pool have seen of Redis lately."""

    def __init__(self) -> None:
        self._failures = self._timeouts = 0
        self._ask_at = self._say_at = 0.0
        self._said = False

    def check(self) -> None:
        """Raises ConnectionError while Redis hangs, unless it is this caller who asks it again."""
        if self._timeouts >= HANGING_TIMEOUTS:
            now = time.monotonic()
            if now < self._ask_at:
                raise RedisConnectionError("Redis does not answer")
            self._ask_at = now + ASK_AGAIN_SECONDS

    def failed(self, error: Exception) -> None:
        now = time.monotonic()
        self._failures += 1
        if isinstance(error, RedisTimeoutError):
            self._timeouts += 1
            self._ask_at = now + ASK_AGAIN_SECONDS
        if self._failures >= HANGING_TIMEOUTS and now >= self._say_at:
            logger.warning(_AWAY, error, SAY_AGAIN_SECONDS)
            self._said, self._say_at = True, now + SAY_AGAIN_SECONDS

    def answered(self) -> None:
        if self._said:
            logger.info("Redis is there again")
        self._failures = self._timeouts = 0
        self._said = False


class _WatchedConnection:
    """Tells the outage how its commands fare, and sends under `asyncio.timeout`.

    redis-py's own `asyncio.wait_for` makes a task of every command, and up to Python 3.11 it loses a cancellation that
    comes just when it is done: the caller would go on as if nobody had ended it."""

    outage: ClassVar[_Outage]
    _connecting = False

    async def connect_check_health(self: Any, check_health: bool = True, retry_socket_connect: bool = True) -> None:
        if self.is_connected:
            return
        self.outage.check()
        self._connecting = True  # and has been let through
        try:
            await super().connect_check_health(check_health, retry_socket_connect)  # type: ignore[misc]
        except (RedisConnectionError, RedisTimeoutError) as error:
            # A time-out of the first command comes as the cause of a ConnectionError, which would be tried again.
            reason = error.__cause__ if isinstance(error.__cause__, RedisTimeoutError) else error
            self.outage.failed(reason)
            raise reason from None
        finally:
            self._connecting = False

    async def read_response(self: Any, *args: Any, **options: Any) -> Any:
        try:
            response = await super().read_response(*args, **options)  # type: ignore[misc]
        except (RedisConnectionError, RedisTimeoutError) as error:
            if not self._connecting:  # else it counts as one failure to connect
                self.outage.failed(error)
            raise
        except ResponseError:
            self.outage.answered()
            raise
        self.outage.answered()
        return response

    async def send_packed_command(self: Any, command: Any, check_health: bool = True) -> None:
        if not self._connecting:
            self.outage.check()
        if not self.is_connected:
            await self.connect_check_health(check_health=False)
        if check_health:
            await self.check_health()
        try:
            async with asyncio.timeout(self.socket_timeout):
                await self._send_packed_command([command] if isinstance(command, bytes) else command)
        except BaseException as error:
            await self.disconnect(nowait=True)  # what was half sent cannot be taken back
            if isinstance(error, TimeoutError):
                raise RedisTimeoutError("Timeout writing to socket") from None
            if isinstance(error, OSError):
                raise RedisConnectionError(f"Error while writing to socket: {error}") from error
            raise


def watched_connection_class(connection_class: type[AbstractConnection]) -> type[AbstractConnection]:
    """The same kind of connection for one pool, which heeds the cancellation of a task that speaks over it."""
    return type(connection_class.__name__, (_WatchedConnection, connection_class), {"outage": _Outage()})
