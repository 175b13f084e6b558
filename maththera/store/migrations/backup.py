"""A copy of an SQLite database, made beside it before its schema is upgraded."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection

logger = logging.getLogger(__name__)


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
