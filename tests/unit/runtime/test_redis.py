import asyncio

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from maththera.runtime.redis import CONNECTIONS, open_redis


async def test_answers_are_bytes(redis_url: str) -> None:
    async with open_redis(redis_url) as client:
        await client.set("key", "값")

        assert await client.get("key") == "값".encode()


async def test_more_callers_than_connections_wait_for_one(redis_url: str) -> None:
    async with open_redis(redis_url) as client:
        answers = await asyncio.gather(*(client.ping() for _ in range(4 * CONNECTIONS)))

    assert answers == [True] * 4 * CONNECTIONS


@pytest.mark.parametrize("url", ["unix:///nowhere/redis.sock", "redis://127.0.0.1:1"])
async def test_a_missing_server_is_an_error_at_once(url: str) -> None:
    async with open_redis(url) as client:
        with pytest.raises(RedisConnectionError):
            await client.ping()


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", ""])
def test_another_scheme_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="scheme"):
        open_redis(url)
