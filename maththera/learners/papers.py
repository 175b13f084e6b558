"""Documents that the assistant searches, kept as passages and already taken apart into the words they are found by."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CursorResult, Executable, Row, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.history import READ_S
from maththera.learners.tables_papers import papers
from maththera.learners.tables_papers import passages as passage_table

_ROWS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Passage:
    """`page`: of a PDF, from 1. `words`: what the search compares, apart by spaces."""

    place: int
    heading: str
    page: int | None
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Paper:
    """`paper_id` comes from what is in it: the same document again is the same. `kind`: pdf, markdown, bibtex."""

    paper_id: str
    title: str
    authors: list[str]
    year: int | None
    kind: str
    file_name: str
    starter: bool = False


@dataclass(frozen=True, slots=True)
class PaperRow(Paper):
    """A paper as it is kept."""

    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage and the paper it is from."""

    paper_id: str
    passage: Passage


class Papers:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, paper: Paper, passages: Sequence[Passage]) -> bool:
        """Whether it was new. All of it or nothing."""
        insert = INSERT[self._database.dialect]
        rows = [{"paper_id": paper.paper_id, **asdict(passage)} for passage in passages]

        async def write(connection: AsyncConnection) -> bool:
            head = insert(papers).values(**asdict(paper)).on_conflict_do_nothing().returning(papers.c.paper_id)
            if (await connection.execute(head)).one_or_none() is None:
                return False
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                await connection.execute(insert(passage_table), rows[start : start + _ROWS_AT_ONCE])
            return True

        return await self._database.transaction(write, deadline=READ_S)

    async def remove(self, paper_id: str) -> bool:
        """Whether it was there."""

        async def write(connection: AsyncConnection) -> bool:
            await connection.execute(delete(passage_table).where(passage_table.c.paper_id == paper_id))
            gone = await connection.execute(delete(papers).where(papers.c.paper_id == paper_id))
            return bool(gone.rowcount)

        return await self._database.transaction(write)

    async def all(self) -> list[PaperRow]:
        """By title; those that were shipped come last."""
        query = select(papers).order_by(papers.c.starter, papers.c.title, papers.c.paper_id)
        return [PaperRow(**row._mapping) for row in await self._rows(query)]

    async def version(self) -> tuple[int, datetime | None]:
        """Changes when a paper comes or goes."""
        counted = select(func.count(papers.c.paper_id).label("papers"), func.max(papers.c.created_at).label("newest"))
        (row,) = await self._rows(counted)
        return row.papers, row.newest

    async def passages(self) -> list[Stored]:
        """All of them, for the index."""
        query = select(passage_table).order_by(passage_table.c.paper_id, passage_table.c.place)
        found = []
        for row in await self._rows(query):
            values = dict(row._mapping)
            found.append(Stored(values.pop("paper_id"), Passage(**values)))
        return found

    async def forget_starters(self, but: Collection[str]) -> None:
        """Shipped documents that are shipped no longer go."""

        async def write(connection: AsyncConnection) -> None:
            gone = papers.c.starter & papers.c.paper_id.not_in(but)
            ids = select(papers.c.paper_id).where(gone)
            await connection.execute(delete(passage_table).where(passage_table.c.paper_id.in_(ids)))
            await connection.execute(delete(papers).where(gone))

        await self._database.transaction(write)

    async def _rows(self, query: Executable) -> Sequence[Row[Any]]:
        async def read(connection: AsyncConnection) -> Sequence[Row[Any]]:
            found: CursorResult[Any] = await connection.execute(query)
            return found.all()

        return await self._database.run(read, deadline=READ_S)
