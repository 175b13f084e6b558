"""What a run keeps beside its checkpoints: set once, by whoever holds the lease."""

import pytest

from maththera.flows.runs.run_store import BEGUN, ENDED, KEPT_SECONDS, PREFIX, MemoryRunStore, RedisRunStore
from maththera.runtime.leases import LeaseLost, lease


@pytest.fixture(params=["memory", "redis"])
def store(request, redis):
    return MemoryRunStore() if request.param == "memory" else RedisRunStore(redis, "r")


async def test_a_step_begins_once(store):
    assert [await store.add(f"{BEGUN}pay", 1.0) for _ in range(2)] == [True, False]
    assert await store.get(f"{BEGUN}pay") == 1.0


async def test_what_ended_is_found_again(store):
    await store.add(f"{BEGUN}pay", 1.0)
    await store.put({f"{ENDED}pay": {"status": "done"}, f"{ENDED}loop[3].pay": {"status": "done"}})
    assert await store.ended() == {"pay": {"status": "done"}, "loop[3].pay": {"status": "done"}}
    await store.remove([f"{ENDED}pay"])
    assert set(await store.fields()) == {f"{BEGUN}pay", f"{ENDED}loop[3].pay"}


async def test_who_has_lost_the_lease_begins_nothing(redis):
    async with lease(redis, "r") as held:
        store = RedisRunStore(redis, "r", held)
        assert await store.add(f"{BEGUN}first", 1.0)
        await redis.set(held.key, "another")
        with pytest.raises(LeaseLost):
            await store.add(f"{BEGUN}second", 2.0)
        await store.put({f"{ENDED}first": {"status": "done"}})
    assert set(await RedisRunStore(redis, "r").fields()) == {f"{BEGUN}first", f"{ENDED}first"}


async def test_nothing_comes_back_after_a_run_was_erased(redis):
    async with lease(redis, "r") as held:
        store = RedisRunStore(redis, "r", held)
        await store.add(f"{BEGUN}first", 1.0)
        await redis.delete(held.key, f"{PREFIX}r")
        with pytest.raises(LeaseLost):
            await store.put({f"{ENDED}first": {"status": "done"}})
    assert await redis.exists(f"{PREFIX}r") == 0


async def test_a_waiting_run_is_kept_without_a_limit_of_time(redis):
    store = RedisRunStore(redis, "r")
    await store.add("started", value=True)
    assert 0 < await redis.ttl(f"{PREFIX}r") <= KEPT_SECONDS
    await store.hold()
    assert await redis.ttl(f"{PREFIX}r") == -1
    await store.release()
    assert 0 < await redis.ttl(f"{PREFIX}r") <= KEPT_SECONDS
