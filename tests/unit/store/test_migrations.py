import asyncio
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import OperationalError

from maththera.store import database as database_room
from maththera.store import migrations
from maththera.store.database import Database
from maththera.store.migrations import HEAD, SchemaError, migrate
from maththera.store.tables import metadata
from maththera.store.tutoring_sessions import SessionRecords

EARLIER: Final = Path(__file__).parents[2] / "data" / "database_0023.sql"

LATER: Final = {
    "later": """
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{head}"

reports = sa.table("reports", sa.column("kind", sa.String))


def upgrade():
    op.create_table(
        "badges",
        sa.Column("session_id", sa.String, sa.ForeignKey("sessions.session_id", ondelete="CASCADE"), primary_key=True),
        sa.Column("badge", sa.String, nullable=False, unique=True),
    )
    with op.batch_alter_table("students") as table:
        table.add_column(sa.Column("seat", sa.String))
        table.create_unique_constraint("students_seat_key", ["seat"])
    op.execute(reports.update().where(reports.c.kind == "teacher").values(kind="school"))


def downgrade():
    op.execute(reports.update().where(reports.c.kind == "school").values(kind="teacher"))
    with op.batch_alter_table("students") as table:
        table.drop_constraint("students_seat_key", type_="unique")
        table.drop_column("seat")
    op.drop_table("badges")
""",
    "next": """
import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "later"


def upgrade():
    op.add_column("sessions", sa.Column("nickname", sa.String))


def downgrade():
    with op.batch_alter_table("sessions") as table:
        table.drop_column("nickname")
""",
}
"""Versions that may come: a table, a column that SQLite adds by copying the table, rows that change; then a column."""

REPORT: Final = "INSERT INTO reports VALUES ('r', 'teacher', '보고서', '[]', '', '', 1, '2026-03-02')"


def test_head_is_the_newest_version() -> None:
    (folder,) = migrations.__path__
    assert ScriptDirectory(folder).get_heads() == [HEAD]


def differences(connection: Connection) -> list[object]:
    """Between the tables of the database and those of the code."""
    return compare_metadata(MigrationContext.configure(connection, opts={"compare_server_default": False}), metadata)


def downgrade(connection: Connection, version: str) -> None:
    command.downgrade(migrations.alembic_config(connection), version)


async def test_the_versions_build_the_tables_of_the_code(database: Database) -> None:
    assert await database.run(lambda connection: connection.run_sync(differences)) == []


def test_every_module_with_a_table_is_among_the_tables() -> None:
    program = (
        "import importlib, pkgutil\n"
        "from maththera import store\n"
        "from maththera.store.tables import metadata\n"
        "listed = {*metadata.tables}\n"
        "for module in pkgutil.walk_packages(store.__path__, 'maththera.store.'):\n"
        "    if '.migrations' not in module.name:\n"
        "        importlib.import_module(module.name)\n"
        "print(*{*metadata.tables} - listed)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "\n"


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


@pytest.fixture
def next_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program whose schema has two more versions."""
    scripts = tmp_path / "scripts"
    shutil.copytree(migrations._SCRIPTS, scripts)
    for name, module in LATER.items():
        (scripts / "versions" / f"{name}.py").write_text(module.format(head=HEAD))
    monkeypatch.setattr(migrations, "_SCRIPTS", scripts)
    monkeypatch.setattr(migrations, "HEAD", "next")


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A database that went through the steps which the first version replaces, with sessions, a lesson, conversations,
    runs and a report."""
    path = tmp_path / "earlier.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(EARLIER.read_text())
        connection.execute(REPORT)
    return path


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Table → its rows, of tables that have any; new columns stand behind the others."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'alembic_version'")
        found = {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for (name,) in names}  # noqa: S608
    return {name: rows for name, rows in found.items() if rows}


async def test_a_database_that_came_here_by_steps_has_the_tables_of_the_code(earlier: Path) -> None:
    before = dump(earlier)
    await migrate(f"sqlite+aiosqlite:///{earlier}")
    async with Database(f"sqlite+aiosqlite:///{earlier}") as database:
        assert await database.run(lambda connection: connection.run_sync(differences)) == []
    assert dump(earlier) == before
    assert not list(earlier.parent.glob("*.backup*"))


