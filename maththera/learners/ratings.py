"""What people thought of answers, kept with the question and with what a model was told."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Principal
from maththera.learners.conversations import Thread
from maththera.learners.database import Database
from maththera.learners.guarded import tells_of_danger
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import utc_now
from maththera.learners.tables_chat import messages, threads
from maththera.learners.tables_papers import answer_ratings


@dataclass(frozen=True, slots=True)
class Answered:
    """What was asked and answered in a run. `detail`: as the conversation keeps it."""

    run_id: str
    student_id: str | None
    question: str
    answer: str
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rating:
    """`level`: which of the two answers, "" for the answer as a whole. `score`: 1 to 5."""

    run_id: str
    token_id: str
    level: str
    student_id: str | None
    score: int
    comment: str
    question: str
    answer: str
    prompts: dict[str, Any]


class Ratings:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def answered(self, who: Principal, run_id: str) -> Answered | None:
        """What a run said; None where there is no such run, or none of the caller's, or where it answered danger: those
        words are not copied to where guardians and whoever mends prompts read."""
        query = (
            select(messages, threads.c.profile, threads.c.student_id, threads.c.owner_token)
            .join(threads, threads.c.thread_id == messages.c.thread_id)
            .where(messages.c.run_id == run_id)
        )

        async def read(connection: AsyncConnection) -> Answered | None:
            rows = {row.role: row for row in await connection.execute(query)}
            if not {"user", "assistant"} <= rows.keys():
                return None
            asked, said = rows["user"], rows["assistant"]
            thread = Thread(said.thread_id, said.profile, said.student_id, said.owner_token)
            if not thread.open_to(who, "read") or tells_of_danger(said.detail):
                return None
            return Answered(run_id, said.student_id, asked.text, said.text, said.detail or {})

        return await self._database.run(read)

    async def keep(self, rating: Rating) -> None:
        """The same caller's later rating of the same answer takes the place of the earlier."""
        row = asdict(rating)
        statement = INSERT[self._database.dialect](answer_ratings).values(**row)
        statement = statement.on_conflict_do_update(
            index_elements=["run_id", "token_id", "level"],
            set_={"score": rating.score, "comment": rating.comment, "created_at": utc_now()},
        )
        await self._database.write(lambda connection: connection.execute(statement))

    async def since(self, first: datetime, limit: int, students: Collection[str] | None) -> list[Rating]:
        """The newest first: for whoever mends prompts. `students`: whom the reader may know of, None for all; answers
        about others are left out."""
        columns = [answer_ratings.c[name] for name in Rating.__dataclass_fields__]
        about = answer_ratings.c.student_id
        open_to_reader = true() if students is None else about.is_(None) | about.in_(students)
        query = (
            select(*columns)
            .where(answer_ratings.c.created_at >= first, open_to_reader)
            .order_by(answer_ratings.c.created_at.desc(), answer_ratings.c.run_id, answer_ratings.c.level)
            .limit(limit)
        )

        async def read(connection: AsyncConnection) -> list[Rating]:
            return [Rating(**row._mapping) for row in await connection.execute(query)]

        return await self._database.run(read)
