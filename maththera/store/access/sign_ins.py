"""Who has signed in on a page, and which tablets belong to a class: the secrets in their cookies, as hashes."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Row,
    String,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.access_tokens import is_live, tokens
from maththera.store.access.authorization import Principal
from maththera.store.access.credentials import Credentials, hash_of, new_secret
from maththera.store.database import StoreUnavailable
from maththera.store.schema import Utc, metadata, time_column, utc_now

SIGNED_IN_FOR: Final = timedelta(hours=12)
"""A school day."""
ENROLLED_FOR: Final = timedelta(days=365)
_WRITE_USE_AFTER: Final = timedelta(minutes=1)
_TABLET_ID: Final = 12
"""Letters of the hash of a tablet's secret that are its public id. They are too few to sign in with."""

sign_ins: Final = Table(
    "sign_ins",
    metadata,
    Column("hash", String, primary_key=True),
    Column("token_id", ForeignKey("tokens.token_id", ondelete="CASCADE")),
    Column("student_id", String),
    Column("class_id", ForeignKey("classes.class_id", ondelete="CASCADE")),
    time_column(),
    Column("expires_at", Utc, nullable=False),
    Column("tablet", String),  # of a child: the hash of the tablet on which it signed in
    Column("last_used_at", Utc),  # of a tablet, to the minute
    Index("sign_ins_by_expiry", "expires_at"),
    Index("sign_ins_of_student", "student_id"),
)


def _live(key: ColumnElement[str] | str) -> ColumnElement[bool]:
    return (sign_ins.c.hash == key) & (sign_ins.c.expires_at > utc_now())


@dataclass(frozen=True, slots=True)
class Tablet:
    """`last_used_at`: when it last showed the tiles of its class, to the minute; None if it never did."""

    tablet_id: str
    enrolled_at: datetime
    last_used_at: datetime | None


class SignIns(Credentials):
    """A row has one of: `token_id`, an adult who showed that token, for whom the cookie stands as long as the token is
    live; `student_id`, a child; `class_id`, a tablet, which is nobody.
    """

    _live = (
        select(sign_ins.c.student_id, sign_ins.c.expires_at, tokens.c.token_id, tokens.c.role, tokens.c.subject)
        .select_from(sign_ins.outerjoin(tokens, (tokens.c.token_id == sign_ins.c.token_id) & is_live()))
        .where(
            _live(bindparam("key", type_=String)), tokens.c.token_id.is_not(None) | sign_ins.c.student_id.is_not(None)
        )
    )

    async def adult(self, who: Principal, until: datetime | None, before: str | None) -> str:
        """The secret of a new sign-in, which ends at `until` at the latest; the one with the secret `before` ends."""
        ends = datetime.now(UTC) + SIGNED_IN_FOR
        return await self._add({"token_id": who.token_id}, min(ends, until or ends), before)

    async def child(self, student_id: str, before: str | None, tablet: str | None = None) -> str:
        """As `adult`. `tablet`: the secret of the one on which the child signs in, with which its sign-in ends."""
        on = {"tablet": hash_of(tablet)} if tablet else {}
        return await self._add({"student_id": student_id, **on}, datetime.now(UTC) + SIGNED_IN_FOR, before)

    async def device(self, class_id: str, before: str | None) -> str:
        """As `adult`, for a tablet."""
        return await self._add({"class_id": class_id}, datetime.now(UTC) + ENROLLED_FOR, before)

    async def class_of_device(self, secret: str) -> str | None:
        """The class whose tablet has this secret; the tablet was used now."""
        own = _live(hash_of(secret)) & sign_ins.c.class_id.is_not(None)
        rows = await self._database.rows(select(sign_ins.c.class_id, sign_ins.c.last_used_at).where(own))
        if not rows:
            return None
        if (last := rows[0].last_used_at) is None or last < datetime.now(UTC) - _WRITE_USE_AFTER:
            with suppress(StoreUnavailable):  # a database that can only be read still shows the tiles
                await self._database.execute(update(sign_ins).where(own).values(last_used_at=utc_now()))
        return str(rows[0].class_id)

    async def tablets_of(self, class_id: str) -> list[Tablet]:
        """Those that are enrolled, the oldest first."""
        own = (sign_ins.c.class_id == class_id) & (sign_ins.c.expires_at > utc_now())
        rows = await self._database.rows(select(sign_ins).where(own).order_by(sign_ins.c.created_at, sign_ins.c.hash))
        return [Tablet(row.hash[:_TABLET_ID], row.created_at, row.last_used_at) for row in rows]

    async def end_tablet(self, class_id: str, tablet_id: str) -> bool:
        """Also ends the sign-ins of children on it; other workers follow within five seconds. False if the class has no
        such tablet."""
        own = (sign_ins.c.class_id == class_id) & (func.substr(sign_ins.c.hash, 1, _TABLET_ID) == tablet_id)

        async def work(connection: AsyncConnection) -> bool:
            found = (await connection.execute(select(sign_ins.c.hash).where(own))).scalars().all()
            gone = sign_ins.c.hash.in_(found) | sign_ins.c.tablet.in_(found)
            await connection.execute(delete(sign_ins).where(gone))
            return bool(found)

        ended = await self._database.transaction(work)
        self.forget()
        return ended

    async def tablets(self) -> int:
        """How many tablets are enrolled."""
        live = sign_ins.c.class_id.is_not(None) & (sign_ins.c.expires_at > utc_now())
        return await self._database.value(select(func.count()).where(live)) or 0

    async def end(self, secret: str) -> None:
        """Other workers follow within five seconds."""
        await self._database.execute(delete(sign_ins).where(sign_ins.c.hash == hash_of(secret)))
        self.forget()

    async def _add(self, whose: dict[str, str], until: datetime, before: str | None) -> str:
        secret = new_secret()

        async def work(connection: AsyncConnection) -> None:
            gone = (sign_ins.c.expires_at <= utc_now()) | (sign_ins.c.hash == hash_of(before or ""))
            await connection.execute(delete(sign_ins).where(gone))
            await connection.execute(insert(sign_ins).values(hash=hash_of(secret), expires_at=until, **whose))

        await self._database.transaction(work)
        self.forget()
        return secret

    def _principal(self, row: Row[Any]) -> Principal:
        if row.student_id is None:
            return Principal(row.token_id, row.role, frozenset(row.subject))
        return Principal(f"page-{hash_of(row.student_id)[:12]}", "student", frozenset({row.student_id}))
