"""What one worker holds open: the database, Redis, the models, and the tutoring service on top of them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from maththera.learners.tokens import Tokens
from maththera.llm.models import Call
from maththera.settings import Settings
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
    """Opens everything and closes it again. The database is migrated and `settings.redis_url` is there already:
    that is `prepare`'s work, once for all workers. Raises the loaders' errors for a broken bank or config file."""
    raise NotImplementedError
    yield
