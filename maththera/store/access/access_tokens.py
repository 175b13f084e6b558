"""Access tokens of programs and adults."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Row,
    String,
    Table,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, Role
from maththera.store.access.credentials import Credentials, hash_of, new_secret
from maththera.store.database import Database, StoreUnavailable, lock_for_writing
from maththera.store.schema import Utc, metadata, time_column, utc_now

tokens: Final = Table(
    "tokens",
    metadata,
    Column("token_id", String, primary_key=True),
    Column("hash", String, nullable=False, unique=True),
    Column("role", String, nullable=False),
    Column("subject", JSON, nullable=False),
    Column("label", String, nullable=False),
    time_column(),
    Column("expires_at", Utc),
    Column("revoked_at", Utc),
    Column("prefs", JSON(none_as_null=True)),
    Column("last_used_at", Utc),
)

_FROM_SETTINGS: Final = "MATHTHERA_ADMIN_TOKEN"
_FIRST: Final = "first start"
_WRITE_USES_S: Final = 60.0


def is_live() -> ColumnElement[bool]:
    """The condition that a token is neither revoked nor expired."""
    return tokens.c.revoked_at.is_(None) & or_(tokens.c.expires_at.is_(None), tokens.c.expires_at > utc_now())


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token as it may be shown: without its hash."""

    token_id: str
    role: Role
    subject: list[str]
    label: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class AccessTokens(Credentials):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._uses: dict[str, datetime] = {}

    _live = select(tokens).where(tokens.c.hash == bindparam("key"), is_live())

    async def create(
        self, role: Role, subject: Iterable[str] = (), *, label: str = "", expires_at: datetime | None = None
    ) -> str:
        """Returns a new token, which cannot be read again later. `subject`: one student id for a student, any number
        for a guardian or teacher, none for author and admin; ValueError otherwise. `expires_at`: aware, or None."""
        token = new_secret()
        row = _row(token, role, sorted(set(subject)), label, expires_at)
        await self._database.execute(insert(tokens).values(row))
        return token

    async def revoke(self, token_id: str) -> bool:
        """True if there was such a live token. Other workers follow within five seconds."""
        statement = update(tokens).where(tokens.c.token_id == token_id, tokens.c.revoked_at.is_(None))
        done = await self._database.execute(statement.values(revoked_at=utc_now()))
        self.forget()
        return bool(done.rowcount)

    async def rotate(self, token_id: str) -> str | None:
        """A new secret for a live token, which keeps its id; None if there is no such token."""
        secret = new_secret()
        statement = update(tokens).where(tokens.c.token_id == token_id, is_live())
        done = await self._database.execute(statement.values(hash=hash_of(secret)))
        self.forget()
        return secret if done.rowcount else None

    def used(self, token_id: str) -> None:
        """Notes that somebody came with this token, or with a cookie that stands for it; `write_uses` writes it down.
        Other ids, such as those of children on a page, are of no effect."""
        self._uses[token_id] = datetime.now(UTC)

    async def write_uses(self) -> None:
        """Writes down when the tokens were last used by this worker. What cannot be written waits for the next call."""
        uses, self._uses = self._uses, {}
        try:
            for token_id, at in uses.items():
                before = tokens.c.last_used_at.is_(None) | (tokens.c.last_used_at < at)
                statement = update(tokens).where(tokens.c.token_id == token_id, before)
                await self._database.execute(statement.values(last_used_at=at))
        except StoreUnavailable:
            self._uses = uses | self._uses

    async def upkeep(self) -> None:
        """Writes the uses down every minute until it is cancelled."""
        while True:
            await asyncio.sleep(_WRITE_USES_S)
            await self.write_uses()

    async def prefs(self, token_id: str) -> JsonObject:
        return await self._database.value(select(tokens.c.prefs).where(tokens.c.token_id == token_id)) or {}

    async def set_prefs(self, token_id: str, prefs: JsonObject) -> None:
        await self._database.execute(update(tokens).where(tokens.c.token_id == token_id).values(prefs=prefs))

    async def label(self, token_id: str) -> str:
        """Whose token it is, as the admin has written; empty where nothing was written."""
        return await self._database.value(select(tokens.c.label).where(tokens.c.token_id == token_id)) or ""

    async def labels(self, token_ids: Iterable[str]) -> dict[str, str]:
        """Those of these tokens that have one, also of ended tokens."""
        query = select(tokens.c.token_id, tokens.c.label).where(
            tokens.c.token_id.in_({*token_ids}), tokens.c.label != ""
        )
        return {row.token_id: row.label for row in await self._database.rows(query)}

    async def list(self) -> Sequence[TokenRow]:
        """All tokens ever made, the oldest first. What other workers know of uses may be a minute late."""
        await self.write_uses()
        query = select(*(tokens.c[one.name] for one in fields(TokenRow)))
        query = query.order_by(tokens.c.created_at, tokens.c.token_id)
        return [TokenRow(**row._mapping) for row in await self._database.rows(query)]

    async def ensure_admin(self, configured: str | None) -> str | None:
        """Ensures that there is an admin token; called by every worker at its start.

        `configured` (MATHTHERA_ADMIN_TOKEN) becomes an admin token and replaces the one configured before. Without it,
        and without any live admin token, a new one is made and returned, to be printed once.
        """
        made = new_secret() if configured is None else None

        async def work(connection: AsyncConnection) -> str | None:
            await lock_for_writing(connection, tokens)
            if configured is not None:
                await _replace_configured(connection, configured)
                return None
            admins = select(func.count()).where(tokens.c.role == "admin", is_live())
            if await connection.scalar(admins):
                return None
            await connection.execute(insert(tokens), _row(made or "", "admin", [], _FIRST, None))
            return made

        self.forget()
        return await self._database.transaction(work)

    def _principal(self, row: Row[Any]) -> Principal:
        return Principal(row.token_id, row.role, frozenset(row.subject))


def _row(token: str, role: Role, subject: list[str], label: str, expires_at: datetime | None) -> JsonObject:
    stands_for_one, stands_for_none = role == "student", role in ("author", "admin")
    if (stands_for_one and len(subject) != 1) or (stands_for_none and subject):
        wanted = "exactly one student" if stands_for_one else "no students"
        raise ValueError(f"a token for the role {role} stands for {wanted}, not {len(subject)}")
    if expires_at is not None and expires_at.tzinfo is None:
        raise ValueError("expires_at needs a time zone")
    key = hash_of(token)
    return {
        "token_id": key[:12],
        "hash": key,
        "role": role,
        "subject": subject,
        "label": label,
        "created_at": datetime.now(UTC),  # with microseconds, for the order: SQLite's clock has milliseconds
        "expires_at": expires_at,
    }


async def _replace_configured(connection: AsyncConnection, token: str) -> None:
    row = _row(token, "admin", [], _FROM_SETTINGS, None)
    await connection.execute(delete(tokens).where(or_(tokens.c.label == _FROM_SETTINGS, tokens.c.hash == row["hash"])))
    await connection.execute(insert(tokens), row)
