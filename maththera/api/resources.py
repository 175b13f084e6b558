"""What one worker needs: first what is read from files, then what is open while it runs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from maththera.learners.database import Database
from maththera.learners.records import Records
from maththera.learners.tokens import Tokens
from maththera.llm.models import Call, Models
from maththera.runtime.redis import open_redis
from maththera.settings import PREFIX, Settings, SettingsError
from maththera.tutoring import assistant, tone
from maththera.tutoring.rules import Rules, load_rules
from maththera.tutoring.service import TutoringService

Probe: TypeAlias = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Content:
    """All of `configs/` and `prompts/`."""

    rules: Rules
    models: Models

    @classmethod
    def load(cls, settings: Settings, on_call: Callable[[Call], None] = lambda _: None) -> "Content":
        """Each loader's own error for a broken file. `on_call` is told of every call to a model."""
        models = Models.from_settings(
            settings.llm_base_url,
            settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
            settings.llm_model,
            settings.llm_small_model,
            home=settings.home,
            on_call=on_call,
        )
        for prompt, variables in assistant.VARIABLES.items():
            models.require(prompt, variables)
        return cls(load_rules(settings.home), models)


@dataclass(frozen=True, slots=True)
class Resources:
    """`probes`: for each dependency a call that fails, or takes too long, when it is down."""

    service: TutoringService
    tokens: Tokens
    probes: Mapping[str, Probe]


@asynccontextmanager
async def open_resources(settings: Settings, content: Content) -> AsyncIterator[Resources]:
    """Connects, when first used, and closes again. Tables and Redis are there already (`cli.stores`)."""
    if settings.redis_url is None:
        raise SettingsError(f"{PREFIX}REDIS_URL: needed here; `maththera serve` starts a Redis where there is none")
    async with AsyncExitStack() as stack:
        database = Database(settings.database_url)
        stack.push_async_callback(database.close)
        redis = open_redis(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        models = content.models
        stack.push_async_callback(models.aclose)
        if models.available:
            # Its words are checked by an analyser that takes a second or two to load: not in a child's turn.
            stack.push_async_callback(asyncio.wait, [asyncio.create_task(asyncio.to_thread(tone.prewarm))])
        service = TutoringService(content.rules, Records(database), redis, models if models.available else None)
        yield Resources(service, Tokens(database), {"database": database.ping, "redis": redis.ping})
