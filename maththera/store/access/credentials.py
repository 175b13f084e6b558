"""Secrets that stand for somebody: random, and stored only as SHA-256, so that a stolen database gives no access.

A secret has 256 random bits. It cannot be guessed, so a plain hash is enough.
"""

import secrets
import time
from abc import ABC, abstractmethod
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Row, Select

from maththera.store.access.authorization import Principal
from maththera.store.database import Database, Store

_CACHE_S: Final = 5.0
"""Within this time a turn needs no query, and a secret that another worker revoked is still accepted."""

_CACHE_SIZE: Final = 10_000


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


class Credentials(Store, ABC):
    """Finds who bears a secret."""

    _live: Select[Any]
    """The live row with the hash `key`; it has `expires_at`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._cache: dict[str, tuple[float, datetime | None, Principal]] = {}

    async def find(self, secret: str, *, fresh: bool = False) -> Principal | None:
        """The bearer of this secret; None if it is unknown, revoked or expired. `fresh`: without the cache."""
        key = hash_of(secret)
        until, expires_at, principal = (None if fresh else self._cache.get(key)) or (0.0, None, None)
        if principal is None or until < time.monotonic():
            found = await self._database.rows(self._live, {"key": key})
            if not found:
                self._cache.pop(key, None)
                return None
            (row,) = found
            expires_at, principal = row.expires_at, self._principal(row)
            self._remember(key, expires_at, principal)
        return principal if expires_at is None or datetime.now(UTC) < expires_at else None

    def known(self, secret: str) -> Principal | None:
        """The bearer of this secret when it was last looked up here, however long ago; None if it never was. Only for
        requests that are answered even while the database is away."""
        _, expires_at, principal = self._cache.get(hash_of(secret), (0.0, None, None))
        return principal if expires_at is None or datetime.now(UTC) < expires_at else None

    def expires_at(self, secret: str) -> datetime | None:
        """When a secret that was just found ends; None for never."""
        return self._cache.get(hash_of(secret), (0.0, None, None))[1]

    def forget(self) -> None:
        """Empties the cache, after a change in the database."""
        self._cache.clear()

    @abstractmethod
    def _principal(self, row: Row[Any]) -> Principal: ...

    def _remember(self, key: str, expires_at: datetime | None, principal: Principal) -> None:
        if len(self._cache) >= _CACHE_SIZE:
            self._cache.clear()
        self._cache[key] = (time.monotonic() + _CACHE_S, expires_at, principal)
