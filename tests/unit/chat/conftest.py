"""Children whose records the coach reads: they were really played."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from maththera.store.database import Database
from tests.support.databases import migrated
from tests.support.learning import Pupil, learn


@pytest.fixture
async def empty(sqlite_url: str) -> AsyncIterator[Database]:
    """No child has ever played."""
    await migrated(sqlite_url)
    database = Database(sqlite_url)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def played_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Records that no test changes: those of `play`."""
    url = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('played') / 'maththera.sqlite'}"
    asyncio.run(play(url))
    return url


@pytest.fixture
async def played(played_url: str) -> AsyncIterator[Database]:
    database = Database(played_url)
    yield database
    await database.close()


async def play(database_url: str) -> None:
    """s1 takes the smaller digit from the larger and is slow at times; s2 errs at nothing."""
    await learn(database_url, Pupil("s1", ("smaller_from_larger",), c=8, slow=0.3), days_ago=(9, 5, 2))
    await learn(database_url, Pupil("s2", c=3, seed=2), days_ago=(1,), problems=30)
