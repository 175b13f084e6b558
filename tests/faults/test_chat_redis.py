"""Redis goes away in mid-stream: whoever is connected gets the answer to its end, and the thread goes on later."""

import asyncio

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.chat.service import NewTurn, ThreadBusy
from maththera.runtime import leases
from maththera.runtime.redis_client import open_redis
from tests.support.chatting import CHILD, PATIENCE_SECONDS, Chat, Event, chat, codes, text, types
from tests.support.patience import answer_within
from tests.support.servers import RedisServer

ASKED = "내 약점 보여줘"
ANSWER_SECONDS = 0.5
"""Waited for a Redis that hangs, as in service."""


@pytest.mark.parametrize("way", ["kill", "pause"])
@pytest.mark.parametrize("seen", ["intent_detected", "step_result", "token"])
async def test_redis_lost_in_mid_stream(
    way: str, seen: str, sqlite_url: str, redis: Redis, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "HELD_SECONDS", 10_000.0)  # the lost turn gives its thread back
    monkeypatch.setattr(leases, "RENEW_SECONDS", 0.05)
    client = open_redis(redis_server.url)
    async with chat(sqlite_url, client) as own:
        run_id = await own.service.start(CHILD, NewTurn(ASKED, thread_id="t1"))
        answer_within(client, ANSWER_SECONDS)
        events = []
        async for _, event in own.service.events(run_id):
            events.append(event)
            if event["type"] == seen and len(events) == types(events).index(seen) + 1:
                getattr(redis_server, way)()
        assert types(events)[-2:] == ["error", "final"]
        assert codes(events) == ["store_unavailable"]
        assert text(events)
        redis_server.resume()
        redis_server.start()
        answer_within(client)
        async with asyncio.timeout(PATIENCE_SECONDS):
            later = await _said_later(own)
        assert types(later)[-1] == "final"
        assert codes(later) == []
        said = await own.records.messages("t1", 10)
        assert [one.text for one in said if one.role == "user"] == [ASKED, "내 성적도 보여줘"]
    await client.aclose()


async def test_nothing_begins_without_redis(sqlite_url: str, redis: Redis, redis_server: RedisServer) -> None:
    client = open_redis(redis_server.url)
    async with chat(sqlite_url, client) as own:
        redis_server.kill()
        with pytest.raises(RedisError):
            await own.service.start(CHILD, NewTurn(ASKED, thread_id="t1"))
        redis_server.start()
        assert await own.records.messages("t1", 10) == []
        assert types(await own.say(ASKED, thread_id="t1"))[-1] == "final"
    await client.aclose()


async def _said_later(own: Chat) -> list[Event]:
    while True:
        try:
            return await own.say("내 성적도 보여줘", thread_id="t1")
        except (RedisError, ThreadBusy):  # until Redis is there, and the lost turn has given the thread back
            await asyncio.sleep(0.2)
