import asyncio
import logging

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from maththera.runtime import redis_client as runtime_redis
from maththera.runtime.redis_client import CONNECTIONS, HANGING_TIMEOUTS, open_redis
from tests.support.patience import answer_within
from tests.support.servers import RedisServer


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


async def test_a_server_that_hangs_is_asked_again_only_once_in_a_while(
    redis: Redis, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime_redis, "ASK_AGAIN_SECONDS", 3600.0)
    async with open_redis(redis_server.url) as client:
        await client.ping()
        answer_within(client, 0.1)
        redis_server.pause()
        outcomes = [await _outcome(client) for _ in range(HANGING_TIMEOUTS + 20)]
        assert outcomes.count(RedisTimeoutError) == HANGING_TIMEOUTS
        assert outcomes.count(RedisConnectionError) == 20
        outage = vars(client.connection_pool.connection_class)["outage"]
        monkeypatch.setattr(outage, "_ask_at", 0.0)
        redis_server.resume()
        answer_within(client)
        assert await asyncio.gather(*(client.ping() for _ in range(3)), return_exceptions=True)
        assert await client.ping()


async def test_a_lost_server_is_said_once_and_that_it_is_back(
    redis: Redis, redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with open_redis(redis_server.url) as client:
        redis_server.stop()
        for _ in range(50):
            assert await _outcome(client) is RedisConnectionError
        redis_server.start()
        assert await client.ping()
    told = [record.message for record in caplog.records if record.name == runtime_redis.__name__]
    assert len(told) == 2
    assert told[0].startswith("Redis is away")
    assert told[1] == "Redis is there again"


async def _outcome(client: Redis) -> type[RedisError] | None:
    try:
        await client.ping()
    except RedisError as error:
        return type(error)
    return None


async def test_a_single_time_out_is_no_news(
    redis: Redis, redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_redis(redis_server.url) as client:
        await client.ping()
        answer_within(client, 0.1)
        redis_server.pause()
        assert await _outcome(client) is RedisTimeoutError
        redis_server.resume()
        answer_within(client)
        assert await client.ping()
    assert "Redis is" not in caplog.text
