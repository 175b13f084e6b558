"""Lessons while a store is away: nothing half-done, and the same request goes on afterwards."""

import pytest
from redis.asyncio import Redis

from maththera.lessons.lesson_requests import LessonMessage
from maththera.runtime.turns import RequestIdReused
from maththera.store.database import StoreUnavailable
from maththera.store.lessons import LessonRecords
from maththera.store.migrations import migrate
from tests.support.lessons import Learner, chapter, right, stand
from tests.support.servers import RedisServer

GO_ON = {"message": "다음", "request_id": "go-on"}


async def test_a_session_that_cannot_be_recorded_is_recorded_when_the_request_comes_again(
    redis: Redis, redis_url: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(sqlite_url)
    complete, down = LessonRecords.complete, [True, True]

    async def away(self: LessonRecords, *args: object) -> str:
        if down:
            down.pop()
            raise StoreUnavailable(OSError("away"))
        return await complete(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(LessonRecords, "complete", away)
    async with stand(redis_url, sqlite_url) as here:
        learner = await Learner.begin(here.service)
        await learner.to_question()
        await learner.answer(right(learner.question))
        turn = await here.service.begin(learner.lesson_id, LessonMessage(**GO_ON).inbox())
        told = [event async for _, event in here.service.events(turn)]
        assert told[-1]["type"] == "error"
        assert told[-1]["code"] == "store_unavailable"
        with pytest.raises(StoreUnavailable):
            await here.service.begin(learner.lesson_id, LessonMessage(**GO_ON).inbox())
        state = await learner.send(**GO_ON)
        assert state["current_session_count"] == 2
        assert len(await here.records.sessions(learner.lesson_id)) == 1
        turn = await here.service.begin(learner.lesson_id, LessonMessage(**GO_ON).inbox())
        again = [event async for _, event in here.service.events(turn)]
        assert (turn.replayed, again[-1]["type"], again[-1]["state"]) == (True, "final", state)


async def test_without_redis_a_lesson_is_begun_and_goes_on_and_redis_learns_of_it(
    redis_server: RedisServer, redis: Redis, redis_url: str, sqlite_url: str
) -> None:
    await migrate(sqlite_url)
    async with stand(redis_url, sqlite_url) as here:
        learner = await Learner.begin(here.service)
        await learner.say("시작")
        redis_server.stop()
        again = await Learner.begin(here.service)
        assert (await again.listen())["session_progress_stage"] == "theory_completed"
        await learner.to_question()
        state = await learner.answer(right(learner.question))
        redis_server.start()
        assert await here.service.state(learner.lesson_id) == state
        after = await learner.send(**GO_ON)
        assert (after["current_session_count"], len(await here.records.sessions(learner.lesson_id))) == (2, 1)
        redis_server.stop()
        assert await here.service.state(learner.lesson_id) == after


async def test_a_request_that_was_taken_without_redis_is_not_taken_again(
    redis_server: RedisServer, redis: Redis, redis_url: str, sqlite_url: str
) -> None:
    await migrate(sqlite_url)
    async with stand(redis_url, sqlite_url) as here:
        learner = await Learner.begin(here.service)
        redis_server.stop()
        state = await learner.send(message="시작", request_id="begin")
        assert await learner.send(message="시작", request_id="begin") == state
        with pytest.raises(RequestIdReused):
            await here.service.begin(learner.lesson_id, LessonMessage(message="다음", request_id="begin").inbox())
        redis_server.start()
        assert await learner.send(message="시작", request_id="begin") == state


async def test_who_follows_a_turn_learns_at_once_that_redis_has_gone(
    redis_server: RedisServer, redis: Redis, redis_url: str, sqlite_url: str
) -> None:
    await migrate(sqlite_url)
    async with stand(redis_url, sqlite_url) as here:
        learner = await Learner.begin(here.service)
        turn = await here.service.begin(learner.lesson_id, LessonMessage(message="시작", request_id="begin").inbox())
        redis_server.kill()
        told = [event async for _, event in here.service.events(turn)]
        assert (told[-1]["type"], told[-1]["code"]) == ("error", "store_unavailable")
        redis_server.start()
        await learner.send(message="시작", request_id="begin")
        assert chapter().explanation.beginner[0].text.strip() in "".join(one.get("text", "") for one in learner.events)
