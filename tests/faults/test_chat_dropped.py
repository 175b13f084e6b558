"""A client that loses its connection after any event and comes back gets the exact list once, from any process."""

import asyncio
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.chat.messages import run_registry
from maththera.chat.service import NewTurn
from maththera.runtime import leases
from maththera.runtime.event_log import PREFIX
from tests.support.chatting import CHILD, PATIENCE_SECONDS, Chat, chat, codes, models, types
from tests.support.speaking_llm import Says, SpeakingLlm

Numbered = list[tuple[str, dict[str, Any]]]
ASKED = "내 약점 보여줘"


async def all_events(own: Chat, run_id: str, last_id: str = "0-0") -> Numbered:
    return [numbered async for numbered in own.service.events(run_id, last_id)]


async def first_events(own: Chat, run_id: str, count: int) -> Numbered:
    """And then the connection is lost."""
    found: Numbered = []
    events = own.service.events(run_id)
    async for numbered in events:
        found.append(numbered)
        if len(found) == count:
            break
    await events.aclose()
    return found


async def test_dropped_after_each_event_of_a_turn_under_way(sqlite_url: str, redis: Redis) -> None:
    async with chat(sqlite_url, redis) as own:
        length = len(await all_events(own, await own.service.start(CHILD, NewTurn(ASKED))))
        for count in range(1, length + 1):
            run_id = await own.service.start(CHILD, NewTurn(ASKED))
            seen = await first_events(own, run_id, count)
            rest = await all_events(own, run_id, seen[-1][0])
            assert seen + rest == await all_events(own, run_id)
            assert types([event for _, event in rest])[-1:] == (["final"] if count < length else [])


async def test_dropped_after_each_event_and_back_at_another_process(sqlite_url: str, redis: Redis) -> None:
    async with chat(sqlite_url, redis) as own, chat(sqlite_url, redis) as other:
        run_id = await own.service.start(CHILD, NewTurn(ASKED))
        whole = await all_events(own, run_id)
        for count in range(len(whole)):
            last_id = whole[count - 1][0] if count else "0-0"
            assert await all_events(other, run_id, last_id) == whole[count:]
        assert await all_events(other, run_id, whole[-1][0]) == []


async def test_another_process_follows_a_turn_under_way(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["한 ", "마디 "], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url), silence=1.5) as own, chat(sqlite_url, redis) as other:
            run_id = await own.service.start(CHILD, NewTurn(ASKED, resumable=True))
            here, there = await asyncio.gather(all_events(own, run_id), all_events(other, run_id))
    assert here == there
    assert codes([event for _, event in there]) == ["llm_timeout"]


async def test_coming_back_at_another_process_keeps_the_models_asked(sqlite_url: str, redis: Redis) -> None:
    with SpeakingLlm([Says(["음 "], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url), silence=2) as own, chat(sqlite_url, redis) as other:
            run_id = await own.service.start(CHILD, NewTurn(ASKED))
            watching = own.service.events(run_id)
            async for _, event in watching:
                if event["type"] == "thinking":
                    break
            assert await asyncio.to_thread(llm.streaming.wait, PATIENCE_SECONDS)
            await other.service.resume(run_id)
            working = own.service._runs._own
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (run := working.get(run_id)) and not run.resumable:  # until the first process has heard of it
                    await asyncio.sleep(0.02)
            await watching.aclose()
            events = await all_events(other, run_id)
    assert codes([event for _, event in events]) == ["llm_timeout"]


async def test_a_turn_whose_process_died_has_an_end(
    sqlite_url: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    async with chat(sqlite_url, redis) as own:
        whole = await all_events(own, await own.service.start(CHILD, NewTurn(ASKED)))
        dead = "0" * 32
        await redis.set(
            run_registry.RUN_NOTE_PREFIX + dead, b'{"thread_id": "t", "profile": "coach", "student_id": "s1"}'
        )
        for number, event in whole[:4]:
            await redis.xadd(PREFIX + dead, {"event": _json(event)}, id=number)
        found = [await all_events(own, dead, last_id) for last_id in ("0-0", whole[1][0])]
        at_once = await asyncio.gather(*(all_events(own, dead) for _ in range(5)))
    for events, told in zip(found, (4, 2), strict=True):
        assert types([event for _, event in events][told:]) == ["error", "final"]
        assert events[told][1]["message"]
    assert at_once == [found[0]] * 5


async def test_of_a_run_that_nobody_knows_there_is_nothing(sqlite_url: str, redis: Redis) -> None:
    async with chat(sqlite_url, redis) as own:
        assert await all_events(own, "f" * 32) == []


def _json(event: dict[str, Any]) -> bytes:
    import orjson

    return orjson.dumps(event)