@pytest.mark.parametrize("version", ["0012", "0013", "0022"])
async def test_a_database_of_an_older_schema_is_left_alone(earlier: Path, version: str) -> None:
    with closing(sqlite3.connect(earlier)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    before = dump(earlier)
    with pytest.raises(SchemaError, match=rf"schema {version}, from before 0023\. Start .*b5aa64dc.* once, then this"):
        await migrate(f"sqlite+aiosqlite:///{earlier}")
    assert dump(earlier) == before
    assert not list(earlier.parent.glob("*.backup*"))


@pytest.mark.usefixtures("next_schema")
async def test_a_later_program_leaves_it_alone_too(database_url: str, database: Database) -> None:
    await database.run(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '0022'")))
    with pytest.raises(SchemaError, match="to schema next: it has schema 0022"):
        await migrate(database_url)


@pytest.mark.usefixtures("next_schema")
async def test_an_upgrade_keeps_the_rows_and_leaves_a_copy_of_before(earlier: Path) -> None:
    before, rows = dump(earlier), rows_of(earlier)
    await migrate(f"sqlite+aiosqlite:///{earlier}")
    with closing(sqlite3.connect(earlier)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("next",)]
        assert connection.execute("SELECT nickname FROM sessions").fetchall() == [(None,)] * 4
    after = rows_of(earlier)
    assert (rows.pop("reports")[0][1], after.pop("reports")[0][1]) == ("teacher", "school")
    assert {name: [row[: len(found[0])] for row in after[name]] for name, found in rows.items()} == rows
    copy = earlier.with_name("earlier.db.0023.backup")
    assert dump(copy) == before
    assert copy.stat().st_mode & 0o077 == 0
    assert [path.name for path in earlier.parent.glob("*.part*")] == []


@pytest.mark.usefixtures("next_schema")
async def test_without_a_copy_there_is_no_upgrade(earlier: Path) -> None:
    before = dump(earlier)
    earlier.with_name("earlier.db.0023.backup").mkdir()  # a place that cannot be written
    with pytest.raises(SchemaError, match=r"could not be copied to .*earlier\.db\.0023\.backup"):
        await migrate(f"sqlite+aiosqlite:///{earlier}")
    assert dump(earlier) == before


@pytest.mark.usefixtures("next_schema")
async def test_workers_that_start_together_upgrade_once(earlier: Path) -> None:
    before = dump(earlier)
    await asyncio.gather(*(migrate(f"sqlite+aiosqlite:///{earlier}") for _ in range(4)))
    assert dump(earlier.with_name("earlier.db.0023.backup")) == before


async def test_an_upgrade_can_be_taken_back(
    database_url: str, database: Database, request: pytest.FixtureRequest
) -> None:
    """`database` has the schema of now; then the program of the next version comes, and goes again."""
    kind = text("SELECT kind FROM reports")
    await SessionRecords(database).create_session("a", "s1", {"seed": 7})
    await database.execute(text(REPORT))
    request.getfixturevalue("next_schema")
    await migrate(database_url)
    assert await database.run(lambda connection: connection.run_sync(differences)) != []
    assert await database.value(kind) == "school"
    await database.transaction(lambda connection: connection.run_sync(downgrade, HEAD))
    assert await database.run(lambda connection: connection.run_sync(differences)) == []
    session = await SessionRecords(database).session("a")
    assert session is not None
    assert session.start == {"seed": 7}
    assert await database.value(kind) == "teacher"


@pytest.mark.usefixtures("next_schema")
async def test_an_upgrade_that_fails_half_way_leaves_everything(earlier: Path) -> None:
    """The second of two versions meets what it cannot change."""
    with closing(sqlite3.connect(earlier)) as connection, connection:
        connection.execute("ALTER TABLE sessions ADD COLUMN nickname VARCHAR")
    before = dump(earlier)
    with pytest.raises(OperationalError, match="nickname"):
        await migrate(f"sqlite+aiosqlite:///{earlier}")
    assert dump(earlier) == before


async def test_the_first_version_can_be_taken_back(database_url: str, database: Database) -> None:
    await database.transaction(lambda connection: connection.run_sync(downgrade, "base"))
    tables = await database.run(lambda connection: connection.run_sync(lambda sync: inspect(sync).get_table_names()))
    assert tables == ["alembic_version"]
    await migrate(database_url)
    assert await database.run(lambda connection: connection.run_sync(differences)) == []


@pytest.mark.slow
async def test_alembic_is_not_even_imported_when_there_is_nothing_to_do(database_url: str, database: Database) -> None:
    program = (
        "import asyncio, sys\n"
        "from maththera.store.migrations import migrate\n"
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
