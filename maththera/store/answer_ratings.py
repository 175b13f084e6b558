"""Ratings of answers, stored with the question and with the prompts that a model was given."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text, select, true
from sqlalchemy.orm import Mapped, mapped_column

from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, has_safety_mark
from maththera.store.conversations import Thread, messages, threads
from maththera.store.database import Store
from maththera.store.schema import INSERT_BY_DIALECT, Record, utc_now


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """Question and answer of a run. `detail`: as in the conversation."""

    run_id: str
    student_id: str | None
    question: str
    answer: str
    detail: Mapping[str, Any]


class Rating(Record):
    """`level`: which of the two answers, "" for the answer as a whole. `score`: 1 to 5."""

    __tablename__ = "answer_ratings"
    __table_args__ = (Index("answer_ratings_of_student", "student_id"),)

    run_id: Mapped[str] = mapped_column(primary_key=True)
    token_id: Mapped[str] = mapped_column(primary_key=True)
    level: Mapped[str] = mapped_column(primary_key=True)
    student_id: Mapped[str | None]
    score: Mapped[int]
    comment: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text)
    prompts: Mapped[JsonObject]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now(), default=None, compare=False)


class Ratings(Store):
    async def answered(self, who: Principal, run_id: str) -> RatedAnswer | None:
        """The answer of a run; None if the run is unknown or not the caller's, or if it was about danger: such words
        are not copied to where guardians and authors of prompts read."""
        query = (
            select(messages, threads.c.profile, threads.c.student_id, threads.c.owner_token)
            .join(threads, threads.c.thread_id == messages.c.thread_id)
            .where(messages.c.run_id == run_id)
        )
        rows = {row.role: row for row in await self._database.rows(query)}
        if not {"user", "assistant"} <= rows.keys():
            return None
        asked, said = rows["user"], rows["assistant"]
        thread = Thread(said.thread_id, said.profile, said.student_id, said.owner_token)
        if not thread.allows(who, "read") or has_safety_mark(said.detail):
            return None
        return RatedAnswer(run_id, said.student_id, asked.text, said.text, said.detail or {})

    async def keep(self, rating: Rating) -> None:
        """Records a rating; it replaces the same caller's earlier rating of the same answer."""
        statement = INSERT_BY_DIALECT[self._database.dialect](Rating).values(**rating.values())
        statement = statement.on_conflict_do_update(
            index_elements=["run_id", "token_id", "level"],
            set_={"score": rating.score, "comment": rating.comment, "created_at": utc_now()},
        )
        await self._database.execute(statement)

    async def since(self, first: datetime, limit: int, students: Collection[str] | None) -> list[Rating]:
        """The newest first. `students`: those that the reader may know of, None for all; answers about others are left
        out."""
        open_to_reader = true() if students is None else Rating.student_id.is_(None) | Rating.student_id.in_(students)
        query = (
            select(Rating)
            .where(Rating.created_at >= first, open_to_reader)
            .order_by(Rating.created_at.desc(), Rating.run_id, Rating.level)
            .limit(limit)
        )
        return [Rating.from_row(row) for row in await self._database.rows(query)]
