"""`maththera schools`: the schools whose documents the assistant may quote."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from maththera.cli.database_access import with_database

if TYPE_CHECKING:
    from maththera.store.schools import Schools

T = TypeVar("T")
app = typer.Typer(help="Schools and their documents.", no_args_is_help=True)


@app.command()
def add(
    folder: Annotated[
        Path,
        typer.Argument(help="With school.yaml and the .md and .txt files that it names.", exists=True, file_okay=False),
    ],
) -> None:
    """Take in a school and its documents; one of the same title and year is replaced.

    configs/servers/schools/sample is such a folder."""
    school, documents = _with_schools(lambda schools: schools.add(folder))
    typer.echo(f"{school.name} ({school.school_code}), documents: {len(documents)}")
    for each in documents:
        typer.echo(f"  {each.year}  {each.title}  ({len(each.text):,} characters)")


@app.command("list")
def show() -> None:
    """The schools that were added. The sample that ships is there besides."""
    from maththera.cli.text_tables import print_table, unbroken_column

    async def all_of(schools: "Schools") -> list[tuple[str, ...]]:
        return [
            (one.school_code, one.name, one.region, ", ".join(f"{each.title} ({each.year})" for each in documents))
            for one in await schools.all()
            for documents in [await schools.documents(one.school_code)]
        ]

    print_table((unbroken_column("code"), "name", "region", "documents"), _with_schools(all_of))


@app.command()
def remove(school_code: Annotated[str, typer.Argument(help="The code from the list.")]) -> None:
    """Take out a school with all of its documents."""
    if not _with_schools(lambda schools: schools.remove(school_code)):
        raise typer.BadParameter(f"there is no school {school_code}")
    typer.echo(f"{school_code} is removed")


def _with_schools(work: "Callable[[Schools], Awaitable[T]]") -> T:
    from maththera.store.schools import Schools

    return with_database(lambda database: work(Schools(database)))
