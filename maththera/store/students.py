"""The students: what a child is called, how it signs in, what it likes, and its birth year."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal, TypeAlias, TypedDict, get_args

from pydantic import Field
from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Executable,
    Integer,
    String,
    Table,
    bindparam,
    case,
    func,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.json_types import JsonObject
from maththera.store.access.credentials import hash_of, new_secret
from maththera.store.child_names import ChildNames, told_apart
from maththera.store.classes import class_members, classes, join_class
from maththera.store.database import Store, lock_for_writing
from maththera.store.schema import INSERT_BY_DIALECT, Utc, metadata, time_column, utc_now

# fmt: off
Animal: TypeAlias = Literal[
    "turtle", "fox", "whale", "owl", "rabbit", "bear", "cat", "dog", "panda", "penguin", "lion", "tiger", "monkey",
    "koala", "elephant", "giraffe", "frog", "chick", "duck", "dolphin", "octopus", "bee", "squirrel", "hedgehog",
    "horse", "pig", "sheep", "cow", "snail", "butterfly",
]
# fmt: on
ANIMALS: Final[tuple[Animal, ...]] = get_args(Animal)
Picture: TypeAlias = Annotated[int, Field(ge=1, le=9, description="Of the nine, row by row.")]

MOST_TRIES: Final = 5
LOCKED_FOR: Final = timedelta(minutes=10)
"""A child has this many tries until it has tried nothing for so long."""

students: Final = Table(
    "students",
    metadata,
    Column("student_id", String, primary_key=True),
    Column("birth_year", Integer),
    time_column("updated_at"),
    Column("nickname", String),
    Column("animal", String),
    Column("grade", Integer),
    Column("pictures", String),
    Column("card", String, unique=True),
    Column("prefs", JSON(none_as_null=True)),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("tried_at", Utc),
)


class StudentChange(TypedDict, total=False):
    """The columns to set; those left out stay."""

    birth_year: int | None
    nickname: str | None
    animal: Animal | None
    grade: int | None
    prefs: JsonObject


@dataclass(frozen=True, slots=True)
class StudentProfile:
    """`picture_lock`: the child signs in with two pictures, not with its tile alone."""

    student_id: str
    nickname: str | None = None
    animal: Animal | None = None
    grade: int | None = None
    picture_lock: bool = False


_PROFILES: Final = select(
    *(students.c[name] for name in ("student_id", "nickname", "animal", "grade", "pictures"))
).where(students.c.student_id.in_(bindparam("student_ids", expanding=True)))


class StudentRecords(Store):
    """Of a card only the hash is kept. There are 36 pairs of pictures, so that a hash hides one from a look into the
    table, no more: what protects it is that a child has few tries.
    """

    async def profiles(self, student_ids: Collection[str]) -> dict[str, StudentProfile]:
        """One for each id, in the order given."""
        if not student_ids:
            return {}
        rows = await self._database.rows(_PROFILES, {"student_ids": [*student_ids]})
        found = {row[0]: StudentProfile(*row[:4], picture_lock=row.pictures is not None) for row in rows}
        return {each: found.get(each) or StudentProfile(each) for each in student_ids}

    async def names(self, student_ids: Collection[str], about: str | None = None) -> ChildNames:
        """What adults call these children, who are all that a caller may see: namesakes are told apart. `about`: the
        one of whom is spoken already."""
        profiles = list((await self.profiles(student_ids)).values())
        counts = Counter(one.nickname for one in profiles if one.nickname)
        shared = [one.student_id for one in profiles if one.nickname and counts[one.nickname] > 1]
        return told_apart(profiles, await self.classes(shared) if shared else {}, about)

    async def of_nickname(self, nickname: str) -> list[str]:
        """The ids of those who have it, in order."""
        query = select(students.c.student_id).where(students.c.nickname == nickname)
        return [row.student_id for row in await self._database.rows(query.order_by(students.c.student_id))]

    async def called(self, student_ids: Collection[str], among: Collection[str] | None) -> dict[str, str]:
        """Student id → what an adult calls it who may see the children `among`; None: all."""
        shared = select(students.c.nickname).where(students.c.student_id.in_(student_ids))
        rows = await self._database.rows(select(students.c.student_id).where(students.c.nickname.in_(shared)))
        namesakes = {row.student_id for row in rows if among is None or row.student_id in among}
        names = (await self.names(sorted(namesakes.union(student_ids)))).names
        return {each: names[each] for each in student_ids}

    async def classes(self, student_ids: Collection[str]) -> dict[str, list[str]]:
        """Student id → the names of its classes; those in none are left out."""
        of_class = (class_members.c.class_id == classes.c.class_id) & class_members.c.student_id.in_(student_ids)
        query = select(class_members.c.student_id, classes.c.name).where(of_class).order_by(classes.c.name)
        found: dict[str, list[str]] = {}
        for row in await self._database.rows(query):
            found.setdefault(row.student_id, []).append(row.name)
        return found

    async def change(self, student_id: str, change: StudentChange, *, joins: str | None = None) -> bool:
        """False, and nothing changes, where another child of its classes has the nickname. `joins`: a class that the
        child comes into with it. Of two that take one nickname at once, one gets it."""

        async def work(connection: AsyncConnection) -> bool:
            await lock_for_writing(connection, class_members)
            nickname = change.get("nickname")
            if nickname is not None and await connection.scalar(_namesake(student_id, nickname, joins)):
                return False
            await connection.execute(self._written(student_id, dict(change)))
            if joins is not None:
                await join_class(connection, joins, student_id)
            return True

        return await self._database.transaction(work)

    async def set_pictures(self, student_id: str, pictures: Iterable[int] | None) -> None:
        """None: the tile alone is enough. Whoever was locked out may try again."""
        kept = None if pictures is None else _pictures_hash(student_id, pictures)
        await self._set(student_id, {"pictures": kept, "tries": 0, "tried_at": None})

    async def new_card(self, student_id: str) -> str:
        """The secret of a new card, which cannot be read again; the card before is of no use any more."""
        secret = new_secret()
        await self._set(student_id, {"card": hash_of(secret)})
        return secret

    async def of_card(self, secret: str) -> str | None:
        """The child whose card this is."""
        return await self._database.value(select(students.c.student_id).where(students.c.card == hash_of(secret)))

    async def try_pictures(self, student_id: str, pictures: Iterable[int]) -> Literal["right", "wrong", "locked"]:
        """Whether these are the child's two. A try is counted before it is looked at, so that tries at the same time
        are not more tries."""
        now = datetime.now(UTC)
        rested: ColumnElement[bool] = or_(students.c.tried_at.is_(None), students.c.tried_at <= now - LOCKED_FOR)
        own = students.c.student_id == student_id
        counted = (
            update(students)
            .where(own)
            .values(
                tries=case((rested, 1), else_=students.c.tries + 1),
                tried_at=case((~rested & (students.c.tries >= MOST_TRIES), students.c.tried_at), else_=now),
            )
            .returning(students.c.tries, students.c.pictures)
        )
        found = (await self._database.execute(counted)).one()
        if found.tries > MOST_TRIES:
            return "locked"
        if found.pictures != _pictures_hash(student_id, pictures):
            return "wrong"
        await self._database.execute(update(students).where(own).values(tries=0, tried_at=null()))
        return "right"

    async def prefs(self, student_id: str) -> JsonObject:
        return await self._database.value(select(students.c.prefs).where(students.c.student_id == student_id)) or {}

    async def _set(self, student_id: str, columns: JsonObject) -> None:
        await self._database.execute(self._written(student_id, columns))

    def _written(self, student_id: str, columns: JsonObject) -> Executable:
        statement = INSERT_BY_DIALECT[self._database.dialect](students).values(student_id=student_id, **columns)
        change = {**columns, "updated_at": utc_now()}
        written: Executable = statement.on_conflict_do_update(index_elements=["student_id"], set_=change)
        return written


def _namesake(student_id: str, nickname: str, class_id: str | None) -> Executable:
    """Another child of this class, or of one of its own, that has the nickname."""
    own = select(class_members.c.class_id).where(class_members.c.student_id == student_id)
    here = class_members.c.class_id.in_(own) | (class_members.c.class_id == class_id)
    named = func.lower(students.c.nickname) == nickname.lower()
    query = select(students.c.student_id).join(class_members, class_members.c.student_id == students.c.student_id)
    return query.where(here, named, students.c.student_id != student_id).limit(1)


def _pictures_hash(student_id: str, pictures: Iterable[int]) -> str:
    """The order is of no importance: a sequence is one thing more to remember."""
    return hash_of(f"{student_id} {sorted(pictures)}")
