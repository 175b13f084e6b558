"""Records and tokens on an empty, migrated database, once on SQLite and once on PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from maththera.store.access.access_tokens import AccessTokens
from maththera.store.database import Database
from maththera.store.tutoring_sessions import SessionRecords
from tests.support.databases import migrated


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    await migrated(database_url)
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
async def records(database: Database) -> SessionRecords:
    return SessionRecords(database)


@pytest.fixture
async def tokens(database: Database) -> AccessTokens:
    return AccessTokens(database)
