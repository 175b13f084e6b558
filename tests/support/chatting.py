"""The chat's service over real stores, and its events as lists."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from redis.asyncio import Redis

from maththera.chat import turn_runner
from maththera.chat.composition import ChatFiles, open_chat
from maththera.chat.config import Timeouts
from maththera.chat.service import ChatService, NewTurn
from maththera.llm.model_client import Models
from maththera.runtime.event_log import EventLog
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Conversations
from maththera.store.database import Database
from tests.support.coach import knowledge
from tests.support.databases import migrated
from tests.support.words import door, safety

Event = dict[str, Any]

ADMIN = Principal("admin", "admin")
PATIENCE_SECONDS = 100.0
CHILD = Principal("token-s1", "student", frozenset({"s1"}))


@cache
def _files() -> ChatFiles:
    return ChatFiles.load(home(), door(), knowledge(), models())


def models(base_url: str | None = None) -> Models:
    """Whoever answers at `base_url`; nobody without one."""
    return Models.load(home(), base_url, None, "m" if base_url else None)


def files(**seconds: float) -> ChatFiles:
    """What is shipped, and nothing ends because the machine is slow, unless `seconds` say when."""
    found = _files()
    config = found.config
    patience = config.seconds.model_copy(update=dict.fromkeys(Timeouts.model_fields, PATIENCE_SECONDS) | seconds)
    return ChatFiles(
        **{name: getattr(found, name) for name in found.__slots__ if name != "config"},
        config=config.model_copy(update={"seconds": patience}),
    )


@dataclass(frozen=True)
class Chat:
    """One process' service on stores that others may share."""

    service: ChatService
    records: Conversations

    async def say(self, message: str, who: Principal = CHILD, **more: Any) -> list[Event]:
        """A whole turn."""
        run_id = await self.service.start(who, NewTurn(message, **more))
        return [event async for _, event in self.service.events(run_id)]


@asynccontextmanager
async def chat(database_url: str, redis: Redis, asked: Models | None = None, **seconds: float) -> AsyncIterator[Chat]:
    await migrated(database_url)
    database = Database(database_url)
    asked = asked or models()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(turn_runner, "_LAST_WORDS_SECONDS", PATIENCE_SECONDS)
            async with (
                EventLog(redis) as log,
                open_chat(files(**seconds), safety(database), database, redis, log, asked) as service,
            ):
                yield Chat(service, Conversations(database))
    finally:
        with suppress(Exception):
            await asked.aclose()
        await database.close()


def types(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def text(events: list[Event], level: str | None = None) -> str:
    return "".join(event["token"] for event in events if event["type"] == "token" and event.get("level") == level)


def codes(events: list[Event]) -> list[str]:
    return [event["code"] for event in events if event["type"] == "error"]
