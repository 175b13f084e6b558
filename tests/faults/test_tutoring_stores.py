"""Redis or the database goes away during a session, at the worst moments: it goes on, and nothing counts twice."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.runtime import leases
from maththera.runtime.checkpointer import PREFIX
from maththera.runtime.redis_client import ASK_AGAIN_SECONDS
from maththera.store.database import StoreUnavailable
from maththera.store.tutoring_sessions import SessionRecords
from maththera.tutoring.session import service
from maththera.tutoring.session.service import StaleTask
from tests.support.patience import answer_within, withdraw
from tests.support.postgres import PostgresServer
from tests.support.servers import RedisServer
from tests.support.tutoring import Child, Stand, answered, does_right, right_answer, stand, trained

STOP: Final = {"type": "stop", "request_id": "stop"}
HANGING: Final = 0.1
"""Seconds waited for a Redis that hangs; half a second in production."""
LOST_LOCK: Final = 0.3
"""Seconds that a lock outlives its worker; 3 in production."""
PATIENCE: Final = 60.0
"""Seconds after which a turn counts as hung."""


@pytest.fixture(autouse=True)
def soon_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LEASE_SECONDS", LOST_LOCK)


@pytest.fixture
async def here(redis: Redis, redis_url: str, sqlite_url: str) -> AsyncIterator[Stand]:
    async with stand(redis_url, sqlite_url) as found:
        yield found


@pytest.fixture
async def on_postgres(redis: Redis, redis_url: str, postgres_url: str) -> AsyncIterator[Stand]:
    async with stand(redis_url, postgres_url) as found:
        yield found


def around_the_record(
    here: Stand,
    monkeypatch: pytest.MonkeyPatch,
    *,
    before: Callable[[], None] = lambda: None,
    after: Callable[[], None] = lambda: None,
) -> None:
    """Does something once, just before or just after the next turn is on record."""
    append = SessionRecords.append_turn

    async def appended(records: SessionRecords, *row: Any, **more: Any) -> None:
        monkeypatch.setattr(SessionRecords, "append_turn", append)
        before()
        await append(records, *row, **more)
        after()

    monkeypatch.setattr(SessionRecords, "append_turn", appended)


async def all_is_well(here: Stand, child: Child, turns: int) -> None:
    """The session has these turns, goes on as if nothing had been, and can be recomputed."""
    assert await here.records.last_turn_number(child.session_id) == turns
    view = await here.service.view(child.session_id)
    assert (view["turn"], view["task"]) == (turns, child.task)
    outcome = await child.right()
    assert (outcome.body["turn"], outcome.body["degraded"], outcome.replayed) == (turns + 1, False, False)
    assert (await here.service.replay(child.session_id))["identical"]


# --- Redis is down ----------------------------------------------------------------------------------------------------


async def test_without_redis_a_session_begins_goes_on_and_comes_back(here: Stand, redis_server: RedisServer) -> None:
    redis_server.stop()
    child = await here.begin()
    for turn in (1, 2):
        outcome = await child.right()
        assert (outcome.body["turn"], outcome.body["degraded"]) == (turn, True)
    view = await here.service.view(child.session_id)
    assert (view["turn"], view["task"]) == (2, child.task)
    redis_server.start()
    await all_is_well(here, child, 2)


async def test_redis_dies_between_turns_and_comes_back_with_an_old_checkpoint(
    here: Stand, redis_server: RedisServer
) -> None:
    child = await here.begin()
    assert not (await child.right()).body["degraded"]
    redis_server.kill()
    assert (await child.right()).body["degraded"]
    redis_server.start()
    assert await here.redis.exists(PREFIX + child.session_id), "of the first turn"
    await all_is_well(here, child, 2)


async def test_without_redis_requests_are_still_answered_once(here: Stand, redis_server: RedisServer) -> None:
    child = await here.begin()
    event = does_right(child.current(), "once")
    first = await child.send(event)
    redis_server.stop()
    again = await here.service.handle(child.session_id, event)
    assert (again.body, again.replayed) == (first.body, True)
    with pytest.raises(StaleTask) as stale:
        await here.service.handle(child.session_id, event | {"request_id": "late"})
    assert stale.value.current_task == child.task
    found = await asyncio.gather(
        *(here.service.handle(child.session_id, does_right(child.current(), f"at-once-{n}")) for n in range(4)),
        return_exceptions=True,
    )
    assert [type(one) for one in found].count(StaleTask) == 3
    assert await here.records.last_turn_number(child.session_id) == 2


async def test_redis_dies_after_the_record_and_before_the_checkpoint(
    here: Stand, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = await here.begin()
    await child.right()
    around_the_record(here, monkeypatch, after=redis_server.kill)
    outcome = await child.right()
    row = (await here.records.turns(child.session_id))[-1]
    assert (row.turn, row.response) == (2, outcome.body)
    assert (await child.right()).body["degraded"]
    redis_server.start()
    await all_is_well(here, child, 3)


async def test_redis_dies_in_a_turn_before_the_record(
    here: Stand, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = await here.begin()
    around_the_record(here, monkeypatch, before=redis_server.kill)
    assert (await child.right()).body["turn"] == 1
    redis_server.start()
    await all_is_well(here, child, 1)


# --- an old checkpoint ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["answer", "older request", "stale task", "stop", "view"])
async def test_a_checkpoint_older_than_the_records_is_noticed(what: str, here: Stand) -> None:
    child = await here.begin()
    key = PREFIX + child.session_id
    event = does_right(child.current(), "first")
    first = await child.send(event)
    old_task = child.current()
    old = await here.redis.dump(key)
    assert old is not None
    for _ in range(3):
        await child.right()
    await here.redis.restore(key, 60_000, old, replace=True)
    match what:
        case "older request":
            again = await here.service.handle(child.session_id, event)
            assert (again.body, again.replayed) == (first.body, True)
        case "stale task":
            with pytest.raises(StaleTask) as stale:
                await here.service.handle(child.session_id, does_right(old_task, "late"))
            assert stale.value.current_task == child.task
        case "stop":
            assert (await child.send(STOP)).body["turn"] == 5
            return
        case "view":
            assert (await here.service.view(child.session_id))["task"] == child.task
        case _:
            pass
    await all_is_well(here, child, 4)


async def test_a_training_done_twice_is_not_mistaken_for_its_first_time(here: Stand) -> None:
    """A `training_done` names no task: an old checkpoint would take it."""
    child = await here.begin()
    await child.answer(right_answer(child.current()) + 70, rt_ms=300)
    old = await here.redis.dump(PREFIX + child.session_id)
    assert old is not None
    event = trained(child.current(), "done")
    del event["task_id"]
    first = await child.send(event)
    await here.redis.restore(PREFIX + child.session_id, 60_000, old, replace=True)
    again = await here.service.handle(child.session_id, event)
    assert (again.body, again.replayed) == (first.body, True)
    await here.redis.restore(PREFIX + child.session_id, 60_000, old, replace=True)
    with pytest.raises(StaleTask):
        await here.service.handle(child.session_id, event | {"request_id": "once-more"})
    await all_is_well(here, child, 2)


# --- Redis hangs ------------------------------------------------------------------------------------------------------


async def test_a_redis_that_hangs_between_turns(here: Stand, redis_server: RedisServer) -> None:
    child = await here.begin()
    answer_within(here.redis, HANGING)
    redis_server.pause()
    for turn in (1, 2):
        async with asyncio.timeout(PATIENCE):
            outcome = await child.right()
        assert (outcome.body["turn"], outcome.body["degraded"]) == (turn, True)
    redis_server.resume()
    answer_within(here.redis)
    await asyncio.sleep(ASK_AGAIN_SECONDS)  # a Redis that hung is asked again no sooner
    await all_is_well(here, child, 2)


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_redis_that_hangs_around_the_record(
    moment: str, here: Stand, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent to it may still arrive when it goes on."""
    child = await here.begin()
    answer_within(here.redis, HANGING)
    around_the_record(here, monkeypatch, **{moment: redis_server.pause})
    async with asyncio.timeout(PATIENCE):
        outcome = await child.right()
    row = (await here.records.turns(child.session_id))[-1]
    assert (row.turn, row.response) == (1, outcome.body)
    redis_server.resume()
    answer_within(here.redis)
    await asyncio.sleep(ASK_AGAIN_SECONDS)  # a Redis that hung is asked again no sooner
    await all_is_well(here, child, 1)


