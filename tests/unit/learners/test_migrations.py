import asyncio
import sqlite3
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from maththera.learners import database as database_room
from maththera.learners import (
    holdings,  # noqa: F401 - brings in the tables of all rooms
    migrations,
)
from maththera.learners.database import Database
from maththera.learners.lessons import LessonRecords
from maththera.learners.migrations import HEAD, SchemaError, migrate
from maththera.learners.open_tasks import open_problems
from maththera.learners.reviews import Reviews, Wanted
from maththera.learners.tables import metadata


def test_head_is_the_newest_version() -> None:
    (folder,) = migrations.__path__
    assert ScriptDirectory(folder).get_heads() == [HEAD]


async def test_the_versions_build_the_tables_of_the_code(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        return compare_metadata(
            MigrationContext.configure(connection, opts={"compare_server_default": False}), metadata
        )

    assert await database.run(lambda connection: connection.run_sync(differences)) == []


async def test_workers_that_start_together_migrate_once(database_url: str) -> None:
    await asyncio.gather(*(migrate(database_url) for _ in range(4)))
    database = Database(database_url)
    try:
        versions = text("SELECT version_num FROM alembic_version")
        found = await database.run(lambda connection: connection.execute(versions))
        assert found.scalars().all() == [HEAD]
    finally:
        await database.close()


async def test_a_program_that_finds_sqlite_locked_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_room, "_PRAGMAS", (*database_room._PRAGMAS, "busy_timeout=20"))
    path = tmp_path / "locked.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    migrating = asyncio.create_task(migrate(f"sqlite+aiosqlite:///{path}"))
    done, _ = await asyncio.wait([migrating], timeout=0.3)
    assert not done
    other.execute("COMMIT")
    await migrating
    assert other.execute("SELECT version_num FROM alembic_version").fetchall() == [(HEAD,)]
    other.close()


async def test_a_newer_database_is_left_alone(database_url: str, database: Database) -> None:
    await database.run(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(SchemaError, match="9999"):
        await migrate(database_url)


async def test_what_lessons_were_graded_before_it_was_said_by_whom(database_url: str) -> None:
    """Choices have always been graded by the rules; of a sentence nobody knows."""

    def as_0007(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrations.__path__[0]))
        command.upgrade(config, "0007")
        graded = [
            ("choice right", "multiple_choice", 1),
            ("choice wrong", "multiple_choice", 0),
            ("said", "subjective", 60),
        ]
        rows = [
            {"id": name, "number": number, "kind": kind, "score": score}
            for number, (name, kind, score) in enumerate(graded, start=1)
        ]
        for table, values in (
            ("lessons (lesson_id, student_id, course, begin)", "'a', 's', 'arithmetic', '{}'"),
            ("lesson_sessions", ":id, 'a', :number, 's', 1, 1, 'retry', '2026-11-22', '2026-11-22', '[]'"),
            ("lesson_quizzes", ":id, 's', 1, 1, :kind, :score, 0, NULL, NULL, '', '', ''"),
        ):
            connection.execute(
                text(f"INSERT INTO {table} VALUES ({values})"),  # noqa: S608 - all of it stands above
                rows if ":id" in values else None,
            )

    database = Database(database_url)
    try:
        await database.transaction(lambda connection: connection.run_sync(as_0007))
        await migrate(database_url)
        quizzes = [one.quiz for one in await LessonRecords(database).sessions("a")]
    finally:
        await database.close()
    assert [(one.is_correct, one.graded_by, one.rule_score) for one in quizzes] == [
        (1, "rules", 1), (0, "rules", 0), (60, None, None),
    ]  # fmt: skip


async def test_reviews_of_before_alerts_keep_their_session_and_get_its_student(database_url: str) -> None:
    """In SQLite the table is copied: no row, time or decision may be lost with it."""

    def as_0008(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrations.__path__[0]))
        command.upgrade(config, "0008")
        connection.execute(text("INSERT INTO sessions (session_id, student_id, start) VALUES ('a', 's1', '{}')"))
        connection.execute(
            text(
                "INSERT INTO reviews (session_id, kind, payload, status, decided_by) "
                "VALUES ('a', 'hard_session', '{\"ended_because\": \"attention\"}', 'decided', 't')"
            )
        )

    database = Database(database_url)
    try:
        await database.transaction(lambda connection: connection.run_sync(as_0008))
        times = text("SELECT created_at FROM reviews")
        before = await database.run(lambda connection: connection.scalar(times))
        await migrate(database_url)
        after = await database.run(lambda connection: connection.scalar(times))
        queue = Reviews(database)
        (review,) = await queue.queue(["s1"], Wanted("decided"))
        await queue.add("rejected_text", {}, room="coach", place_id="t", student_id="s1")
        (fresh,) = await queue.queue(["s1"])
        await database.transaction(lambda connection: connection.execute(text("DELETE FROM sessions")))
        left = await queue.queue(["s1"], Wanted("decided"))
    finally:
        await database.close()
    assert (review.session_id, review.place_id, review.room) == ("a", "a", "tutoring")
    assert (review.payload, after) == ({"ended_because": "attention"}, before)
    assert fresh.review_id > review.review_id
    assert left == [], "it still goes with its session"


async def test_the_tasks_of_sessions_under_way_are_open_from_then_on(database_url: str) -> None:
    def as_0009(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrations.__path__[0]))
        command.upgrade(config, "0009")
        connection.execute(text("INSERT INTO sessions (session_id, student_id, start) VALUES ('a', 's', '{}')"))
        for turn, task in (
            (1, '{"problem": {"problem_id": "P-00001"}}'),
            (2, '{"problem": {"problem_id": "P-00002"}}'),
        ):
            connection.execute(
                text(
                    "INSERT INTO turns (session_id, turn, request_id, event, response, trace) "
                    "VALUES ('a', :turn, :request, '{}', :response, '[]')"
                ),
                {"turn": turn, "request": f"r{turn}", "response": f'{{"task": {task}}}'},
            )

    database = Database(database_url)
    try:
        await database.transaction(lambda connection: connection.run_sync(as_0009))
        await migrate(database_url)
        assert await open_problems(database, "s") == ["P-00002"]
    finally:
        await database.close()


@pytest.mark.slow
async def test_alembic_is_not_even_imported_when_there_is_nothing_to_do(database_url: str, database: Database) -> None:
    program = (
        "import asyncio, sys\n"
        "from maththera.learners.migrations import migrate\n"
        "asyncio.run(migrate(sys.argv[1]))\n"
        "sys.exit('alembic' in sys.modules)\n"
    )
    worker = await asyncio.create_subprocess_exec(sys.executable, "-c", program, database_url)
    assert await worker.wait() == 0


async def test_a_failed_migration_leaves_nothing(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_off(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE half_done (x INTEGER)"))
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_upgrade", break_off)
        with pytest.raises(ZeroDivisionError):
            await migrate(database_url)
    await migrate(database_url)
    database = Database(database_url)
    try:
        with pytest.raises(Exception, match="half_done"):
            await database.run(lambda connection: connection.execute(text("SELECT * FROM half_done")))
    finally:
        await database.close()
