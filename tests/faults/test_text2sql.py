"""What SQL of a model can do: nothing but read what the asker may see, and within a second."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.chat.messages.chat_tools import Asker
from maththera.chat.sql.query_templates import Templates
from maththera.chat.sql.sql_check import SqlRefused, safe_sql
from maththera.chat.sql.text2sql import Text2Sql
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.sql_views import COLUMNS, QueryRefused, SqlViews
from maththera.store.tables import metadata
from maththera.store.tutoring_sessions import sessions
from tests.support import sql_attacks
from tests.support.patience import withdraw
from tests.support.sql_attacks import ALL, ATTACKS, SLOW, TEACHER, TURNS

NAMES = {view: f"{view}_x" for view in COLUMNS}


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = await sql_attacks.prepare(database_url)
    yield database
    await database.close()


@pytest.fixture
def views(database: Database) -> SqlViews:
    return sql_attacks.views(database)


@pytest.fixture
def text2sql(database: Database) -> Text2Sql:
    return sql_attacks.text2sql(database)


def test_comments_do_not_reach_the_database() -> None:
    assert safe_sql("SELECT learner FROM answers -- ; DELETE FROM turns", "postgresql", NAMES, 10) == (
        "SELECT learner FROM answers_x AS answers LIMIT 10"
    )


def test_there_are_enough_attacks() -> None:
    assert len(ALL) >= 80
    assert len({sql for _, sql in ALL}) == len(ALL)


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_no_attack_passes_the_check(dialect: str) -> None:
    assert [(kind, sql) for kind, sql in ALL if not refused(sql, dialect)] == []


def refused(sql: str, dialect: str) -> bool:
    try:
        safe_sql(sql, dialect, NAMES, 10)
    except SqlRefused:
        return True
    return False


async def test_nothing_is_changed_or_shown_even_without_the_check(views: SqlViews, database: Database) -> None:
    """The database itself refuses what would change anything, should the check ever let it pass."""
    before = await _counts(database)
    for sql in [*ATTACKS["writes"], *ATTACKS["databases_and_settings"]]:
        try:
            await views.ask(sql, views.names(), [("s1", "학생 1")], 10)
        except QueryRefused:
            continue
    assert await _counts(database) == before


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "sql", [*ATTACKS["other_learners"], *ATTACKS["system_tables"], "SELECT * FROM json_each('[1]')"]
)
async def test_sqlite_itself_shows_nothing_but_the_views(views: SqlViews, sql: str) -> None:
    with pytest.raises(QueryRefused):
        await views.ask(sql, views.names(), [("s1", "학생 1")], 10)


@pytest.mark.parametrize("sql", SLOW)
async def test_what_only_takes_long_is_given_up(hurried_stores: None, text2sql: Text2Sql, sql: str) -> None:
    async with asyncio.timeout(60):  # the limit is below one second; the rest is for a slow machine
        with pytest.raises(QueryRefused, match=r"interrupt|timeout"):
            await text2sql.ask(TEACHER, sql)


async def test_documents_are_counted(text2sql: Text2Sql) -> None:
    """No column of theirs is read."""
    assert (await text2sql.ask(TEACHER, "SELECT COUNT(*) AS n FROM documents")).columns == ("n",)


async def test_the_pool_is_as_before_after_a_question_that_took_too_long(
    text2sql: Text2Sql, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        withdraw(patch)
        with pytest.raises(QueryRefused):
            await text2sql.ask(TEACHER, SLOW[0])

    async def write(connection: AsyncConnection) -> None:
        await connection.execute(insert(sessions), {"session_id": "after", "student_id": "s1", "start": {}})

    await database.write(write)
    assert (await text2sql.ask(TEACHER, "SELECT COUNT(*) AS n FROM practice")).rows == ((2,),)


async def test_everybody_sees_their_own_learners_only_and_no_names(text2sql: Text2Sql) -> None:
    asked = "SELECT learner, COUNT(*) AS n FROM answers GROUP BY learner ORDER BY learner"

    async def seen(role: Any, *subject: str, about: str | None = None) -> tuple[tuple[Any, ...], ...]:
        return (await text2sql.ask(Asker(Principal("x", role, frozenset(subject)), about), asked)).rows

    assert await seen("teacher", "s1") == (("학생 1", TURNS),)
    assert await seen("guardian", "s2") == (("학생 1", 3),)
    assert await seen("teacher", "s1", "s2") == (("학생 1", TURNS), ("학생 2", 3))
    assert await seen("teacher", "s1", "s2", about="s2") == (("학생 2", 3),)
    assert await seen("teacher", "s1", about="s2") == ()
    assert await seen("admin") == (("학생 1", TURNS), ("학생 2", 3))
    assert await seen("author") == ()


async def test_every_view_has_its_columns_and_nothing_that_names_anybody(text2sql: Text2Sql) -> None:
    for view, columns in COLUMNS.items():
        answer = await text2sql.ask(TEACHER, f"SELECT * FROM {view}")  # noqa: S608 - the names are ours
        assert answer.columns == columns
        assert "s1" not in str(answer.rows)


async def test_an_answer_is_no_longer_than_it_may_be(text2sql: Text2Sql) -> None:
    most = Templates.load(home()).texts.rows
    assert len((await text2sql.ask(TEACHER, "SELECT day FROM answers")).rows) == most
    assert len((await text2sql.ask(TEACHER, "SELECT day FROM answers LIMIT 100000")).rows) == most
    assert len((await text2sql.ask(TEACHER, "SELECT day FROM answers LIMIT 3")).rows) == 3


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT COUNT(*) FROM answers",
        "SELECT a.unit, u.unit_name, ROUND(100.0 * AVG(a.correct), 1) AS percent FROM answers a JOIN units u"
        " ON u.unit = a.unit GROUP BY a.unit, u.unit_name HAVING COUNT(*) > 1 ORDER BY percent DESC LIMIT 3",
        "SELECT COUNT(DISTINCT day) FILTER (WHERE correct = 1) FROM answers",
        "SELECT CASE WHEN correct = 1 THEN 'o' ELSE 'x' END AS mark, COUNT(*) FROM answers GROUP BY 1",
        "SELECT day, ROW_NUMBER() OVER (ORDER BY day) AS n FROM practice",
        "SELECT * FROM (SELECT month, COUNT(*) AS n FROM answers GROUP BY month) AS q WHERE n > 1",
        "SELECT learner FROM answers WHERE unit IN (SELECT unit FROM units WHERE unit_name LIKE '%올림%') LIMIT 1",
        "SELECT c.cause_name, COUNT(*) FROM answers a LEFT JOIN causes c ON c.cause = a.cause GROUP BY c.cause_name",
        "SELECT CAST(AVG(seconds) AS integer) AS s, COALESCE(MAX(unit), 0), NULLIF(MIN(unit), 3) FROM answers",
        "SELECT SUBSTRING(day, 1, 4) AS year, LENGTH(day), UPPER(kind), LOWER(kind) FROM answers LIMIT 1",
        "SELECT DISTINCT kind FROM answers WHERE day BETWEEN '2020-01-01' AND '2099-12-31' AND correct IS NOT NULL",
        "SELECT learner FROM answers a WHERE EXISTS (SELECT 1 FROM practice p WHERE p.session = a.session) LIMIT 1",
    ],
)
async def test_honest_questions_are_answered(text2sql: Text2Sql, sql: str) -> None:
    assert (await text2sql.ask(TEACHER, sql)).rows


@pytest.mark.parametrize(
    "sql", ["SELECT " + "(" * 900 + "1" + ")" * 900, "SELECT " + "-" * 1500 + "1", "SELECT " + "1+" * 900 + "1",
            "SELECT " + "NOT " * 400 + "1 FROM answers", "SELECT " + "CASE WHEN 1=1 THEN " * 90, "'" * 1999,
            "x" * 100_000, "SELECT " + "NOT " * 370 + "(1 = 1) FROM answers", "SELECT '" + "a" * 300 + "' FROM answers"]
)  # fmt: skip
def test_what_only_wears_the_parser_out_is_refused(sql: str) -> None:
    began = time.process_time()
    with pytest.raises(SqlRefused):
        safe_sql(sql, "sqlite", NAMES, 10)
    assert time.process_time() - began < 1  # of computing, however busy the machine is


async def _counts(database: Database) -> dict[str, int]:
    async def read(connection: AsyncConnection) -> dict[str, int]:
        return {
            table.name: (await connection.execute(select(func.count()).select_from(table))).scalar_one()
            for table in metadata.sorted_tables
        }

    return await database.run(read)
