"""Classes: who is in them, and the codes by which a tablet becomes one of theirs."""

import secrets
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Column, ForeignKey, Index, String, Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.access_tokens import tokens
from maththera.store.access.authorization import Principal
from maththera.store.access.credentials import hash_of
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Utc, metadata, time_column

CODE_LIVES: Final = timedelta(minutes=30)
"""Long enough to enrol all tablets of a class with one code."""
CODE_LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that look alike."""
CODE_LENGTH: Final = 8

classes: Final = Table(
    "classes",
    metadata,
    Column("class_id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("owner_token", String, nullable=False),
    Column("code", String, unique=True),
    Column("code_expires_at", Utc),
    time_column(),
)
class_members: Final = Table(
    "class_members",
    metadata,
    Column("class_id", ForeignKey("classes.class_id", ondelete="CASCADE"), primary_key=True),
    Column("student_id", String, primary_key=True),
    Column("tile_id", String, nullable=False, unique=True),
    time_column(),
    Index("class_members_of_student", "student_id"),
)


async def join_class(connection: AsyncConnection, class_id: str, student_id: str) -> None:
    """A child that is in the class already stays as it is."""
    row = {"class_id": class_id, "student_id": student_id, "tile_id": uuid.uuid4().hex}
    statement = INSERT_BY_DIALECT[connection.dialect.name](class_members).values(row)
    await connection.execute(statement.on_conflict_do_nothing(index_elements=["class_id", "student_id"]))


@dataclass(frozen=True, slots=True)
class SchoolClass:
    """`owner_token`: the id of the token that made it. `members`: tile id by student id, in the order they came."""

    class_id: str
    name: str
    owner_token: str
    members: dict[str, str]


class Classes(Store):
    async def create(self, name: str, owner_token: str) -> str:
        class_id = uuid.uuid4().hex
        row = {"class_id": class_id, "name": name, "owner_token": owner_token}
        await self._database.execute(insert(classes).values(row))
        return class_id

    async def all(self, *, only: Collection[str] | None = None) -> list[SchoolClass]:
        """By name. `only`: these class ids."""
        order = (classes.c.name, classes.c.class_id, class_members.c.created_at, class_members.c.tile_id)
        query = select(classes, class_members.c.student_id, class_members.c.tile_id).order_by(*order)
        query = query.select_from(classes.outerjoin(class_members))
        found: dict[str, SchoolClass] = {}
        for row in await self._database.rows(query if only is None else query.where(classes.c.class_id.in_(only))):
            one = found.setdefault(row.class_id, SchoolClass(row.class_id, row.name, row.owner_token, {}))
            if row.student_id is not None:
                one.members[row.student_id] = row.tile_id
        return list(found.values())

    async def find(self, class_id: str) -> SchoolClass | None:
        return next(iter(await self.all(only=[class_id])), None)

    async def rename(self, class_id: str, name: str) -> None:
        await self._database.execute(update(classes).where(classes.c.class_id == class_id).values(name=name))

    async def entrust(self, one: SchoolClass, student_id: str, who: Principal) -> None:
        """Makes the child one of those that the teacher, and the teacher whose class it is, stand for."""

        async def work(connection: AsyncConnection) -> None:
            of_teachers = tokens.c.token_id.in_([one.owner_token, who.token_id]) & (tokens.c.role == "teacher")
            query = select(tokens.c.token_id, tokens.c.subject).where(of_teachers).order_by(tokens.c.token_id)
            for token in (await connection.execute(query.with_for_update())).all():
                this, subject = tokens.c.token_id == token.token_id, sorted({*token.subject, student_id})
                await connection.execute(update(tokens).where(this).values(subject=subject))

        await self._database.transaction(work)

    async def remove_member(self, class_id: str, student_id: str) -> bool:
        """False if the child was not in it. Its records stay, and who may see them."""
        own = (class_members.c.class_id == class_id) & (class_members.c.student_id == student_id)
        return bool((await self._database.execute(delete(class_members).where(own))).rowcount)

    async def new_code(self, class_id: str) -> tuple[str, datetime]:
        """A code that makes tablets those of the class, and until when; the one before is of no use any more."""
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        until = datetime.now(UTC) + CODE_LIVES
        change = {"code": hash_of(code), "code_expires_at": until}
        await self._database.execute(update(classes).where(classes.c.class_id == class_id).values(change))
        return code, until

    async def of_code(self, code: str) -> str | None:
        """The class of a live code."""
        live = (classes.c.code == hash_of(code)) & (classes.c.code_expires_at > datetime.now(UTC))
        return await self._database.value(select(classes.c.class_id).where(live))
