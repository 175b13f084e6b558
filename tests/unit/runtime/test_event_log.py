import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from redis.asyncio import Redis

from maththera.runtime import event_log
from maththera.runtime.event_log import KEPT_SECONDS, PREFIX, WAKE_STREAM, EventLog
from maththera.runtime.redis_client import open_redis
from tests.support.servers import RedisServer


@pytest.fixture
async def log(redis: Redis, redis_url: str) -> AsyncIterator[EventLog]:
    client = open_redis(redis_url)
    async with EventLog(client) as found:
        yield found
    await client.aclose()


async def collected(log: EventLog, run_id: str, last_id: str = "0-0") -> list[int]:
    """The numbers of the events up to the last, which is 9."""
    found: list[int] = []
    async with aclosing(log.watch(run_id, last_id)) as events:
        async for _, event in events:
            found.append(event["number"])
            if event["number"] == 9:
                return found
    return found


async def test_what_was_and_what_comes(log: EventLog) -> None:
    ids = [await log.append("a", {"number": number}) for number in range(5)]
    assert ids == sorted(ids, key=lambda each: tuple(map(int, each.split("-"))))
    watchers = [asyncio.create_task(collected(log, "a")) for _ in range(20)]
    late = asyncio.create_task(collected(log, "a", ids[2]))
    await asyncio.sleep(0.05)
    for number in range(5, 10):
        await log.append("a", {"number": number})
        await log.append("b", {"number": 100 + number})
    async with asyncio.timeout(30):
        assert await asyncio.gather(*watchers) == [list(range(10))] * 20
        assert await late == list(range(3, 10))


async def test_another_process_is_heard(log: EventLog, redis_url: str) -> None:
    watcher = asyncio.create_task(collected(log, "a"))
    await asyncio.sleep(0.05)
    client = open_redis(redis_url)
    async with EventLog(client) as other:
        await other.append("a", {"number": 9})
    await client.aclose()
    async with asyncio.timeout(30):
        assert await watcher == [9]


async def test_any_number_of_watchers_block_one_connection(log: EventLog, redis: Redis) -> None:
    watchers = [asyncio.create_task(collected(log, f"run{n}")) for n in range(60)]
    async with asyncio.timeout(30):
        while not (blocked := (await redis.info("clients"))["blocked_clients"]):
            await asyncio.sleep(0.01)
    assert blocked == 1
    for n in range(60):
        await log.append(f"run{n}", {"number": 9})
    async with asyncio.timeout(30):
        assert await asyncio.gather(*watchers) == [[9]] * 60


async def test_watchers_outlast_redis(log: EventLog, redis_server: RedisServer) -> None:
    await log.append("a", {"number": 0})
    watcher = asyncio.create_task(collected(log, "a"))
    await asyncio.sleep(0.1)
    redis_server.kill()
    await asyncio.sleep(0.1)
    redis_server.start()
    await log.append("a", {"number": 9})
    async with asyncio.timeout(30):
        assert await watcher == [0, 9]


async def test_everything_ends_by_itself(log: EventLog, redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """Redis removes entries in nodes of a hundred."""
    monkeypatch.setattr(event_log, "_BELL_LENGTH", 100)
    monkeypatch.setattr(event_log, "MOST_EVENTS", 150)
    for number in range(400):
        await log.append("a", {"number": number})
    assert 0 < await redis.ttl(f"{PREFIX}a") <= KEPT_SECONDS
    assert 100 <= await redis.xlen(WAKE_STREAM) < 200
    numbers = [event["number"] for _, event in await log.all("a")]
    assert 150 <= len(numbers) < 250
    assert numbers == list(range(400))[-len(numbers) :]


async def test_a_watcher_outlasts_a_server_that_hangs(
    hurried_stores: None, log: EventLog, redis: Redis, redis_server: RedisServer
) -> None:
    watcher = asyncio.create_task(collected(log, "a"))
    await asyncio.sleep(0.1)
    redis_server.pause()
    await asyncio.sleep(1.5)  # until the client has given it up
    redis_server.resume()
    await EventLog(redis).append("a", {"number": 9})
    async with asyncio.timeout(30):
        assert await watcher == [9]
