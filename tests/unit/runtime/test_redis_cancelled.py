"""A task that is ended while it talks to Redis ends, whatever moment that is."""

import asyncio

from redis.asyncio import Redis

from maththera.runtime.redis_client import open_redis


async def test_a_cancellation_is_never_lost(redis: Redis, redis_url: str) -> None:
    client = open_redis(redis_url)

    async def work() -> None:
        while True:
            await client.get("x")

    try:
        for steps in range(200):
            task = asyncio.create_task(work())
            for _ in range(steps % 25):
                await asyncio.sleep(0)
            task.cancel()
            done, _ = await asyncio.wait([task], timeout=30)
            assert done, f"cancelled after {steps % 25} steps of the loop, and it goes on"
        assert await client.get("x") is None
        assert client.connection_pool._in_use_connections == set()
    finally:
        await client.aclose()


async def test_what_is_cleaned_up_after_a_cancellation_still_reaches_redis(redis: Redis, redis_url: str) -> None:
    client = open_redis(redis_url)

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await client.set("cleaned", b"1")

    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert await client.get("cleaned") == b"1"
    await client.aclose()
