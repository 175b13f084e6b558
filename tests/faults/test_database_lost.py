"""The database goes away, hangs, refuses or fills up: StoreUnavailable, nothing half-done, and on it goes after."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store import database as module
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.database import Database, StoreUnavailable
from maththera.store.learner_state import LearnerUpdate
from maththera.store.llm_usage import llm_usage
from maththera.store.migrations import migrate
from maththera.store.tutoring_sessions import NewReview, SessionRecords, TurnFacts, TurnRow, TurnTaken
from tests.support.postgres import PostgresServer
from tests.support.review_queue import review_queue

SESSION = "s"
BUSY_MS = 50
"""How long SQLite waits for a lock where that is cut short."""


def a_turn(turn: int, request_id: str | None = None) -> TurnRow:
    return TurnRow(SESSION, turn, request_id or f"r-{turn}", {"answer": turn}, [], {"turn": turn}, [], TurnFacts())


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """With one turn on record."""
    await migrate(database_url)
    database = Database(database_url)
    records = SessionRecords(database)
    await records.create_session(SESSION, "student", {})
    await records.append_turn(a_turn(1), learner=LearnerUpdate(7, 4.5))
    yield database
    await database.close()


postgres_only = pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
sqlite_only = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def everything(database: Database, url: str) -> list[Callable[[], Awaitable[object]]]:
    records, tokens = SessionRecords(database), AccessTokens(database)
    return [
        database.ping,
        lambda: migrate(url),
        lambda: records.create_session("another", "student", {}),
        lambda: records.session(SESSION),
        lambda: records.append_turn(a_turn(2)),
        lambda: records.append_turn(a_turn(2), reviews=[NewReview("unknown_answer", {})], ended=True),
        lambda: records.turns(SESSION),
        lambda: records.turn_by_request(SESSION, "r-1"),
        lambda: records.last_turn_number(SESSION),
        lambda: records.learner("student"),
        lambda: llm_usage(database),
        lambda: tokens.create("admin"),
        lambda: tokens.find("token"),
        lambda: tokens.revoke("id"),
        tokens.list,
        lambda: tokens.ensure_admin(None),
    ]


@postgres_only
@pytest.mark.parametrize("crash", [False, True])
async def test_everything_says_so_while_the_server_is_down_and_works_again_after(
    postgres_server: PostgresServer, database: Database, database_url: str, crash: bool
) -> None:
    records = SessionRecords(database)
    postgres_server.kill() if crash else postgres_server.stop()
    for call in everything(database, database_url):
        with pytest.raises(StoreUnavailable) as caught:
            await call()
        assert caught.value.retry_after >= 1
    postgres_server.start()
    assert await records.turns(SESSION) == [a_turn(1)]
    assert await review_queue(database) == []
    await records.append_turn(a_turn(2))
    assert await records.last_turn_number(SESSION) == 2


@postgres_only
async def test_a_restart_between_two_turns_goes_unnoticed(postgres_server: PostgresServer, database: Database) -> None:
    records = SessionRecords(database)
    await asyncio.gather(*(database.ping() for _ in range(5)))  # more than one connection is open
    for restart, extras in enumerate(([], [NewReview("unknown_answer", {})]), start=1):
        postgres_server.stop()
        postgres_server.start()
        await records.append_turn(a_turn(1 + restart), reviews=extras)
    assert await records.last_turn_number(SESSION) == 3
    assert len(await review_queue(database)) == 1


@postgres_only
async def test_a_first_try_that_was_committed_is_recognised(
    postgres_server: PostgresServer, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit and before its answer: the second try meets the row of the first."""
    execute = AsyncConnection.exec_driver_sql
    broken = False

    async def execute_and_break(connection: AsyncConnection, *arguments: Any) -> object:
        nonlocal broken
        done = await execute(connection, *arguments)
        if not broken:
            broken = True
            postgres_server.stop()
            postgres_server.start()
            await execute(connection, "SELECT 1")
        return done

    monkeypatch.setattr(AsyncConnection, "exec_driver_sql", execute_and_break)
    records = SessionRecords(database)
    await records.append_turn(a_turn(2))
    assert broken
    broken = False
    with pytest.raises(TurnTaken):
        await records.append_turn(a_turn(2, "somebody else's"))
    assert await records.turns(SESSION) == [a_turn(1), a_turn(2)]


