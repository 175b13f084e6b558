"""Turns of one session that arrive together, from one worker and from several."""

import asyncio
import sys
import textwrap
from typing import Any, TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.types import Command, interrupt
from redis.asyncio import Redis

from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.leases import PREFIX
from maththera.runtime.redis_client import open_redis
from tests.support.patience import be_patient

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}


class Answers(TypedDict, total=False):
    answers: list[int]


def ask(state: Answers) -> Answers:
    answer = interrupt("?")
    return {"answers": [*state.get("answers", []), answer]}


def session(redis: Redis) -> Any:
    return session_of(RedisSaver(redis))


def session_of(saver: RedisSaver) -> Any:
    builder = StateGraph(Answers)
    builder.add_node(ask)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", "ask")
    return builder.compile(checkpointer=saver)


async def answer(redis: Redis, number: int) -> None:
    saver = RedisSaver(redis)
    async with saver.hold("t") as hold:
        hold.close_with_save()
        await session_of(saver).ainvoke(Command(resume=number), hold.config, durability="exit")


async def answer_all(url: str, first: int, count: int) -> None:
    """What another worker does."""
    be_patient()
    async with open_redis(url) as client:
        await asyncio.gather(*(answer(client, number) for number in range(first, first + count)))


async def test_eight_turns_at_once_are_all_applied_in_their_order(redis: Redis) -> None:
    await session(redis).ainvoke({}, THREAD, durability="exit")

    await asyncio.gather(*(answer(redis, number) for number in range(8)))

    assert (await session(redis).aget_state(THREAD)).values["answers"] == list(range(8))


@pytest.mark.slow
async def test_turns_of_three_workers_are_all_applied(redis: Redis, redis_url: str) -> None:
    await session(redis).ainvoke({}, THREAD, durability="exit")
    script = """
        import asyncio, sys
        from tests.faults.test_redis_turns_at_once import answer_all
        asyncio.run(answer_all(sys.argv[1], int(sys.argv[2]), 8))
    """
    command = [sys.executable, "-c", textwrap.dedent(script), redis_url]

    workers = [await asyncio.create_subprocess_exec(*command, str(first)) for first in (0, 8, 16)]
    codes = await asyncio.gather(*(worker.wait() for worker in workers))

    assert codes == [0, 0, 0]
    assert sorted((await session(redis).aget_state(THREAD)).values["answers"]) == list(range(24))
    assert await redis.keys(f"{PREFIX}*") == []


async def test_the_lock_of_a_worker_that_died_ends_by_itself(redis: Redis) -> None:
    await session(redis).ainvoke({}, THREAD, durability="exit")
    await redis.set(f"{PREFIX}t", "a worker that died", px=50)

    await answer(redis, 1)

    assert (await session(redis).aget_state(THREAD)).values["answers"] == [1]
