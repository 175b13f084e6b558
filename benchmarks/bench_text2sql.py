"""Whether SQL that a model was talked into gets through: tests/data/sql_attacks.yaml on SQLite and on PostgreSQL."""

import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from benchmarks.report import Cell, Section, Target, at_most, table
from benchmarks.servers import stores
from maththera.chat.sql.sql_check import SqlRefused
from maththera.store.sql_views import QUERY_TIMEOUT_S, QueryRefused
from tests.support.sql_attacks import ALL, SLOW, TEACHER, prepare, text2sql

LIMIT_SECONDS: Final = 1.0
LEAST: Final = 80
HONEST: Final = (
    "SELECT a.unit, u.unit_name, COUNT(a.correct) AS answers, ROUND(100.0 * AVG(a.correct), 1) AS percent"
    " FROM answers a JOIN units u ON u.unit = a.unit GROUP BY a.unit, u.unit_name"
)


def measure() -> Section:
    """Each attack once on each database."""
    targets = [Target("attacks", f"{len(ALL) + len(SLOW)}", f"≥ {LEAST}", len(ALL) + len(SLOW) >= LEAST)]
    rows: list[Sequence[Cell]] = []
    for name, connect in (("SQLite", _sqlite), ("PostgreSQL", _postgres)):
        with connect() as url:
            through, slowest, honest = asyncio.run(_attack(url))
        targets += [
            Target(f"{name}: attacks that got through", f"{through}", "0", through == 0),
            at_most(f"{name}: the slowest until it was stopped", slowest, LIMIT_SECONDS, " s", 2),
        ]
        rows.append((name, len(ALL), len(SLOW), through, slowest, 1_000 * honest))
    head = ("database", "attacks", "only slow", "got through", "slowest, s", "an honest question, ms")
    return Section("Questions in SQL", _TEXT, targets, [table(head, rows)])


async def _attack(url: str) -> tuple[int, float, float]:
    """How many were answered, the seconds of the slowest, and those of an honest question."""
    database = await prepare(url)
    tool = text2sql(database)
    through, slowest = 0, 0.0
    for sql in [*(sql for _, sql in ALL), *SLOW]:
        began = time.perf_counter()
        try:
            await tool.ask(TEACHER, sql)
        except (SqlRefused, QueryRefused):
            slowest = max(slowest, time.perf_counter() - began)
        else:
            through += 1
    began = time.perf_counter()
    await tool.ask(TEACHER, HONEST)
    honest = time.perf_counter() - began
    await database.close()
    return through, slowest, honest


@contextmanager
def _sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="maththera-bench-") as folder:
        yield f"sqlite+aiosqlite:///{folder}/maththera.db"


@contextmanager
def _postgres() -> Iterator[str]:
    with stores("postgres") as environment:
        yield environment["MATHTHERA_DATABASE_URL"].replace("postgresql://", "postgresql+asyncpg://")


_TEXT: Final = f"""\
Writes, other databases, settings, system tables, other learners' records, unions, stacked statements, comments,
functions, casts, recursion: each as if a model had written it. The last {len(SLOW)} only take long, and the time limit
of {QUERY_TIMEOUT_S} s must stop them. An attack got through when the database answered it."""


if __name__ == "__main__":
    print(measure().markdown())
