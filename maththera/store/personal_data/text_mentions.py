"""Mentions of a child in free text, which stay when the child's own records are erased.

All texts of the database are searched except those of papers, which are published. A mention names the place only.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import JSON, Column, String, Table, Text, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.access_tokens import tokens
from maththera.store.database import Database
from maththera.store.personal_data.data_inventory import json_contains_id
from maththera.store.personal_data.student_names import SHORT_NUMBER, mention_pattern
from maththera.store.students import students
from maththera.store.tables import metadata

_SEARCH_S: Final = 60.0
_MOST: Final = 200
_LEAST_LETTERS: Final = 2
"""A shorter name would be found everywhere."""
_LEFT_OUT: Final = frozenset({"papers", "paper_passages", "erasures"})
"""Published texts, and receipts, which name a child only until everything is erased."""


@dataclass(frozen=True, slots=True)
class Mention:
    """`row`: the primary key."""

    table: str
    column: str
    row: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class ChildNames:
    """What a child is called. `sought`: what texts are searched for. `all_sought`: no name is too short for that."""

    sought: list[str]
    all_sought: bool


class MentionSearch:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def names(self, student_id: str) -> ChildNames:
        """The names of the child: its id, its nickname and the labels of its own tokens. Not sought are numbers of up
        to three digits, which every text on arithmetic contains, and other names of one letter."""
        query = select(tokens.c.label).where(tokens.c.role == "student", json_contains_id(tokens.c.subject, student_id))
        nickname = select(students.c.nickname).where(students.c.student_id == student_id)
        labels = [(row[0] or "").strip() for each in (query, nickname) for row in await self._database.rows(each)]
        called = {student_id, *filter(None, labels)}
        long = {student_id, *(label for label in labels if len(label) >= _LEAST_LETTERS)}
        sought = sorted(name for name in long if not SHORT_NUMBER.fullmatch(name))
        return ChildNames(sought, len(sought) == len(called))

    async def of(self, called: Collection[str]) -> list[Mention]:
        """Mentions of any of these names, at most _MOST."""
        if not called:
            return []

        async def work(connection: AsyncConnection) -> list[Mention]:
            found: list[Mention] = []
            for table in metadata.sorted_tables:
                if table.name not in _LEFT_OUT and len(found) < _MOST:
                    found += await _in_table(connection, table, called)
            return found[:_MOST]

        return await self._database.run(work, deadline=_SEARCH_S)


async def _in_table(connection: AsyncConnection, table: Table, called: Collection[str]) -> list[Mention]:
    texts, keys = list(_texts(table)), list(table.primary_key)
    if not texts:
        return []
    columns = [cast(column, Text).label(f"text_{number}") for number, column in enumerate(texts)]
    lowered = [func.lower(cast(column, Text)) for column in texts]
    holds = [text.contains(name.lower(), autoescape=True) for text in lowered for name in called]
    rows = await connection.execute(select(*keys, *columns).where(or_(*holds)).limit(_MOST))
    pattern = re.compile("|".join(map(mention_pattern, called)), re.IGNORECASE)
    return [
        Mention(str(table.name), str(column.name), {str(key.name): row._mapping[key.name] for key in keys})
        for row in rows
        for number, column in enumerate(texts)
        if pattern.search(row._mapping[f"text_{number}"] or "")
    ]


def _texts(table: Table) -> Iterator[Column[Any]]:
    """Columns with text of people or models: no keys, references or hashes."""
    for column in table.columns:
        plain = isinstance(column.type, String | JSON)
        if plain and not column.primary_key and not column.foreign_keys and column.name != "hash":
            yield column