@postgres_only
async def test_a_statement_that_hangs_is_given_up_and_can_be_repeated(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = SessionRecords(database)

    async def while_locked(connection: AsyncConnection) -> None:
        await connection.execute(text("LOCK TABLE turns"))
        with pytest.raises(StoreUnavailable, match="no answer in time"):
            await database.run(lambda other: other.exec_driver_sql("DELETE FROM turns"), deadline=0.1)

    await database.transaction(while_locked)
    await records.append_turn(a_turn(2))
    assert await records.turns(SESSION) == [a_turn(1), a_turn(2)]


async def test_a_server_that_accepts_and_never_answers_is_given_up() -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    mute = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = mute.sockets[0].getsockname()[1]
    database = Database(f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres")
    try:
        with pytest.raises(StoreUnavailable, match="no answer in time"):
            await database.run(lambda connection: connection.exec_driver_sql("SELECT 1"), deadline=0.1)
    finally:
        await database.close()
        mute.close()


@postgres_only
async def test_a_database_that_is_not_there_is_named(database_url: str) -> None:
    missing = make_url(database_url).set(database="missing").render_as_string(hide_password=False)
    with pytest.raises(StoreUnavailable, match='database "missing" does not exist'):
        await migrate(missing)


@postgres_only
async def test_a_standby_that_cannot_write_is_unavailable(database: Database) -> None:
    await database.run(lambda connection: connection.exec_driver_sql("SET default_transaction_read_only = on"))
    with pytest.raises(StoreUnavailable, match="read-only"):
        await SessionRecords(database).append_turn(a_turn(2))


@sqlite_only
async def test_a_file_locked_by_another_process_is_unavailable(database: Database, database_url: str) -> None:
    records = SessionRecords(database)
    holder = sqlite3.connect(make_url(database_url).database or "", isolation_level=None)
    try:
        holder.execute("BEGIN IMMEDIATE")
        for reviews in ([], [NewReview("unknown_answer", {})]):
            with pytest.raises(StoreUnavailable, match="locked"):
                await records.append_turn(a_turn(2), reviews=reviews)
        assert await records.turns(SESSION) == [a_turn(1)], "reading goes on"
        holder.execute("COMMIT")
    finally:
        holder.close()
    await records.append_turn(a_turn(2))
    assert await records.last_turn_number(SESSION) == 2


@sqlite_only
async def test_a_full_disk_is_unavailable(database: Database) -> None:
    records = SessionRecords(database)
    limit = text("PRAGMA max_page_count = 1")  # of this connection, and no less than there are
    await database.run(lambda connection: connection.execute(limit))
    big = TurnRow(SESSION, 2, "r-2", {"answer": "9" * 1_000_000}, [], {}, [], TurnFacts())
    for ended in (False, True):
        with pytest.raises(StoreUnavailable, match="full"):
            await records.append_turn(big, ended=ended)
    await database.close()
    await records.append_turn(big)
    assert await records.turns(SESSION) == [a_turn(1), big]


async def test_a_folder_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="unable to open"):
        await migrate(f"sqlite+aiosqlite:///{tmp_path / 'missing' / 'maththera.sqlite'}")


async def test_more_callers_than_connections_wait_or_are_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections = module._READERS if database.dialect == "sqlite" else module._POOL
    free = asyncio.Event()

    async def hold(connection: AsyncConnection) -> None:
        await connection.exec_driver_sql("SELECT 1")
        await free.wait()

    holders = [asyncio.create_task(database.run(hold)) for _ in range(connections)]
    await asyncio.sleep(0)
    with monkeypatch.context() as patch:
        patch.setattr(module, "_QUEUE_S", 0.05)
        with pytest.raises(StoreUnavailable, match="no answer in time"):
            await database.run(hold, deadline=0.05)
    waiting = asyncio.create_task(database.ping())
    free.set()
    await asyncio.gather(waiting, *holders)


@sqlite_only
async def test_writers_of_one_process_queue_instead_of_racing_for_the_lock(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(database_url)
    monkeypatch.setattr(module, "_PRAGMAS", (*module._PRAGMAS, f"busy_timeout={BUSY_MS}"))
    database = Database(database_url)
    records = SessionRecords(database)
    waiting: list[asyncio.Task[None]] = []

    async def hold(connection: AsyncConnection) -> None:
        waiting.extend(asyncio.create_task(records.create_session(f"s-{n}", "student", {})) for n in range(20))
        await asyncio.sleep(4 * BUSY_MS / 1000)

    await database.transaction(hold)
    await asyncio.gather(*waiting)
    assert all([await records.session(f"s-{n}") for n in range(20)])
    await database.close()


async def test_a_turn_that_is_cancelled_is_there_whole_or_not_at_all(database: Database) -> None:
    records = SessionRecords(database)
    turn, loop_steps = 2, 0
    while True:
        task = asyncio.create_task(
            records.append_turn(a_turn(turn), reviews=[NewReview("unknown_answer", {"turn": turn})], ended=True)
        )
        for _ in range(loop_steps):
            await asyncio.sleep(0)
        if task.done():
            break
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        rows, found = await records.turns(SESSION), await review_queue(database)
        assert [row.turn for row in rows[1:]] == [review.payload["turn"] for review in found]
        turn, loop_steps = turn + 1, loop_steps + 1
    await task
    assert loop_steps > 5
    assert await records.last_turn_number(SESSION) == turn


@sqlite_only
async def test_a_transaction_that_is_ended_gives_the_lock_back_at_once(database: Database) -> None:
    """Not when the statement that it was in is collected as garbage: whoever deals with the error still holds it."""
    path = make_url(str(database.engine.url)).database
    statement = "INSERT INTO sessions (session_id, student_id, start, created_at) VALUES (:id, 's', hold(), '')"
    errors: list[BaseException] = []
    inside, ended = threading.Event(), threading.Event()

    def hold() -> str:
        inside.set()
        ended.wait(60)
        return "{}"

    async def work(connection: AsyncConnection) -> None:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.create_function("hold", 0, hold)
        try:
            await connection.execute(text(statement), [{"id": f"s-{n}"} for n in range(9)])
        except asyncio.CancelledError as error:
            errors.append(error)
            raise

    task = asyncio.create_task(database.transaction(work, deadline=60))
    await asyncio.to_thread(inside.wait, 60)
    task.cancel()
    asyncio.get_running_loop().call_soon(ended.set)
    await asyncio.wait([task])
    assert errors
    with closing(sqlite3.connect(str(path), timeout=0, isolation_level=None)) as elsewhere:
        elsewhere.execute("BEGIN IMMEDIATE")
        assert elsewhere.execute("SELECT count(*) FROM sessions").fetchone() == (1,)


async def test_a_statement_that_is_wrong_is_no_outage(database: Database) -> None:
    with pytest.raises(Exception, match="no_such_table") as caught:
        await database.run(lambda connection: connection.exec_driver_sql("SELECT * FROM no_such_table"))
    assert not isinstance(caught.value, StoreUnavailable)
