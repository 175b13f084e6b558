"""Redis refuses or hangs: whoever calls learns it, and nobody takes silence for an empty answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import START, StateGraph
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.leases import lease
from maththera.runtime.redis_client import open_redis
from tests.support.patience import answer_within
from tests.support.servers import RedisServer

THREAD: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}


async def load(client: Redis) -> None:
    await RedisSaver(client).aget_tuple(THREAD)


async def load_from_history(client: Redis) -> None:
    await RedisSaver(client, history=None).aget_tuple(THREAD)


async def enumerate_all(client: Redis) -> None:
    async for _ in RedisSaver(client).alist(None):
        pass


async def save(client: Redis) -> None:
    await RedisSaver(client).aput(THREAD, empty_checkpoint(), {"step": 0}, {})


async def save_writes(client: Redis) -> None:
    config: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_id": "1"}}
    await RedisSaver(client).aput_writes(config, [("answer", 1)], "task")


async def delete(client: Redis) -> None:
    await RedisSaver(client).adelete_thread("t")


async def lock(client: Redis) -> None:
    async with lease(client, "t"):
        pytest.fail("went on without the lock")


class Number(TypedDict):
    number: int


async def run(client: Redis) -> None:
    builder = StateGraph(Number)
    builder.add_node("node", lambda state: {"number": state["number"] + 1})
    builder.add_edge(START, "node")
    await builder.compile(checkpointer=RedisSaver(client)).ainvoke({"number": 1}, THREAD, durability="exit")


Use = Callable[[Redis], Awaitable[None]]
uses = pytest.mark.parametrize("use", [load, load_from_history, enumerate_all, save, save_writes, delete, lock, run])


@pytest.fixture
async def client(redis: Redis, redis_server: RedisServer) -> AsyncIterator[Redis]:
    async with open_redis(redis_server.url) as client:
        await client.ping()
        yield client


async def works(client: Redis) -> bool:
    try:
        return bool(await client.ping())
    except RedisTimeoutError:
        return False


@uses
async def test_a_stopped_server_is_an_error(use: Use, client: Redis, redis_server: RedisServer) -> None:
    redis_server.stop()

    with pytest.raises(RedisConnectionError):
        await use(client)


@uses
async def test_a_server_that_hangs_is_an_error_and_works_again_later(
    use: Use, client: Redis, redis_server: RedisServer
) -> None:
    answer_within(client, 0.1)
    redis_server.pause()
    with pytest.raises(RedisTimeoutError):
        await use(client)

    redis_server.resume()

    async with asyncio.timeout(60):
        while not await works(client):  # a tenth of a second may be short on a machine that is busy
            await asyncio.sleep(0.05)


async def test_a_server_that_takes_no_more_data_is_an_error(client: Redis) -> None:
    await client.config_set("maxmemory", 1)
    try:
        with pytest.raises(RedisError, match="maxmemory"):
            await save(client)
    finally:
        await client.config_set("maxmemory", 0)


async def test_work_done_under_the_lock_stands_when_redis_then_fails(
    client: Redis, redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with lease(client, "t"):
        redis_server.stop()

    assert "maththera:lease:t was not given back" in caplog.text
