"""A child is erased while a turn is under way: nothing of the conversation stays, and nothing comes back."""

import asyncio
from pathlib import Path

from redis.asyncio import Redis

from maththera.chat.service import NewTurn
from maththera.executions.keeping import Keeping
from maththera.learners.database import Database
from maththera.runtime.events import EventLog
from tests.support.chatting import CHILD, Chat, Event, chat, codes, models
from tests.support.speaking_llm import Says, SpeakingLlm


async def test_nothing_stays(sqlite_url: str, redis: Redis, tmp_path: Path) -> None:
    database = Database(sqlite_url)
    with SpeakingLlm([Says(["생각해 볼게. " * 10], ending="hangs")]) as llm:
        async with chat(sqlite_url, redis, models(llm.base_url)) as own, EventLog(redis) as log:
            await own.say("시발", thread_id="t1")  # which asks no model
            run_id = await own.service.start(CHILD, NewTurn("내 약점을 분석해줘", thread_id="t1", resumable=True))
            await asyncio.to_thread(llm.streaming.wait, 5)
            watching = asyncio.create_task(_told(own, run_id))
            receipt = await Keeping(database, redis, log, tmp_path).erase("s1")
            told = await watching
            assert codes(told) == ["erased"]
            assert receipt.complete
            assert await own.records.thread("t1") is None
            kept = [name.decode() async for name in redis.scan_iter() if b"t1" in name or b"coach:s1" in name]
    await database.close()
    assert kept == []


async def _told(own: Chat, run_id: str) -> list[Event]:
    return [event async for _, event in own.service.events(run_id)]
