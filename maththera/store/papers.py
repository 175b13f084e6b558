"""Documents that the assistant searches, stored as passages with the words that they are found by."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    delete,
    func,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.database import REPORT_DEADLINE_S, Store
from maththera.store.schema import INSERT_BY_DIALECT, metadata, time_column

_ROWS_AT_ONCE: Final = 500

papers: Final = Table(
    "papers",
    metadata,
    Column("paper_id", String, primary_key=True),
    Column("title", String, nullable=False),
    Column("authors", JSON, nullable=False),
    Column("year", Integer),
    Column("kind", String, nullable=False),
    Column("file_name", String, nullable=False),
    Column("starter", Boolean, nullable=False),
    time_column(),
)

paper_passages: Final = Table(
    "paper_passages",
    metadata,
    Column("paper_id", String, ForeignKey("papers.paper_id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("heading", String, nullable=False),
    Column("page", Integer),
    Column("text", Text, nullable=False),
    Column("words", Text, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """`page`: of a PDF, from 1. `words`: the words that the search compares, separated by spaces. They are found once,
    when the document is added, as that takes far longer than reading them."""

    place: int
    heading: str
    page: int | None
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Paper:
    """`paper_id`: a hash of the content, so a document added twice is one. `kind`: pdf, markdown, bibtex. `starter`:
    shipped with the program."""

    paper_id: str
    title: str
    authors: list[str]
    year: int | None
    kind: str
    file_name: str
    starter: bool = False


@dataclass(frozen=True, slots=True)
class PaperRow(Paper):
    """A paper as it is stored."""

    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage and the paper it is from."""

    paper_id: str
    passage: Passage


class Papers(Store):
    async def add(self, paper: Paper, passages: Sequence[Passage]) -> bool:
        """Adds a paper with its passages, all or nothing; False if it is there already."""
        insert = INSERT_BY_DIALECT[self._database.dialect]
        rows = [{"paper_id": paper.paper_id, **asdict(passage)} for passage in passages]

        async def write(connection: AsyncConnection) -> bool:
            head = insert(papers).values(**asdict(paper)).on_conflict_do_nothing().returning(papers.c.paper_id)
            if (await connection.execute(head)).one_or_none() is None:
                return False
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                await connection.execute(insert(paper_passages), rows[start : start + _ROWS_AT_ONCE])
            return True

        return await self._database.transaction(write, deadline=REPORT_DEADLINE_S)

    async def remove(self, paper_id: str) -> bool:
        """Removes a paper with its passages; False if it is unknown."""
        removed = await self._database.execute(delete(papers).where(papers.c.paper_id == paper_id))
        return bool(removed.rowcount)

    async def all(self) -> list[PaperRow]:
        """By title; those shipped with the program come last."""
        query = select(papers).order_by(papers.c.starter, papers.c.title, papers.c.paper_id)
        return [PaperRow(**row._mapping) for row in await self._database.report(query)]

    async def version(self) -> tuple[int, datetime | None]:
        """A value that changes when a paper is added or removed."""
        counted = select(func.count(papers.c.paper_id).label("papers"), func.max(papers.c.created_at).label("newest"))
        (row,) = await self._database.report(counted)
        return row.papers, row.newest

    async def passages(self) -> list[StoredPassage]:
        """All passages, for the index."""
        query = select(paper_passages).order_by(paper_passages.c.paper_id, paper_passages.c.place)
        found = []
        for row in await self._database.report(query):
            values = dict(row._mapping)
            found.append(StoredPassage(values.pop("paper_id"), Passage(**values)))
        return found

    async def remove_old_starters(self, but: Collection[str]) -> None:
        """Removes shipped documents that are not shipped any more: all but these."""
        await self._database.execute(delete(papers).where(papers.c.starter, papers.c.paper_id.not_in(but)))
