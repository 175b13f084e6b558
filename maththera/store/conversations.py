"""Conversations: threads, and the messages of both sides in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.json_types import JsonObject
from maththera.store.access.authorization import Action, Principal, is_allowed
from maththera.store.database import Database, Store
from maththera.store.lessons import lessons
from maththera.store.schema import INSERT_BY_DIALECT, metadata, time_column, utc_now

Profile = Literal["coach", "assistant"]
Speaker = Literal["user", "assistant"]

threads: Final = Table(
    "threads",
    metadata,
    Column("thread_id", String, primary_key=True),
    Column("profile", String, nullable=False),
    Column("student_id", String),
    Column("owner_token", String),
    Column("turns", Integer, nullable=False),
    time_column(),
    time_column("updated_at"),
    Column("title", String),
    Index("threads_of_student", "student_id"),
    Index("threads_of_owner", "owner_token"),
)

messages: Final = Table(
    "messages",
    metadata,
    Column("thread_id", String, ForeignKey("threads.thread_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("role", String, nullable=False),
    Column("run_id", String, nullable=False),
    time_column(),
    Column("text", Text, nullable=False),
    Column("detail", JSON(none_as_null=True)),
)

_THREAD: Final = select(
    threads.c.thread_id, threads.c.profile, threads.c.student_id, threads.c.owner_token, threads.c.turns
).where(threads.c.thread_id == bindparam("thread_id"))
_LATER: Final = update(threads).where(threads.c.thread_id == bindparam("of_thread")).values(updated_at=utc_now())
_LAST_MESSAGES: Final = (
    select(*(column for column in messages.c if column is not messages.c.thread_id))
    .where(messages.c.thread_id == bindparam("thread_id"))
    .order_by(messages.c.number.desc())
    .limit(bindparam("most"))
)


@dataclass(frozen=True, slots=True)
class Thread:
    """`student_id`: the learner it is about. `owner_token`: the adult who began it; None if the learner did."""

    thread_id: str
    profile: Profile
    student_id: str | None
    owner_token: str | None
    turns: int = 0

    def allows(self, who: Principal, action: Action) -> bool:
        """True if the caller may do this. A learner's own thread is open to the learner and, by their rights, to its
        adults; a thread that an adult began is open to that adult alone."""
        if who.role == "admin":
            return True
        if self.owner_token is not None:
            about_own = self.student_id is None or is_allowed(who, "read", self.student_id)
            return self.owner_token == who.token_id and about_own
        return self.student_id is not None and is_allowed(who, action, self.student_id)


@dataclass(frozen=True, slots=True)
class Message:
    """`detail`: the intent, tools and chart of an answer, as plain JSON types."""

    number: int
    role: Speaker
    run_id: str
    text: str
    detail: JsonObject | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    run_id: str
    question: str
    answer: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ThreadSummary:
    """`title`: as it was named, else its first message."""

    thread_id: str
    profile: Profile
    student_id: str | None
    title: str
    turns: int
    updated_at: datetime


class ThreadErased(LookupError):
    """The thread was erased after its first turn: later turns are not recorded either."""


class Conversations(Store):
    def __init__(self, database: Database) -> None:
        super().__init__(database)
        insert = INSERT_BY_DIALECT[database.dialect]
        first = insert(threads)
        now = {"turns": first.excluded.turns, "updated_at": utc_now()}
        self._first = first.on_conflict_do_update(index_elements=["thread_id"], set_=now)
        self._say = insert(messages).on_conflict_do_nothing()

    async def thread(self, thread_id: str) -> Thread | None:
        found = await self._database.rows(_THREAD, {"thread_id": thread_id})
        return Thread(**found[0]._mapping) if found else None

    async def append(self, thread: Thread, turn: int, said: ConversationTurn) -> None:
        """Records turn number `turn` (from 1); the first one creates the thread. Idempotent. ThreadErased if the thread
        of a later turn does not exist."""
        row = {name: getattr(thread, name) for name in ("thread_id", "profile", "student_id", "owner_token")}
        counted, of_thread = (self._first, row) if turn == 1 else (_LATER, {"of_thread": thread.thread_id})
        common = {"thread_id": thread.thread_id, "run_id": said.run_id}
        danger = {"safety": said.detail["safety"]} if "safety" in said.detail else None
        rows: list[JsonObject] = [
            {**common, "number": 2 * turn - 1, "role": "user", "text": said.question, "detail": danger},
            {**common, "number": 2 * turn, "role": "assistant", "text": said.answer, "detail": dict(said.detail)},
        ]

        async def write(connection: AsyncConnection) -> None:
            if not (await connection.execute(counted, {**of_thread, "turns": turn})).rowcount:
                raise ThreadErased(thread.thread_id)
            await connection.execute(self._say, rows)

        await self._database.transaction(write)

    async def own(self, who: Principal, search: str, limit: int) -> list[ThreadSummary]:
        """The conversations that the caller began, the newest first; with `search` those that say this."""
        first = select(messages.c.text).where(messages.c.thread_id == threads.c.thread_id, messages.c.number == 1)
        title = func.coalesce(threads.c.title, first.scalar_subquery(), "").label("title")
        shown = (threads.c.thread_id, threads.c.profile, threads.c.student_id, title, threads.c.turns)
        query = select(*shown, threads.c.updated_at).where(_begun_by(who))
        if search:
            said = select(messages.c.thread_id).where(messages.c.text.icontains(search, autoescape=True))
            named = threads.c.title.icontains(search, autoescape=True)
            query = query.where(or_(threads.c.thread_id.in_(said), named))
        found = await self._database.rows(query.order_by(threads.c.updated_at.desc(), threads.c.thread_id).limit(limit))
        return [ThreadSummary(**row._mapping) for row in found]

    async def rename(self, who: Principal, thread_id: str, title: str) -> bool:
        """False if it is none of the caller's own."""
        named = update(threads).where(threads.c.thread_id == thread_id, _begun_by(who)).values(title=title)
        return bool((await self._database.execute(named)).rowcount)

    async def delete(self, who: Principal, thread_id: str) -> bool:
        """False if it is none of the caller's own."""
        own = delete(threads).where(threads.c.thread_id == thread_id, _begun_by(who))
        return bool((await self._database.execute(own)).rowcount)

    async def take_back(self, who: Principal, thread_id: str, turn: int) -> bool:
        """Deletes turn number `turn` if it is the last; False if it is not, or the thread none of the caller's own."""
        own = (threads.c.thread_id == thread_id, _begun_by(who), threads.c.turns == turn)

        async def write(connection: AsyncConnection) -> bool:
            counted = await connection.execute(update(threads).where(*own).values(turns=turn - 1))
            if not counted.rowcount:
                return False
            said = (messages.c.thread_id == thread_id, messages.c.number > 2 * (turn - 1))
            await connection.execute(delete(messages).where(*said))
            return True

        return await self._database.transaction(write)

    async def messages(self, thread_id: str, limit: int) -> list[Message]:
        """The last `limit` messages, the oldest first."""
        found = await self._database.rows(_LAST_MESSAGES, {"thread_id": thread_id, "most": limit})
        return [Message(**row._mapping) for row in reversed(found)]


def _begun_by(who: Principal) -> ColumnElement[bool]:
    """An adult's threads; a learner's own."""
    if who.role == "student":
        return and_(threads.c.owner_token.is_(None), threads.c.student_id.in_(who.subject))
    return threads.c.owner_token == who.token_id


async def has_conversations(database: Database) -> bool:
    """True if there has been a conversation or a lesson."""
    any_of_both = select(or_(exists(select(threads.c.thread_id)), exists(select(lessons.c.lesson_id))))
    return bool(await database.value(any_of_both))
