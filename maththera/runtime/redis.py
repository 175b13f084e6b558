"""Opens the one Redis client of a process."""

import asyncio
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError

CONNECT_SECONDS = 0.5
ANSWER_SECONDS = 0.5
POOL_SECONDS = 2.0
CONNECTIONS = 32

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
    pool.connection_class = heeding(pool.connection_class)
    return Redis.from_pool(pool)


class _HeedsCancellation:
    """Up to Python 3.11 `asyncio.wait_for`, with which redis-py sends, loses a cancellation that comes just when it is
    done: the task would go on as if nobody had ended it."""

    async def send_packed_command(self: Any, command: Any, check_health: bool = True) -> None:
        task = asyncio.current_task()
        before = task.cancelling() if task else 0
        await super().send_packed_command(command, check_health)  # type: ignore[misc]
        if task and task.cancelling() > before:
            await self.disconnect(nowait=True)  # the answer will come, and nobody waits for it
            raise asyncio.CancelledError


def heeding(connection_class: type[AbstractConnection]) -> type[AbstractConnection]:
    """The same kind of connection, which heeds the cancellation of a task that speaks over it."""
    return type(connection_class.__name__, (_HeedsCancellation, connection_class), {})
