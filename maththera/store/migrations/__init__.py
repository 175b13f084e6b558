"""Brings a database to the schema of this program, at start and before anything else uses it.

A schema change is a new module in `versions/` and a new HEAD. The tests compare the tables that it builds with those of
the code, and go back to the schema before.
"""

import asyncio
import hashlib
import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.database import Database, StoreUnavailable, is_locked

if TYPE_CHECKING:
    from alembic.config import Config

HEAD: Final = "0023"
"""The newest module in `versions/`. As a constant it is known without importing Alembic: an up-to-date database costs
two queries."""

_FIRST: Final = "0023"
"""The oldest module in `versions/`: it makes all tables, and knows no way from the schemas that were before."""

_LAST_THAT_KNEW_EARLIER: Final = "the version of 29 November 2026 (commit b5aa64dc)"
"""It brings the schemas 0013 to 0022 to 0023."""

_SCRIPTS: Final = Path(__file__).parent
_LOCK: Final = int.from_bytes(hashlib.sha256(b"maththera schema").digest()[:8], signed=True)
_DEADLINE_S: Final = 600.0
"""A migration may copy and rewrite large tables, or wait for the worker that does."""

_PAUSE_S: Final = 0.2

logger = logging.getLogger(__name__)


class SchemaError(RuntimeError):
    """The database has a schema that this program does not know or does not know any more, or it could not be copied
    before its upgrade."""


async def migrate(url: str) -> None:
    """Creates or upgrades the tables. If several workers start at once, one does it and the others wait."""
    until = monotonic() + _DEADLINE_S
    async with Database(url) as database:
        while not await _migrated(database, until):  # noqa: ASYNC110 - another process has the lock
            await asyncio.sleep(_PAUSE_S)


async def _migrated(database: Database, until: float) -> bool:
    """False if it is to be tried again: another process has had SQLite's lock for too long."""
    try:
        if await database.run(_version) != HEAD:
            await database.transaction(_upgrade_once, deadline=_DEADLINE_S)
    except StoreUnavailable as error:
        if database.dialect != "sqlite" or not is_locked(error.__cause__) or monotonic() > until:
            raise
        return False
    return True


async def _version(connection: AsyncConnection) -> str | None:
    return await connection.run_sync(_read_version)


def _read_version(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version


async def _upgrade_once(connection: AsyncConnection) -> None:
    """Upgrades under a lock. On SQLite the transaction holds the only write lock already."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if await _version(connection) != HEAD:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    version = _read_version(connection)
    if version is not None and version < _FIRST:
        raise SchemaError(
            f"the database cannot be brought to schema {HEAD}: it has schema {version}, from before {_FIRST}. Start "
            f"{_LAST_THAT_KNEW_EARLIER} with it once, then this one"
        )
    config = alembic_config(connection)
    try:
        if version is not None:
            ScriptDirectory.from_config(config).get_revision(version)  # before a copy that would be of no use
            back_up(connection, version)
        command.upgrade(config, "head")
    except (CommandError, BackupFailed) as error:
        raise SchemaError(f"the database cannot be brought to schema {HEAD}: {error}") from error


def alembic_config(connection: Connection) -> "Config":
    """For Alembic's commands, which run in the transaction of this connection."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    return config


class BackupFailed(Exception):
    """The copy could not be made, for example because the disk is full."""


def back_up(connection: Connection, version: str) -> Path | None:
    """Copies the database to `<file>.<version>.backup`, which only this account can read; an earlier copy of the same
    version is replaced. None for PostgreSQL, which has tools of its own.

    `connection` may hold the write lock: the copy has everything committed before.
    """
    name = connection.engine.url.database
    if connection.dialect.name != "sqlite" or not name:
        return None
    source = Path(name)
    copy = source.with_name(f"{source.name}.{version}.backup")
    unfinished = copy.with_name(f"{copy.name}.part")
    try:
        unfinished.unlink(missing_ok=True)
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(unfinished)) as new:
            old.backup(new)
        unfinished.replace(copy)
    except (OSError, sqlite3.Error) as error:
        unfinished.unlink(missing_ok=True)
        raise BackupFailed(f"it could not be copied to {copy}: {error}") from error
    logger.warning("the database is upgraded; its copy with schema %s is %s", version, copy)
    return copy
