"""Stores have time in tests: a machine that is busy with other tests may stand still for seconds.

What becomes of a store that takes too long is tested with `hurried_stores`, which takes the patience away again.
"""

import os
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.runtime import leases, redis_client
from maththera.store import database, sql_views
from maththera.store.database import Database

QUIET: Final = os.environ.get("QUIET") == "1"
"""The machine does nothing else: what the guides say of seconds is held."""
_SECONDS: Final = 60.0
_LIMITS: Final = (
    (redis_client, "ANSWER_SECONDS"),
    (redis_client, "CONNECT_SECONDS"),
    (redis_client, "POOL_SECONDS"),
    (leases, "WAIT_SECONDS"),
    (sql_views, "QUERY_TIMEOUT_S"),
)
_ATTEMPT: Final = Database._attempt
_IN_SERVICE: Final = [(module, name, getattr(module, name)) for module, name in _LIMITS]


async def _patiently(self: Database, work: Any, connect: Any, deadline: float, **more: Any) -> Any:
    """A deadline shorter than the program's own is a test's wish, and stands."""
    given = max(deadline, _SECONDS) if deadline >= database._DEADLINE_S else deadline
    return await _ATTEMPT(self, work, connect, given, **more)


def grant(patch: pytest.MonkeyPatch) -> None:
    for module, name in _LIMITS:
        patch.setattr(module, name, _SECONDS)
    patch.setattr(Database, "_attempt", _patiently)


def be_patient() -> None:
    """For a program of its own that shares its stores, and SQLite's one lock, with others."""
    patch = pytest.MonkeyPatch()
    grant(patch)
    patch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, f"busy_timeout={round(_SECONDS * 1000)}"))


def withdraw(patch: pytest.MonkeyPatch) -> None:
    """Stores are given up as soon as in service."""
    for module, name, value in _IN_SERVICE:
        patch.setattr(module, name, value)
    patch.setattr(Database, "_attempt", _ATTEMPT)


def answer_within(client: Redis, seconds: float = _SECONDS) -> None:
    """Another patience for a client that there is already."""
    pool = client.connection_pool
    patience = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    pool.connection_kwargs |= patience
    for connection in (*pool._available_connections, *pool._in_use_connections):
        for name, value in patience.items():
            setattr(connection, name, value)
