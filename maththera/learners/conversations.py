"""Conversations as they are recorded: a thread, and what was said in it turn by turn."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Action, Principal, may
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import utc_now
from maththera.learners.tables_chat import messages, threads

Profile = Literal["coach", "assistant"]
Speaker = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Thread:
    """`student_id`: whom it is about. `owner_token`: the adult who began it; None where the learner did."""

    thread_id: str
    profile: Profile
    student_id: str | None
    owner_token: str | None
    turns: int = 0

    def open_to(self, who: Principal, action: Action) -> bool:
        """A learner's own thread is theirs, and their adults' as their rights go; what an adult asks about a learner
        is that adult's alone."""
        if who.role == "admin":
            return True
        if self.owner_token is not None:
            about_own = self.student_id is None or may(who, "read", self.student_id)
            return self.owner_token == who.token_id and about_own
        return self.student_id is not None and may(who, action, self.student_id)


@dataclass(frozen=True, slots=True)
class Message:
    """`detail`: of an answer, what came with it (intent, tools, chart), plain JSON types."""

    number: int
    role: Speaker
    run_id: str
    text: str
    detail: dict[str, Any] | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: what was asked, and what was answered."""

    run_id: str
    question: str
    answer: str
    detail: Mapping[str, Any]


class ThreadErased(LookupError):
    """A thread that had turns has none any more: what is said now is not kept, either."""


class Conversations:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def thread(self, thread_id: str) -> Thread | None:
        columns = (threads.c.thread_id, threads.c.profile, threads.c.student_id, threads.c.owner_token, threads.c.turns)

        async def read(connection: AsyncConnection) -> Thread | None:
            row = (await connection.execute(select(*columns).where(threads.c.thread_id == thread_id))).one_or_none()
            return Thread(**row._mapping) if row else None

        return await self._database.run(read)

    async def append(self, thread: Thread, turn: int, said: Said) -> None:
        """Turn number `turn` (from 1) of a thread, which begins with its first. The same again changes nothing.
        ThreadErased where the thread that it goes on with is no more."""
        insert = INSERT[self._database.dialect]
        row = {name: getattr(thread, name) for name in ("thread_id", "profile", "student_id", "owner_token")}
        now = {"turns": turn, "updated_at": utc_now()}
        begins = insert(threads).values(**row, turns=turn)
        begins = begins.on_conflict_do_update(index_elements=["thread_id"], set_=now)
        goes_on = update(threads).where(threads.c.thread_id == thread.thread_id).values(**now)
        common = {"thread_id": thread.thread_id, "run_id": said.run_id}
        danger = {"safety": said.detail["safety"]} if "safety" in said.detail else None
        rows: list[dict[str, Any]] = [
            {**common, "number": 2 * turn - 1, "role": "user", "text": said.question, "detail": danger},
            {**common, "number": 2 * turn, "role": "assistant", "text": said.answer, "detail": dict(said.detail)},
        ]

        async def write(connection: AsyncConnection) -> None:
            if not (await connection.execute(begins if turn == 1 else goes_on)).rowcount:
                raise ThreadErased(thread.thread_id)
            await connection.execute(insert(messages).on_conflict_do_nothing(), rows)

        await self._database.transaction(write)

    async def messages(self, thread_id: str, limit: int) -> list[Message]:
        """The last ones, the oldest of them first."""
        columns = [column for column in messages.c if column is not messages.c.thread_id]
        query = (
            select(*columns).where(messages.c.thread_id == thread_id).order_by(messages.c.number.desc()).limit(limit)
        )

        async def read(connection: AsyncConnection) -> list[Message]:
            return [Message(**row._mapping) for row in await connection.execute(query)]

        return (await self._database.run(read))[::-1]
