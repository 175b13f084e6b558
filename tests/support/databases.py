"""A database with the tables in it, for tests that are not about making them."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import make_url

from maththera.store.migrations import migrate

_template: list[bytes] = []
"""The file of an empty, migrated SQLite database, made once in each process: migrating takes longer than most tests."""


def new_file(url: str) -> Path | None:
    """The file of a SQLite database that is not there yet, in a folder that is."""
    parsed = make_url(url)
    path = Path(parsed.database or "")
    return path if parsed.get_backend_name() == "sqlite" and path.parent.is_dir() and not path.exists() else None


def whole(path: Path) -> bytes:
    """A SQLite database that nobody has open, as one file."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


def write(path: Path, content: bytes) -> None:
    """A database file that only this account can read."""
    path.touch(mode=0o600)
    path.write_bytes(content)


async def migrated(url: str) -> str:
    """Gives a new SQLite database its tables by a copy; migrates any other. -> the URL"""
    path = new_file(url)
    if path is None:
        await migrate(url)
        return url
    if not _template:
        _template.append(await _made())
    write(path, _template[0])
    return url


async def _made() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.sqlite"
        await migrate(f"sqlite+aiosqlite:///{path}")
        return whole(path)
