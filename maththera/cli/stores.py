"""The stores as a command needs them: tables in place, Redis running."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from maththera.learners.migrations import migrate
from maththera.runtime.embedded_redis import EmbeddedRedis
from maththera.settings import PREFIX, Settings, SettingsError


def make_tables(settings: Settings) -> None:
    """The data directory and the tables of the learner records, where they are not there yet."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{PREFIX}DATA_DIR: {settings.data_dir}: {error.strerror}") from None
    asyncio.run(migrate(settings.database_url))


@contextmanager
def stores(settings: Settings) -> Iterator[Settings]:
    """The settings with a `redis_url`: the configured one, or that of a private Redis which ends with the block."""
    make_tables(settings)
    if settings.redis_url:
        yield settings
        return
    with EmbeddedRedis(settings.data_dir) as server:
        yield settings.model_copy(update={"redis_url": server.url})
