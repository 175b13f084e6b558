"""Danger while a store is away: the child is answered all the same, on every way in."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.app.content import Content
from tests.api.conftest import Api, loaded, serving  # noqa: F401 - a fixture
from tests.api.test_danger import CHATS, NUMBER, WORDS, alerts, answer_to, events, lesson, words_of
from tests.support.postgres import PostgresServer
from tests.support.servers import RedisServer

Json = dict[str, Any]
TUTORING: Final = "tutoring"
LESSON: Final = "lesson"


@pytest.fixture
async def api(
    tmp_path: Path,
    postgres_server: PostgresServer,
    postgres_url: str,
    redis_server: RedisServer,
    redis_url: str,
    redis: Redis,
    loaded: Content,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    hurried_stores: None,
) -> AsyncIterator[Api]:
    monkeypatch.setattr("maththera.api.application.Content.load", lambda *_: loaded)
    async with serving(tmp_path, redis_url, database_url=postgres_url) as found:
        yield found
        redis_server.start()
        postgres_server.start()


async def said(api: Api, way: str, view: Json, lesson_id: str, headers: Json) -> str:
    """What is answered to danger."""
    if way == TUTORING:
        answer = await api.client.post(events(view), json=answer_to(view, answer=WORDS), headers=headers)
    elif way == LESSON:
        answer = await api.client.post(
            f"/api/v1/lessons/{lesson_id}/messages", json={"message": WORDS}, headers=headers
        )
    else:
        answer = await api.client.post(CHATS[way].path, json=CHATS[way].body(WORDS, "t1"), headers=headers)
    return words_of(answer)


@pytest.mark.slow
@pytest.mark.parametrize("store", ["database", "redis", "both"])
async def test_every_way_in_answers_while_a_store_is_away(
    api: Api, store: str, postgres_server: PostgresServer, redis_server: RedisServer
) -> None:
    child = await api.as_("student", "s1")
    view, (lesson_id, _) = await api.begin(), await lesson(api)
    ways = [TUTORING, LESSON, *CHATS]
    for way in ways:  # as in the middle of a day: tokens and owners are known
        await said(api, way, view, lesson_id, child)
    if store != "redis":
        postgres_server.stop()
    if store != "database":
        redis_server.stop()
    for way in ways:
        assert NUMBER in await said(api, way, view, lesson_id, child), way
    postgres_server.start()
    redis_server.start()


async def test_an_alert_is_kept_while_redis_is_away(api: Api, redis_server: RedisServer) -> None:
    child, view = await api.as_("student", "s1"), await api.begin()
    redis_server.stop()
    await said(api, TUTORING, view, "", child)
    await said(api, "chat", view, "", child)
    assert {row[0] for row in await alerts(api)} == {"tutoring", "coach"}
