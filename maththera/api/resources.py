"""What one worker holds open: the database, Redis, the models, and the tutoring service on top of them."""

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
from maththera.tutoring.rules import load_rules
from maththera.tutoring.service import TutoringService

OnCall: TypeAlias = Callable[[Call], None]
Probe: TypeAlias = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Resources:
    """`probes`: for each dependency a call that fails, or takes too long, when it is down."""

    service: TutoringService
    tokens: Tokens
    probes: Mapping[str, Probe]


@asynccontextmanager
async def open_resources(settings: Settings, on_call: OnCall = lambda _: None) -> AsyncIterator[Resources]:
    """Opens everything and closes it again. Tables and Redis are there already (`cli.stores`). A broken bank, config
    or prompt raises its loader's error. `on_call` is told of every call to a model."""
    if settings.redis_url is None:
        raise SettingsError(f"{PREFIX}REDIS_URL: needed here; `maththera serve` starts a Redis where there is none")
    async with AsyncExitStack() as stack:
        rules = load_rules(settings.home)
        models = Models.from_settings(
            settings.llm_base_url,
            settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
            settings.llm_model,
            settings.llm_small_model,
            home=settings.home,
            on_call=on_call,
        )
        stack.push_async_callback(models.aclose)
        database = Database(settings.database_url)
        stack.push_async_callback(database.close)
        redis = open_redis(settings.redis_url)
        stack.push_async_callback(redis.aclose)
        service = TutoringService(rules, Records(database), redis, models if models.available else None)
        yield Resources(service, Tokens(database), {"database": database.ping, "redis": redis.ping})
