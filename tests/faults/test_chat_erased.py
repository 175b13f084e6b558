"""A child is erased while a turn is under way: nothing of the conversation stays, and nothing comes back."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.app.data_erasure import DataErasure
from maththera.chat.service import NewTurn
from maththera.runtime.event_log import EventLog
from maththera.store.conversations import Conversations
from maththera.store.database import Database
from maththera.store.personal_data.erasure import ErasureRecords
from tests.support.chatting import CHILD, PATIENCE_SECONDS, Chat, Event, chat, codes, models
from tests.support.speaking_llm import Says, SpeakingLlm


async def test_nothing_stays(sqlite_url: str, redis: Redis, tmp_path: Path) -> None:
    database = Database(sqlite_url)
    with SpeakingLlm([Says(["생각해 볼게. " * 10], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, EventLog(redis) as log:
            await own.say("시발", thread_id="t1")  # which asks no model
            run_id = await own.service.start(CHILD, NewTurn("내 약점을 분석해줘", thread_id="t1", resumable=True))
            assert await asyncio.to_thread(llm.streaming.wait, PATIENCE_SECONDS)
            watching = asyncio.create_task(_told(own, run_id))
            receipt = await DataErasure(database, redis, log, tmp_path).erase("s1")
            told = await watching
            assert codes(told) == ["erased"]
            assert receipt.complete
            assert await own.records.thread("t1") is None
            kept = [name.decode() async for name in redis.scan_iter() if b"t1" in name or b"coach:s1" in name]
    await database.close()
    assert kept == []


async def test_nothing_stays_of_a_first_turn_under_way(sqlite_url: str, redis: Redis, tmp_path: Path) -> None:
    """Of which the records know nothing yet."""
    database = Database(sqlite_url)
    with SpeakingLlm([Says(["생각해 볼게. " * 10], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, EventLog(redis) as log:
            run_id = await own.service.start(CHILD, NewTurn("내 약점을 분석해줘", thread_id="t1", resumable=True))
            assert await asyncio.to_thread(llm.streaming.wait, PATIENCE_SECONDS)
            watching = asyncio.create_task(_told(own, run_id))
            await DataErasure(database, redis, log, tmp_path).erase("s1")
            assert codes(await watching) == ["erased"]
            assert await own.records.thread("t1") is None
    await database.close()


async def test_a_turn_that_ends_after_its_conversation_was_erased_is_not_kept(
    sqlite_url: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = Database(sqlite_url)
    append = Conversations.append

    async def erased_just_before(records: Conversations, *turn: Any) -> None:
        await ErasureRecords(database).student("s1")
        await append(records, *turn)

    async with chat(sqlite_url, redis) as own:
        await own.say("내 약점을 분석해줘", thread_id="t1")
        monkeypatch.setattr(Conversations, "append", erased_just_before)
        events = await own.say("내 성적 보여줘", thread_id="t1")
        assert codes(events) == ["erased"]
        assert await own.records.thread("t1") is None
        assert await own.records.messages("t1", 9) == []
    await database.close()


async def _told(own: Chat, run_id: str) -> list[Event]:
    return [event async for _, event in own.service.events(run_id)]
