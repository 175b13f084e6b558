from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import select, update

from maththera.chat.coach.coach_tools import coach_tools
from maththera.chat.coach.tool_cache import PREFIX, ToolCache
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.tutoring_sessions import SessionRecords, TurnRow, sessions, turns
from tests.support.coach import Json, call, knowledge, pupil
from tests.support.servers import RedisServer

SECONDS = 60


class Counting:
    """A tool that tells how often it was really called."""

    def __init__(self, tool: ChatTool) -> None:
        self.calls = 0
        self._call = tool.call
        self.tool = ChatTool(tool.name, tool.description, tool.arguments, self.count)

    async def count(self, asker: Asker, arguments: Any) -> Json:
        self.calls += 1
        return await self._call(asker, arguments)


@pytest.fixture
def scores(empty: Database) -> Counting:
    return Counting(coach_tools(empty, knowledge())["get_weak_points"])


def cached(scores: Counting, redis: Redis, database: Database) -> ChatTool:
    return ToolCache(redis, database, SECONDS).cached_tools({"get_weak_points": scores.tool})["get_weak_points"]


async def answer(database: Database, number: int, session_id: str = "a") -> None:
    facts = {"problem_id": "X:47+26:h", "c_level": 8, "correct": True, "pattern": "correct_fast", "rt_ms": 1000}
    await SessionRecords(database).append_turn(
        TurnRow(session_id, number, f"r{number}", {"answer": 73}, [], {}, [], facts)  # type: ignore[arg-type]
    )


async def test_the_second_call_is_at_hand_and_says_so(scores: Counting, redis: Redis, empty: Database) -> None:
    tool = cached(scores, redis, empty)
    first = await call(tool, pupil("s1"), {})
    second = await call(tool, pupil("s1"), {})
    assert second == {**first, "cached": True}
    assert "cached" not in first
    assert scores.calls == 1
    (name,) = await redis.keys(f"{PREFIX}*")
    assert 0 < await redis.ttl(name) <= SECONDS


async def test_a_new_answer_ends_it_at_once(scores: Counting, redis: Redis, empty: Database) -> None:
    tool = cached(scores, redis, empty)
    await SessionRecords(empty).create_session("a", "s1", {})
    for number in (1, 2):
        await answer(empty, number)
        found = await call(tool, pupil("s1"), {})
        assert found["Cur-C8"]["answered"] == number
        assert (await call(tool, pupil("s1"), {}))["cached"] is True
    assert scores.calls == 2


async def test_an_answer_in_the_millisecond_of_its_session_counts(scores: Counting, empty: Database) -> None:
    await SessionRecords(empty).create_session("a", "s1", {})
    await answer(empty, 1)
    at = select(sessions.c.created_at).scalar_subquery()
    await empty.write(lambda connection: connection.execute(update(turns).values(created_at=at)))
    assert (await call(scores.tool, pupil("s1"), {}))["Cur-C8"]["answered"] == 1
    activity = coach_tools(empty, knowledge())["get_recent_activity"]
    assert (await call(activity, pupil("s1"), {}))["activities"][0]["answered"] == 1


async def test_only_the_learner_who_answered(scores: Counting, redis: Redis, empty: Database) -> None:
    tool = cached(scores, redis, empty)
    await call(tool, pupil("s1"), {})
    await SessionRecords(empty).create_session("b", "s2", {})
    await answer(empty, 1, "b")
    assert (await call(tool, pupil("s1"), {}))["cached"] is True


async def test_learners_and_arguments_are_kept_apart(scores: Counting, redis: Redis, empty: Database) -> None:
    tool = cached(scores, redis, empty)
    for asker in (pupil("s1"), pupil("s2")):
        for arguments in ({}, {"unit_id": "Cur-C7"}, {"unit_id": "Cur-C8"}):
            assert "cached" not in await call(tool, asker, arguments)
    assert scores.calls == 6
    assert "cached" in await call(tool, pupil("s2"), {"unit_id": None})


async def test_who_may_not_read_gets_nothing_from_the_cache_either(
    scores: Counting, redis: Redis, empty: Database
) -> None:
    tool = cached(scores, redis, empty)
    await call(tool, pupil("s1"), {})
    with pytest.raises(ToolFailed):
        await call(tool, Asker(Principal("t", "student", frozenset({"s2"})), "s1"), {})


async def test_a_failed_call_is_not_kept(redis: Redis, empty: Database) -> None:
    tool = coach_tools(empty, knowledge())["get_problem_explanation"]
    tool = ToolCache(redis, empty, SECONDS).cached_tools({"x": tool})["x"]
    with pytest.raises(ToolFailed):
        await call(tool, pupil("s1"), {"expression": "8+"})
    assert await redis.keys(f"{PREFIX}*") == []


async def test_a_student_gets_no_explanation_that_was_made_for_an_adult(redis: Redis, empty: Database) -> None:
    await SessionRecords(empty).create_session("a", "s1", {}, ["X:28+15:h"])
    tool = coach_tools(empty, knowledge())["get_problem_explanation"]
    tool = ToolCache(redis, empty, SECONDS).cached_tools({"x": tool})["x"]
    teacher = Asker(Principal("t", "teacher", frozenset({"s1"})), "s1")
    assert (await call(tool, teacher, {"expression": "28+15"}))["answer"] == 43
    assert (await call(tool, pupil("s1"), {"expression": "28+15"}))["answer"] is None


async def test_without_redis_every_call_is_made(
    scores: Counting, redis: Redis, empty: Database, redis_server: RedisServer
) -> None:
    tool = cached(scores, redis, empty)
    first = await call(tool, pupil("s1"), {})
    redis_server.stop()
    assert await call(tool, pupil("s1"), {}) == first
    assert scores.calls == 2
