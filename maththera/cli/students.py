"""`maththera students`: taking out what is kept of a child, and erasing it."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from maththera.cli.failures import EXIT_CODE, mendable
from maththera.cli.names import student_id
from maththera.cli.records import with_records

if TYPE_CHECKING:
    from maththera.executions.keeping import Keeping
    from maththera.learners.database import Database
    from maththera.settings import Settings

T = TypeVar("T")
app = typer.Typer(help="What is kept of the children.", no_args_is_help=True)


@app.command()
def export(
    student: Annotated[str, typer.Argument(parser=student_id)],
    output: Annotated[Path, typer.Option("--output", "-o", help="A file that is not there yet.")],
) -> None:
    """Write everything that is kept of a child into a JSON file."""
    from maththera.cli.stores import make_tables
    from maththera.learners.database import Database
    from maththera.learners.exporting import Export
    from maththera.settings import Settings

    async def run(settings: Settings) -> None:
        database = Database(settings.database_url)
        try:
            await _require(database, student)
            with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                async for piece in Export(database).document(student):
                    file.write(piece)
        finally:
            await database.close()

    with mendable():
        settings = Settings.from_environment()
        make_tables(settings)
        try:
            asyncio.run(run(settings))
        except OSError as error:
            raise typer.BadParameter(f"{output}: {error.strerror}") from None
    typer.echo(f"{output} is written")


@app.command()
def erase(
    student: Annotated[str, typer.Argument(parser=student_id)],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase everything of a child: records, runs, reports, working state, tokens. Prints the receipt."""
    with_records(lambda database: _require(database, student))
    if not yes:
        typer.confirm(f"Erase everything of {student}, for good?", abort=True)
    receipt = _with_keeping(lambda keeping, _: keeping.erase(student))
    for table, rows in receipt.records.items():
        typer.echo(f"{rows:>8,} {table}")
    typer.echo(f"receipt {receipt.receipt_id}, files: {receipt.files}, keys: {receipt.keys}")
    if not receipt.complete:
        typer.echo("Redis or the disk has not let go of everything yet; the service sees to it", err=True)
        raise typer.Exit(EXIT_CODE)


@app.command()
def expire(
    days: Annotated[
        int | None, typer.Option(min=1, help="Erase what is older. Default: MATHTHERA_RETENTION_DAYS.")
    ] = None,
) -> None:
    """Erase what is older than it may be kept. The service does so by itself where a limit is set."""

    async def work(keeping: "Keeping", settings: "Settings") -> dict[str, int]:
        if (limit := days or settings.retention_days) is None:
            raise typer.BadParameter("say --days, or set MATHTHERA_RETENTION_DAYS")
        return await keeping.expire(limit)

    erased = _with_keeping(work)
    for table, rows in erased.items():
        typer.echo(f"{rows:>8,} {table}")
    if not erased:
        typer.echo("nothing is that old")


async def _require(database: "Database", student_id: str) -> None:
    """A slip of the pen is no child that has been erased."""
    from maththera.learners.roster import Roster

    if not await Roster(database).known(student_id):
        raise typer.BadParameter(f"nothing is kept of {student_id}")


def _with_keeping(work: "Callable[[Keeping, Settings], Awaitable[T]]") -> T:
    from redis.exceptions import RedisError

    from maththera.cli.stores import stores
    from maththera.executions.keeping import Keeping
    from maththera.learners.database import Database
    from maththera.runtime.events import EventLog
    from maththera.runtime.redis import open_redis
    from maththera.settings import Settings

    async def run(settings: Settings) -> T:
        database, redis = Database(settings.database_url), open_redis(str(settings.redis_url))
        try:
            async with EventLog(redis) as log:
                return await work(Keeping(database, redis, log, settings.data_dir), settings)
        finally:
            await redis.aclose()
            await database.close()

    with mendable(), stores(Settings.from_environment(), join=True) as ready:
        try:
            return asyncio.run(run(ready))
        except RedisError as error:
            typer.echo(f"Redis does not answer, nothing was erased: {error}", err=True)
            raise typer.Exit(EXIT_CODE) from None
