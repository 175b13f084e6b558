"""Opens the one Redis client of a process."""

from redis.asyncio import BlockingConnectionPool, Redis
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
    return Redis.from_pool(pool)
