"""What is left of acknowledged saves when Redis is killed.

Redis hands a write to the operating system before it answers, so its own death loses nothing. The one exception is
`appendfsync everysec` with a disk that takes longer than a second for a sync: writes then wait up to two seconds inside
Redis. `always` has no exception, and the tests that demand every single save use it.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.redis_client import open_redis
from tests.support.servers import RedisServer

THREAD: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}


@pytest.fixture
async def client(redis: Redis, redis_server: RedisServer) -> AsyncIterator[Redis]:
    """Of an empty server that may be killed and syncs every write."""
    await redis.config_set("appendfsync", "always")
    async with open_redis(redis_server.url) as client:
        yield client


async def save(saver: RedisSaver, number: int) -> None:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {"number": number}
    await saver.aput(THREAD, checkpoint, {"step": number}, {})


async def saved(saver: RedisSaver) -> int:
    found = await saver.aget_tuple(THREAD)
    assert found is not None
    return int(found.checkpoint["channel_values"]["number"])


async def test_acknowledged_saves_and_their_writes_survive_a_kill(client: Redis, redis_server: RedisServer) -> None:
    saver = RedisSaver(client)
    configs = [
        await saver.aput({"configurable": {"thread_id": f"t{n}"}}, empty_checkpoint(), {"step": n}, {})
        for n in range(50)
    ]
    await asyncio.gather(*(saver.aput_writes(config, [("answer", n)], "task") for n, config in enumerate(configs)))

    redis_server.kill()
    redis_server.start()

    found = [await saver.aget_tuple(config) for config in configs]
    assert [(f.metadata["step"], f.pending_writes) for f in found if f] == [
        (n, [("task", "answer", n)]) for n in range(50)
    ]
    assert await client.ttl("maththera:checkpoint:t0") > 0


async def test_a_kill_in_the_middle_of_saving_leaves_the_last_acknowledged_or_the_next(
    client: Redis, redis_server: RedisServer
) -> None:
    saver = RedisSaver(client)
    acknowledged = -1
    under_way = asyncio.Event()

    async def save_on() -> None:
        nonlocal acknowledged
        while True:
            await save(saver, acknowledged + 1)
            acknowledged += 1
            if acknowledged == 20:
                under_way.set()

    saving = asyncio.create_task(save_on())
    await under_way.wait()
    redis_server.kill()
    with pytest.raises(RedisConnectionError):
        await saving
    redis_server.start()

    assert await saved(saver) in (acknowledged, acknowledged + 1)


async def test_the_same_client_goes_on_after_a_restart(client: Redis, redis_server: RedisServer) -> None:
    saver = RedisSaver(client)
    await save(saver, 1)

    redis_server.stop()
    redis_server.start()

    assert await saved(saver) == 1
    await save(saver, 2)
    assert await saved(saver) == 2


async def test_an_emptied_server_has_no_checkpoint_and_takes_new_ones(client: Redis, redis_server: RedisServer) -> None:
    saver = RedisSaver(client)
    await save(saver, 1)

    redis_server.empty()

    assert await saver.aget_tuple(THREAD) is None
    await save(saver, 2)
    assert await saved(saver) == 2