async def test_a_lock_that_a_dead_worker_holds_is_waited_for_and_then_passed_by(
    here: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = await here.begin()
    await here.redis.set(leases.PREFIX + child.session_id, "dead")
    with monkeypatch.context() as patch:
        patch.setattr(leases, "WAIT_SECONDS", 0.05)
        assert (await child.right()).body["degraded"]
    await here.redis.delete(leases.PREFIX + child.session_id)
    await all_is_well(here, child, 1)


# --- the database is down ---------------------------------------------------------------------------------------------


async def test_without_its_database_nothing_is_half_done(on_postgres: Stand, postgres_server: PostgresServer) -> None:
    here, child = on_postgres, await on_postgres.begin()
    await child.right()
    event = does_right(child.current(), "kept")
    postgres_server.stop()
    for _ in range(2):
        with pytest.raises(StoreUnavailable) as gone:
            await here.service.handle(child.session_id, event)
        assert gone.value.retry_after > 0
    with pytest.raises(StoreUnavailable):
        await here.begin("s2")
    postgres_server.start()
    assert await here.records.last_turn_number(child.session_id) == 1
    assert (await here.service.view(child.session_id))["task"] == child.task
    outcome = await child.send(event)
    assert (outcome.body["turn"], outcome.replayed, outcome.body["degraded"]) == (2, False, False)
    await all_is_well(here, child, 2)


async def test_a_turn_that_the_database_refused_may_be_answered_otherwise(
    on_postgres: Stand, postgres_server: PostgresServer
) -> None:
    child = await on_postgres.begin()
    task = child.current()
    postgres_server.stop()
    with pytest.raises(StoreUnavailable):
        await child.send(answered(task, 1, "forgotten"))
    postgres_server.start()
    outcome = await child.right()
    assert (outcome.body["request_id"], outcome.body["correct"]) == ("r1", True)
    await all_is_well(on_postgres, child, 1)


async def test_a_write_whose_answer_was_lost_is_applied_once(here: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> None:
        raise StoreUnavailable(ConnectionError("the answer did not come"))

    child = await here.begin()
    event = does_right(child.current(), "written")
    around_the_record(here, monkeypatch, after=lost)
    with pytest.raises(StoreUnavailable):
        await here.service.handle(child.session_id, event)
    outcome = await child.send(event)
    assert (outcome.body["turn"], outcome.replayed) == (1, True)
    await all_is_well(here, child, 1)


@pytest.mark.parametrize("again", ["the same", "another"])
@pytest.mark.parametrize("breaks", ["kill", "pause"])
async def test_both_stores_fail_at_once(
    breaks: str,
    again: str,
    on_postgres: Stand,
    redis_server: RedisServer,
    postgres_server: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The half of a turn cannot be dropped while Redis is away; it must not come back as an answer."""

    def fail() -> None:
        postgres_server.kill()
        getattr(redis_server, breaks)()

    child = await on_postgres.begin()
    await child.right()
    event = does_right(child.current(), "lost")
    answer_within(on_postgres.redis, HANGING)
    around_the_record(on_postgres, monkeypatch, before=fail)
    with pytest.raises(StoreUnavailable):
        await on_postgres.service.handle(child.session_id, event)
    redis_server.resume()
    redis_server.start()
    postgres_server.start()
    answer_within(on_postgres.redis)
    await asyncio.sleep(ASK_AGAIN_SECONDS)  # a Redis that hung is asked again no sooner
    view = await on_postgres.service.view(child.session_id)
    assert (view["turn"], view["task"]) == (1, child.task)
    outcome = await child.send(event if again == "the same" else event | {"request_id": "new"})
    assert outcome.body["request_id"] == ("lost" if again == "the same" else "new")
    assert outcome.body["turn"] == 2
    await all_is_well(on_postgres, child, 2)


async def test_a_database_that_hangs(
    on_postgres: Stand, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = await on_postgres.begin()
    event = does_right(child.current(), "waited")
    postgres_server.pause()
    with monkeypatch.context() as patch:
        withdraw(patch)
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(StoreUnavailable):
                await on_postgres.service.handle(child.session_id, event)
    postgres_server.resume()
    assert (await child.send(event)).body["turn"] == 1
    await all_is_well(on_postgres, child, 1)
