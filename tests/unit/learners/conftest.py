"""Records and tokens on an empty, migrated database, once on SQLite and once on PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from maththera.learners.database import Database
from maththera.learners.migrations import migrate
from maththera.learners.records import Records
from maththera.learners.tokens import Tokens


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    await migrate(database_url)
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
async def records(database: Database) -> Records:
    return Records(database)


@pytest.fixture
async def tokens(database: Database) -> Tokens:
    return Tokens(database)
