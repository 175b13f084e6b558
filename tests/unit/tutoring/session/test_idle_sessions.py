"""Sessions that end because nobody answers them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from redis.asyncio import Redis

from maththera.store.open_sessions import open_problems
from maththera.tutoring.session.idle_sessions import IdleSessions
from maththera.tutoring.session.service import StaleTask
from maththera.tutoring.state import ENGINE
from maththera.tutoring.turns.events import TYPES
from tests.support.tutoring import Stand, stand


def now() -> datetime:
    return datetime.now(UTC)


def tomorrow() -> datetime:
    """Of the moment of the call, since a session begins long after this module was imported where many tests run."""
    return now() + timedelta(hours=25)


@pytest.fixture
async def here(redis: Redis, redis_url: str, database_url: str) -> AsyncIterator[Stand]:
    async with stand(redis_url, database_url) as found:
        yield found


@pytest.fixture
async def there(here: Stand, redis_url: str, database_url: str) -> AsyncIterator[Stand]:
    """Another worker on the same stores."""
    async with stand(redis_url, database_url) as found:
        yield found


def idling(on: Stand) -> IdleSessions:
    return IdleSessions(on.service, on.database, 24)


async def test_after_a_day_a_session_ends_and_its_task_is_free(here: Stand) -> None:
    child = await here.begin(first_problem="98+90")
    await child.right()
    position = (await here.service.view(child.session_id))["position"]
    assert await idling(here).end(now()) == 0
    assert await open_problems(here.database, "s1") != []
    assert await idling(here).end(tomorrow()) == 1
    view = await here.service.view(child.session_id)
    assert (view["phase"], view["task"], view["position"]) == ("ended", None, position)
    assert await open_problems(here.database, "s1") == []
    last = (await here.records.turns(child.session_id))[-1]
    assert last.event["type"] == "idle"
    assert last.response["summary"]["ended_because"] == "idle"
    assert not any("잘했어" in line or "애썼어" in line for line in last.response["summary"]["words"])
    assert await idling(here).end(tomorrow()) == 0


async def test_a_session_without_any_answer_ends_too(here: Stand) -> None:
    child = await here.begin()
    assert await idling(here).end(tomorrow()) == 1
    assert (await here.service.view(child.session_id))["phase"] == "ended"


async def test_a_replay_ends_as_the_session_did(here: Stand) -> None:
    child = await here.begin(first_problem="28+15")
    await child.answer(33)
    await idling(here).end(tomorrow())
    replay = await here.service.replay(child.session_id)
    assert replay["identical"]
    assert len(replay["turns"]) == 2
    await here.redis.flushall()  # rebuilt from the records
    assert (await here.service.view(child.session_id))["phase"] == "ended"


async def test_an_open_original_is_kept_as_when_the_child_stops(here: Stand) -> None:
    child = await here.begin(first_problem="98+90")
    await child.answer(180)
    assert "98+90" not in (await here.service.view(child.session_id))["task"]["prompt"]
    await idling(here).end(tomorrow())
    last = (await here.records.turns(child.session_id))[-1]
    assert last.response["summary"]["again"] == ["98+90"]


async def test_two_workers_end_a_session_once(here: Stand, there: Stand) -> None:
    children = [await here.begin(f"s{number}") for number in range(5)]
    ended = await asyncio.gather(idling(here).end(tomorrow()), idling(there).end(tomorrow()))
    assert sum(ended) == len(children)
    for child in children:
        assert [row.event["type"] for row in await here.records.turns(child.session_id)] == ["idle"]


async def test_an_answer_that_came_first_keeps_the_session_open(here: Stand) -> None:
    child = await here.begin()
    await child.right()
    assert not await here.service.end_idle(child.session_id, turn=0)
    assert (await here.service.view(child.session_id))["phase"] == "normal"


async def test_an_answer_at_the_same_moment_wins_or_hears_of_the_end(here: Stand, there: Stand) -> None:
    for number in range(8):
        child = await here.begin(f"s{number}")
        answer, ended = await asyncio.gather(
            child.right(), there.service.end_idle(child.session_id, turn=0), return_exceptions=True
        )
        view = await here.service.view(child.session_id)
        if ended:
            assert isinstance(answer, StaleTask)
            assert answer.current_task is None
            assert view["phase"] == "ended"
        else:
            assert not isinstance(answer, BaseException)
            assert view["turn"] == 1


async def test_sessions_end_without_redis_too(here: Stand) -> None:
    child = await here.begin()
    await here.redis.flushall()
    assert await idling(here).end(tomorrow()) == 1
    assert [row.event["type"] for row in await here.records.turns(child.session_id)] == ["idle"]


async def test_a_session_that_cannot_be_ended_keeps_no_other_open(here: Stand) -> None:
    start = {"engine": ENGINE, "knowledge": {"day": 1, "skills": {}}, "first_problem": "OLD-1"}
    await here.records.create_session("broken", "s1", start, ["OLD-1"])
    child = await here.begin("s2")
    assert await idling(here).end(tomorrow()) == 1
    assert (await here.service.view(child.session_id))["phase"] == "ended"


def test_no_client_may_say_that_a_session_is_idle() -> None:
    assert "idle" not in TYPES
