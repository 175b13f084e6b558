"""Lessons while a store is away: nothing half-done, and the same request goes on afterwards."""

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.learners.database import StoreUnavailable
from maththera.learners.lessons import LessonRecords
from maththera.learners.migrations import migrate
from maththera.lessons.events import Said
from tests.support.lessons import Learner, right, stand
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
        turn = await here.service.begin(learner.lesson_id, Said(**GO_ON).inbox())
        told = [event async for _, event in here.service.events(turn)]
        assert told[-1]["type"] == "error"
        assert told[-1]["code"] == "store_unavailable"
        with pytest.raises(StoreUnavailable):
            await here.service.begin(learner.lesson_id, Said(**GO_ON).inbox())
        state = await learner.send(**GO_ON)
        assert state["current_chapter"] == 2
        assert len(await here.records.sessions(learner.lesson_id)) == 1
        turn = await here.service.begin(learner.lesson_id, Said(**GO_ON).inbox())
        again = [event async for _, event in here.service.events(turn)]
        assert (turn.replayed, again[-1]["type"], again[-1]["state"]) == (True, "final", state)


async def test_without_redis_nothing_is_taken_and_the_lesson_goes_on_afterwards(
    redis_server: RedisServer, redis: Redis, redis_url: str, sqlite_url: str
) -> None:
    await migrate(sqlite_url)
    async with stand(redis_url, sqlite_url) as here:
        learner = await Learner.begin(here.service)
        redis_server.stop()
        with pytest.raises(RedisError):
            await learner.say("시작")
        redis_server.start()
        state = await learner.say("시작")
        assert state["session_progress_stage"] == "theory_completed"
