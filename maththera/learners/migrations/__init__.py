"""Brings a database to the schema of this program, at start and before anything else touches it.

A schema change is a new module in `versions/` and a new HEAD. The tests compare what the versions build with `tables`.
"""

import asyncio
import hashlib
from pathlib import Path
from time import monotonic
from typing import Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database, StoreUnavailable, is_locked

HEAD: Final = "0010"
"""The newest module in `versions/`, known without importing Alembic: an up-to-date database costs two queries."""

_LOCK: Final = int.from_bytes(hashlib.sha256(b"maththera schema").digest()[:8], signed=True)
_DEADLINE_S: Final = 600.0
"""A migration may rewrite a large table, or wait for the worker that does."""

_PAUSE_S: Final = 0.2


class SchemaError(RuntimeError):
    """The database was made by a newer version of the program."""


async def migrate(url: str) -> None:
    """Creates or upgrades the tables. Of several workers that start at once, one does it and the others wait."""
    database = Database(url)
    until = monotonic() + _DEADLINE_S
    try:
        while not await _migrated(database, until):  # noqa: ASYNC110 - another process has the lock
            await asyncio.sleep(_PAUSE_S)
    finally:
        await database.close()


async def _migrated(database: Database, until: float) -> bool:
    """Done, or to be tried again: SQLite lets nobody in for long while another has the lock."""
    try:
        if await database.run(_version) != HEAD:
            await database.transaction(_upgrade_alone, deadline=_DEADLINE_S)
    except StoreUnavailable as error:
        if database.dialect != "sqlite" or not is_locked(error.__cause__) or monotonic() > until:
            raise
        return False
    return True


async def _version(connection: AsyncConnection) -> str | None:
    def read(sync: Connection) -> str | None:
        if not inspect(sync).has_table("alembic_version"):
            return None
        version: str | None = sync.scalar(text("SELECT version_num FROM alembic_version"))
        return version

    return await connection.run_sync(read)


async def _upgrade_alone(connection: AsyncConnection) -> None:
    """SQLite's transaction has the only write lock already."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if await _version(connection) != HEAD:
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise SchemaError(f"the database cannot be brought to schema {HEAD}: {error}") from error
