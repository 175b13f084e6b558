"""The views that SQL queries of the assistant may read: no names or ids, and only the caller's learners.

The views are not stored in the database. Each query carries them in its WITH clause under new random names, so it
cannot reach a table by naming it, and what it may read does not depend on earlier migrations. On SQLite it runs on a
read-only connection of its own, whose authorizer lets only these views read tables; on PostgreSQL in a read-only
transaction.
"""

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import CursorResult, make_url, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.authorization import Principal, is_allowed
from maththera.store.database import Database, dumps
from maththera.store.tutoring_sessions import sessions

QUERY_TIMEOUT_S: Final = 0.7
"""A query that takes longer is ended."""

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "answers": ("learner", "session", "day", "month", "unit", "kind", "correct", "pattern", "seconds", "cause"),
    "practice": ("learner", "session", "day", "month", "finished"),
    "units": ("unit", "unit_name"),
    "causes": ("cause", "domain", "cause_name"),
    "documents": ("title", "authors", "year", "kind"),
}
"""View → its columns. Days and months are texts of Korean time (2026-11-22, 2026-11); `correct` and `finished` are 1 or
0, `correct` is NULL for turns without an answer; `cause` is NULL unless it was stated with high confidence."""
OF_LEARNERS: Final = frozenset({"answers", "practice"})
"""The views that hold records of learners."""

_DAY: Final = {
    "sqlite": "date({0}, '+9 hours')",
    "postgresql": "to_char({0} AT TIME ZONE 'Asia/Seoul', 'YYYY-MM-DD')",
}
_JSON: Final = {"sqlite": "json_each({0}) AS j", "postgresql": "json_array_elements(CAST({0} AS json)) AS j"}
_FIELD: Final = {"sqlite": "json_extract(j.value, '$[{0}]')", "postgresql": "(j.value->>{0})"}
_INTEGER: Final = {"sqlite": "{0}", "postgresql": "CAST({0} AS integer)"}
_PARAMETER: Final = {"sqlite": "?{0}", "postgresql": "${0}"}

_SCOPE: Final = "SELECT {field_0} AS student_id, {field_1} AS learner FROM {table_1}"
_SESSIONS: Final = """
    SELECT x.session_id, c.learner, x.created_at, x.ended_at,
           row_number() OVER (PARTITION BY x.student_id ORDER BY x.created_at, x.session_id) AS session
    FROM sessions x JOIN {scope} c ON c.student_id = x.student_id"""
_BODIES: Final = {
    "answers": """
        SELECT s.learner, s.session, {day_of_t} AS day, substr({day_of_t}, 1, 7) AS month, t.c_level AS unit, t.kind,
               CASE WHEN t.correct THEN 1 WHEN NOT t.correct THEN 0 END AS correct, t.pattern,
               t.rt_ms / 1000.0 AS seconds, CASE WHEN t.confidence = 'high' THEN t.cause_tag END AS cause
        FROM turns t JOIN ({sessions}) s ON s.session_id = t.session_id""",
    "practice": """
        SELECT s.learner, s.session, {day_of_s} AS day, substr({day_of_s}, 1, 7) AS month,
               CASE WHEN s.ended_at IS NULL THEN 0 ELSE 1 END AS finished
        FROM ({sessions}) s""",
    "units": "SELECT {unit} AS unit, {field_1} AS unit_name FROM {table_2}",
    "causes": "SELECT {field_0} AS cause, {field_1} AS domain, {field_2} AS cause_name FROM {table_3}",
    "documents": "SELECT p.title, substr(CAST(p.authors AS text), 1, 500) AS authors, p.year, p.kind FROM papers p",
}

_FUNCTIONS: Final = frozenset(
    ["abs", "avg", "coalesce", "count", "date", "dense_rank", "json_extract", "length", "like", "lower", "max", "min",
     "nullif", "rank", "round", "row_number", "substr", "substring", "sum", "upper"]
)  # fmt: skip
"""The functions that views and queries may call on SQLite."""
_LIST: Final = "json_each"
_SCOPE_NAME: Final = "scope_"
_DOCUMENTS: Final = "papers"
_TABLES: Final = frozenset({"sessions", "turns", _DOCUMENTS, _LIST})
_BATCH: Final = 1_000
"""Steps of SQLite's virtual machine between two checks of the time limit."""
_LARGEST_VALUE: Final = 100_000
_LONGEST_PATTERN: Final = 250
"""Bytes of a LIKE pattern: one comparison is a single step, so it cannot be interrupted."""


class QueryRefused(Exception):
    """The database did not carry out a query: it took too long or is invalid. The message is for a log."""


