"""Mentions of a child in free text, which stay when the child's own records are erased.

All texts of the database are searched except those of papers, which are published, and the files of saved flows. A
mention names the place only.
"""

import json
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Column, ColumnElement, String, Table, Text, cast, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.access_tokens import tokens
from maththera.store.database import Store
from maththera.store.personal_data.data_inventory import json_contains_id
from maththera.store.personal_data.student_names import SHORT_NUMBER, mention_regex, plain_text
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
    """`row`: the primary key; of a file its path and the line, 0 for its name."""

    table: str
    column: str
    row: dict[str, str | int]


@dataclass(frozen=True, slots=True)
class SoughtNames:
    """`sought`: what texts are searched for. `all_sought`: no name of the child is too short for that."""

    sought: list[str]
    all_sought: bool


class MentionSearch(Store):
    async def names(self, student_id: str) -> SoughtNames:
        """The names of the child: its id, its nickname and the labels of its own tokens. Not sought are numbers of up
        to three digits, which every text on arithmetic contains, and other names of one letter."""
        query = select(tokens.c.label).where(tokens.c.role == "student", json_contains_id(tokens.c.subject, student_id))
        nickname = select(students.c.nickname).where(students.c.student_id == student_id)
        labels = [(row[0] or "").strip() for each in (query, nickname) for row in await self._database.rows(each)]
        called = {student_id, *filter(None, labels)}
        names = {unicodedata.normalize("NFKC", name) for name in called}
        own = unicodedata.normalize("NFKC", student_id)
        long = {name for name in names if name == own or len(name) >= _LEAST_LETTERS}
        sought = sorted(name for name in long if not SHORT_NUMBER.fullmatch(name))
        return SoughtNames(sought, len(sought) == len(names))

    async def of(self, called: Collection[str]) -> list[Mention]:
        """Mentions of any of these names, at most _MOST."""
        if not called:
            return []

        async def work(connection: AsyncConnection) -> list[Mention]:
            if connection.dialect.name == "sqlite":
                raw: Any = (await connection.get_raw_connection()).driver_connection
                await raw.create_function("plain_text", 1, _plain_or_none, deterministic=True)
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
    plain = [_plain_column(column, connection.dialect.name) for column in texts]
    holds = [text.contains(plain_text(name), autoescape=True) for text in plain for name in called]
    rows = await connection.execute(select(*keys, *columns).where(or_(*holds)).limit(_MOST))
    return [
        Mention(str(table.name), str(column.name), {str(key.name): row._mapping[key.name] for key in keys})
        for row in rows
        for number, column in enumerate(texts)
        if _names_any(called, _said(column, row._mapping[f"text_{number}"]))
    ]


def mentions_in_files(folder: Path, called: Collection[str]) -> list[Mention]:
    """Mentions in the names and lines of all files of a folder. Raises OSError."""
    found = [
        Mention(folder.name, "text", {"file": str(path.relative_to(folder)), "line": number})
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        for number, line in enumerate(_lines(path))
        if _names_any(called, line)
    ]
    return found[:_MOST]


def _lines(path: Path) -> Iterator[str]:
    """The name of a file, in which `_` may stand for a space, and its lines."""
    yield f"{path.name} {path.name.replace('_', ' ')}"
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        yield _unescaped(line) if path.suffix == ".jsonl" else line


def _names_any(called: Collection[str], text: str) -> bool:
    plain = plain_text(text)
    return any(mention_regex(name).search(plain) for name in called)


def _plain_column(column: Column[Any], dialect: str) -> ColumnElement[str]:
    """A column's text as `plain_text` makes it, as far as the database can."""
    text = cast(column, Text)
    if dialect == "sqlite":
        return func.plain_text(text, type_=Text)
    return func.lower(func.normalize(text, literal_column("NFKC")), type_=Text)


def _plain_or_none(text: str | None) -> str | None:
    return None if text is None else plain_text(text)


def _said(column: Column[Any], text: str | None) -> str:
    """The text of a row; of JSON without its escapes, as the n of a line break would be a letter before a name."""
    return _unescaped(text or "") if isinstance(column.type, JSON) else text or ""


def _unescaped(text: str) -> str:
    try:
        return "\n".join(_leaves(json.loads(text)))
    except ValueError:
        return text


def _leaves(value: Any) -> Iterator[str]:
    match value:
        case dict():
            for name, each in value.items():
                yield name
                yield from _leaves(each)
        case list():
            for each in value:
                yield from _leaves(each)
        case _:
            yield str(value)


def _texts(table: Table) -> Iterator[Column[Any]]:
    """Columns with text of people or models: no keys, references or hashes."""
    for column in table.columns:
        plain = isinstance(column.type, String | JSON)
        if plain and not column.primary_key and not column.foreign_keys and column.name != "hash":
            yield column
