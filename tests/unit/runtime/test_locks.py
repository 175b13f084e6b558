import asyncio
import gc
import logging

import pytest
from redis.asyncio import Redis

from maththera.runtime import locks
from maththera.runtime.locks import HELD_SECONDS, PREFIX, LockTimeout, thread_lock

KEY = f"{PREFIX}session"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "WAIT_SECONDS", 0.05)


async def test_it_is_held_in_redis_during_the_block_alone(redis: Redis) -> None:
    async with thread_lock(redis, "session"):
        assert 0 < await redis.pttl(KEY) <= HELD_SECONDS * 1000

    assert await redis.keys() == []


async def test_callers_of_one_process_get_it_in_their_order(redis: Redis) -> None:
    order = []

    async def turn(number: int) -> None:
        async with thread_lock(redis, "session"):
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(turn(number) for number in range(20)))

    assert order == list(range(20))


async def test_one_process_does_not_poll_itself(redis: Redis) -> None:
    await redis.config_resetstat()

    async def turn() -> None:
        async with thread_lock(redis, "session"):
            await asyncio.sleep(0.01)

    await asyncio.gather(*(turn() for _ in range(5)))

    assert (await redis.info("commandstats"))["cmdstat_set"]["calls"] == 5


async def test_sessions_do_not_wait_for_each_other(redis: Redis) -> None:
    async with thread_lock(redis, "session"), thread_lock(redis, "another"):
        assert sorted(await redis.keys()) == [f"{PREFIX}another".encode(), KEY.encode()]


async def test_another_workers_lock_is_waited_for(redis: Redis) -> None:
    await redis.set(KEY, "another worker", px=30)

    async with thread_lock(redis, "session"):
        assert await redis.get(KEY) != b"another worker"


async def test_a_lock_held_too_long_is_a_clear_error(redis: Redis, impatient: None) -> None:
    await redis.set(KEY, "another worker")

    with pytest.raises(LockTimeout, match="session was busy"):
        async with thread_lock(redis, "session"):
            pytest.fail("entered a block that another worker holds")

    assert await redis.get(KEY) == b"another worker"


async def test_a_queue_in_the_process_ends_as_well(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    async with thread_lock(redis, "session"):
        monkeypatch.setattr(locks, "WAIT_SECONDS", 0.05)
        with pytest.raises(LockTimeout):
            async with thread_lock(redis, "session"):
                pytest.fail("entered twice")


async def test_a_late_holder_does_not_release_the_next_ones_lock(
    redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with thread_lock(redis, "session"):
            await redis.set(KEY, "the next")

    assert await redis.get(KEY) == b"the next"
    assert "was not given back" in caplog.text


async def test_a_failing_block_gives_it_back(redis: Redis) -> None:
    with pytest.raises(ZeroDivisionError):
        async with thread_lock(redis, "session"):
            _ = 1 / 0

    async with thread_lock(redis, "session"):
        pass


async def test_a_cancelled_wait_leaves_nothing_behind(redis: Redis) -> None:
    async def turn() -> None:
        async with thread_lock(redis, "session"):
            await asyncio.sleep(0.01)  # not long: wait_for in Python 3.11 can swallow a cancellation

    for passes in range(8):  # a different await each time: the queue, the connection, the answer, the block
        task = asyncio.create_task(turn())
        for _ in range(passes):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    assert await redis.keys() == []


async def test_the_table_of_queues_does_not_grow(redis: Redis) -> None:
    for number in range(50):
        async with thread_lock(redis, f"growing {number}"):
            pass
    gc.collect()

    assert [name for name in locks._queues if name.startswith("growing ")] == []