@dataclass(frozen=True, slots=True)
class ReferenceData:
    """Tables that come from files: (unit, name), and (cause, domain, name)."""

    units: Sequence[tuple[int, str]]
    causes: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class QueryResult:
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class SqlViews:
    """Raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database, facts: ReferenceData, alias: str) -> None:
        """`alias`: the name of a learner in results, with {number}."""
        self._database, self._facts, self._alias = database, facts, alias
        self.dialect = database.dialect

    async def scope(self, who: Principal, only: str | None = None) -> list[tuple[str, str]]:
        """The learners that the caller may query, each with an alias, which stays the same as long as the caller's
        learners do. `only`: this learner alone, if it is one of them."""
        subject = sorted(await self._all_students() if who.role == "admin" else who.subject)
        named = [(student_id, self._alias.format(number=number)) for number, student_id in enumerate(subject, 1)]
        return [pair for pair in named if is_allowed(who, "read", pair[0]) and only in (None, pair[0])]

    def names(self) -> dict[str, str]:
        """View → its name in the next query, which cannot be guessed."""
        suffix = secrets.token_hex(8)
        return {view: f"{view}_{suffix}" for view in COLUMNS}

    async def ask(self, sql: str, names: Mapping[str, str], scope: Sequence[tuple[str, str]], rows: int) -> QueryResult:
        """The result of a checked query that uses the views under these `names`; at most `rows` rows. Raises
        QueryRefused."""
        parameters = (dumps([[*pair] for pair in scope]), dumps([[*unit] for unit in self._facts.units]),
                      dumps([[*cause] for cause in self._facts.causes]))  # fmt: skip
        text = f"WITH {self._definitions(names)} {sql}"
        if self.dialect == "sqlite":
            path = make_url(str(self._database.engine.url)).database or ""
            return await asyncio.to_thread(_ask_sqlite, path, text, parameters, frozenset(names.values()), rows)
        return await self._database.run(lambda connection: _ask_postgres(connection, text, parameters, rows))

    def _definitions(self, names: Mapping[str, str]) -> str:
        dialect = self.dialect
        parts = {"scope": f"{_SCOPE_NAME}{secrets.token_hex(8)}"}
        parts |= {f"field_{place}": _FIELD[dialect].format(place) for place in range(3)}
        parts |= {f"table_{number}": _JSON[dialect].format(_PARAMETER[dialect].format(number)) for number in (1, 2, 3)}
        parts |= {f"day_of_{each}": _DAY[dialect].format(f"{each}.created_at") for each in "ts"}
        parts |= {"sessions": _SESSIONS.format(**parts), "unit": _INTEGER[dialect].format(parts["field_0"])}
        bodies = {parts["scope"]: _SCOPE} | {names[view]: body for view, body in _BODIES.items()}
        return ", ".join(f"{name} AS ({body.format(**parts)})" for name, body in bodies.items())

    async def _all_students(self) -> list[str]:
        return [row.student_id for row in await self._database.rows(select(sessions.c.student_id).distinct())]


async def _ask_postgres(connection: AsyncConnection, sql: str, parameters: tuple[str, ...], rows: int) -> QueryResult:
    settings = ("BEGIN TRANSACTION READ ONLY", f"SET LOCAL statement_timeout = {round(QUERY_TIMEOUT_S * 1000)}",
                "SET LOCAL max_parallel_workers_per_gather = 0", "SET LOCAL jit = off")  # fmt: skip
    try:
        for setting in settings:
            await connection.exec_driver_sql(setting)
        found: CursorResult[Any] = await connection.exec_driver_sql(sql, parameters)
        return QueryResult(tuple(found.keys()), tuple(tuple(row) for row in found.fetchmany(rows)))
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        raise QueryRefused(str(error.orig)) from error
    finally:
        await _end(connection)


async def _end(connection: AsyncConnection) -> None:
    """Ends the transaction; a connection with an open one must not return to the pool."""
    try:
        await connection.exec_driver_sql("ROLLBACK")
    except BaseException:
        await connection.invalidate()
        raise


def _ask_sqlite(path: str, sql: str, parameters: tuple[str, ...], views: frozenset[str], rows: int) -> QueryResult:
    """Runs the query on a connection of its own, which can read nothing but the views."""
    until = time.monotonic() + QUERY_TIMEOUT_S
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=QUERY_TIMEOUT_S, check_same_thread=False)) as connection:
            connection.execute(
                "SELECT value FROM json_each('[]')"
            ).fetchall()  # creates its virtual table, which is not allowed later
            connection.execute("PRAGMA query_only = ON")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(_LARGEST_VALUE, *map(_bytes, (sql, *parameters))))
            connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, _LONGEST_PATTERN)
            connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
            connection.set_authorizer(_authorizer(views))
            connection.set_progress_handler(lambda: time.monotonic() > until, _BATCH)
            cursor = connection.execute(sql, parameters)
            columns = tuple(column[0] for column in cursor.description)
            return QueryResult(columns, tuple(cursor.fetchmany(rows)))
    except sqlite3.Error as error:
        raise QueryRefused(str(error)) from error


def _authorizer(views: frozenset[str]) -> Any:
    """The function that SQLite asks for each part of a query when it compiles it. `source`: the view of that part."""

    def readable(table: str, column: str, source: str) -> bool:
        if not column:  # a table of which no column is read, only that it has rows
            return table in views or table in (_LIST, _DOCUMENTS) or table.startswith(_SCOPE_NAME)
        return table in _TABLES and (source in views or (source.startswith(_SCOPE_NAME) and table == _LIST))

    def allow(action: int, first: str | None, second: str | None, _: str | None, source: str | None) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            return sqlite3.SQLITE_OK if (second or "").lower() in _FUNCTIONS else sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_READ and readable(first or "", second or "", source or ""):
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    return allow


def _bytes(text: str) -> int:
    return len(text.encode()) + 1
