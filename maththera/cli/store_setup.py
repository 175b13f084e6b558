"""Prepares the stores for a command: tables and Redis."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import typer
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import make_url

from maththera.runtime.embedded_redis import DirectoryInUse, EmbeddedRedis
from maththera.runtime.redis_client import ANSWER_SECONDS, CONNECT_SECONDS
from maththera.settings import PREFIX, Settings, SettingsError
from maththera.store.migrations import migrate


def make_tables(settings: Settings) -> None:
    """Makes the data directory and the tables if they are missing. Only this account may read them and all files that
    this process and its children make afterwards."""
    os.umask(0o077)
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        _make_private(settings.data_dir, 0o700)
        if "database_url" not in settings.model_fields_set:
            _make_file(Path(str(make_url(settings.database_url).database)))
    except OSError as error:
        raise SettingsError(f"{PREFIX}DATA_DIR: {settings.data_dir}: {error.strerror}") from None
    asyncio.run(migrate(settings.database_url))


def _make_file(path: Path) -> None:
    """Makes an empty database file: if that fails, the error names the reason, unlike SQLite's."""
    path.touch()
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if each.exists():
            _make_private(each, 0o600)


def _make_private(path: Path, mode: int) -> None:
    """Makes a file of this account private; another account's may be open to a group on purpose."""
    if path.stat().st_uid == os.getuid():
        path.chmod(mode)


@contextmanager
def stores(settings: Settings, *, join: bool = False) -> Iterator[Settings]:
    """The settings with a `redis_url`: the configured one, or that of a private Redis, which ends with the block. If
    another service runs on the data directory, `join` uses its Redis; without `join` DirectoryInUse is raised."""
    make_tables(settings)
    if settings.redis_url:
        asyncio.run(_say_if_down(settings.redis_url))
        yield settings
        return
    server = EmbeddedRedis(settings.data_dir)
    with ExitStack() as running:
        try:
            running.enter_context(server)
        except DirectoryInUse:
            if not join:
                raise
        yield settings.model_copy(update={"redis_url": server.url})


async def _say_if_down(url: str) -> None:
    client = Redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=ANSWER_SECONDS)
    try:
        await client.ping()
    except RedisError as error:
        typer.echo(f"{PREFIX}REDIS_URL: no Redis answers ({error}); sessions go on without it, more slowly", err=True)
    finally:
        await client.aclose()
