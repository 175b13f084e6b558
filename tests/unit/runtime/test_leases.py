import asyncio
import gc
import logging
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from maththera.runtime import leases
from maththera.runtime.leases import (
    HELD_SECONDS,
    PREFIX,
    Lease,
    LeaseRenewals,
    LeaseTimeout,
    held_names,
    holder,
    lease,
    take,
)

KEY = f"{PREFIX}session"


async def test_it_is_held_in_redis_during_the_block_alone(redis: Redis) -> None:
    async with lease(redis, "session"):
        assert 0 < await redis.pttl(KEY) <= HELD_SECONDS * 1000

    assert await redis.keys() == []


async def test_callers_of_one_process_get_it_in_their_order(redis: Redis) -> None:
    order = []

    async def turn(number: int) -> None:
        async with lease(redis, "session"):
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(turn(number) for number in range(20)))

    assert order == list(range(20))


async def test_one_process_does_not_poll_itself(redis: Redis) -> None:
    await redis.config_resetstat()

    async def turn() -> None:
        async with lease(redis, "session"):
            await asyncio.sleep(0.01)

    await asyncio.gather(*(turn() for _ in range(5)))

    assert (await redis.info("commandstats"))["cmdstat_set"]["calls"] == 5


async def test_sessions_do_not_wait_for_each_other(redis: Redis) -> None:
    async with lease(redis, "session"), lease(redis, "another"):
        assert sorted(await redis.keys()) == [f"{PREFIX}another".encode(), KEY.encode()]


async def test_another_workers_lease_is_waited_for(redis: Redis) -> None:
    await redis.set(KEY, "another worker", px=30)

    async with lease(redis, "session"):
        assert await redis.get(KEY) != b"another worker"


async def test_a_lease_held_too_long_is_a_clear_error(redis: Redis) -> None:
    await redis.set(KEY, "another worker")

    with pytest.raises(LeaseTimeout, match="session was busy"):
        async with lease(redis, "session", wait=0.05):
            pytest.fail("entered a block that another worker holds")

    assert await redis.get(KEY) == b"another worker"


async def test_a_queue_in_the_process_ends_as_well(redis: Redis) -> None:
    async with lease(redis, "session"):
        with pytest.raises(LeaseTimeout):
            async with lease(redis, "session", wait=0.05):
                pytest.fail("entered twice")


async def test_a_late_holder_does_not_release_the_next_ones_lease(
    redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with lease(redis, "session"):
            await redis.set(KEY, "the next")

    assert await redis.get(KEY) == b"the next"
    assert "was not given back" in caplog.text


async def test_a_failing_block_gives_it_back(redis: Redis) -> None:
    with pytest.raises(ZeroDivisionError):
        async with lease(redis, "session"):
            _ = 1 / 0

    async with lease(redis, "session"):
        pass


async def test_a_cancelled_wait_leaves_nothing_behind(redis: Redis) -> None:
    async def turn() -> None:
        async with lease(redis, "session"):
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
        async with lease(redis, f"growing {number}"):
            pass
    gc.collect()

    assert [name for name in leases._queues if name.startswith("growing ")] == []


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.02)


@pytest.fixture
async def renewals(redis: Redis) -> AsyncIterator[LeaseRenewals]:
    found = LeaseRenewals(redis)
    yield found
    found.stop()


def short(name: str, holder: str, *, strict: bool = True) -> Lease:
    return Lease(PREFIX + name, holder, 0.3, strict)


async def test_of_several_at_once_one_takes_it(redis: Redis) -> None:
    wanted = [short("run", f"process {number}") for number in range(10)]

    taken = [one.holder for one in wanted if await take(redis, one)]

    assert taken == ["process 0"]
    assert await holder(redis, "run") == "process 0"
    assert await held_names(redis, ["run", "another"]) == {"run"}


async def test_what_is_renewed_is_held_for_longer_than_its_time(
    redis: Redis, renewals: LeaseRenewals, soon: None
) -> None:
    held = [short(f"run {number}", "a process") for number in range(3)]
    for one in held:
        await take(redis, one)
        renewals.keep(one)

    await asyncio.sleep(3 * held[0].seconds)

    assert len(await redis.keys()) == 3
    assert not any(one.lost.done() for one in held)
    for one in held:
        await renewals.end(one)
    assert await redis.keys() == []


@pytest.mark.parametrize("strict", [True, False])
async def test_whose_lease_another_has_must_stop(
    strict: bool, redis: Redis, renewals: LeaseRenewals, soon: None
) -> None:
    held = short("run", "a process", strict=strict)
    await take(redis, held)
    await redis.set(held.key, "another process")
    renewals.keep(held)

    async with asyncio.timeout(10):
        await held.lost

    assert await holder(redis, "run") == "another process"


async def test_a_lease_that_is_gone_is_lost_where_another_may_have_had_it(
    redis: Redis, renewals: LeaseRenewals, soon: None
) -> None:
    held = {strict: short(f"run {strict}", "a process", strict=strict) for strict in (True, False)}
    for one in held.values():
        renewals.keep(one)  # neither has been taken

    async with asyncio.timeout(10):
        await held[True].lost

    assert await held_names(redis, ["run True", "run False"]) == {"run False"}
    assert not held[False].lost.done()


async def test_a_block_that_is_renewed_gives_it_back(redis: Redis, renewals: LeaseRenewals, soon: None) -> None:
    async with renewals.hold("run", wait=5) as held:
        with pytest.raises(LeaseTimeout):
            async with renewals.hold("run", wait=0.05):
                pytest.fail("entered a block that another holds")
        assert await holder(redis, "run") == held.holder

    assert await redis.keys() == []
