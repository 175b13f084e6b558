"""`maththera papers`: the documents that the assistant searches."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from maththera.cli.command_errors import EXIT_CODE
from maththera.cli.database_access import with_database

if TYPE_CHECKING:
    from maththera.chat.papers.paper_library import Library
    from maththera.chat.papers.paper_parsing import ReadPaper
    from maththera.store.database import Database

T = TypeVar("T")
app = typer.Typer(help="Documents that the assistant searches.", no_args_is_help=True)


@app.command()
def add(
    files: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="PDF, Markdown or BibTeX.")],
) -> None:
    """Add documents. A file that cannot be read is named and left out; the others are added."""
    from maththera.chat.papers.paper_parsing import PaperRefused, read_papers

    found: list[ReadPaper] = []
    refused: list[str] = []
    for file in files:
        try:
            found += read_papers(file.name, file.read_bytes())
        except (PaperRefused, OSError) as error:
            refused.append(str(error))

    async def work(library: "Library") -> None:
        for each in found:
            new = await library.add(each)
            typer.echo(f"{each.paper.paper_id}  {each.paper.title}" + ("" if new else "  (was there already)"))

    if found:
        _with_library(work)
    for reason in refused:
        typer.echo(reason, err=True)
    if refused:
        raise typer.Exit(EXIT_CODE)


@app.command("list")
def show() -> None:
    """All documents; those that come with the program last."""
    from maththera.cli.text_tables import print_table, unbroken_column

    async def work(library: "Library") -> list[tuple[str, ...]]:
        await library.add_shipped()
        return [
            (row.paper_id, row.title, str(row.year or ""), row.kind, "shipped" if row.starter else row.file_name)
            for row in await library.papers.all()
        ]

    print_table((unbroken_column("id"), "title", "year", "kind", "from"), _with_library(work))


@app.command()
def remove(paper_id: Annotated[str, typer.Argument(help="The id from the list.")]) -> None:
    """Remove a document from the search; the file itself is left alone."""

    async def work(library: "Library") -> bool:
        return await library.papers.remove(paper_id)

    if not _with_library(work):
        raise typer.BadParameter(f"there is no document {paper_id}")
    typer.echo(f"{paper_id} is removed")


def _with_library(work: "Callable[[Library], Awaitable[T]]") -> T:
    from maththera.chat.assistant.assistant_tools import AssistantTexts
    from maththera.chat.papers.glossary import Glossary
    from maththera.chat.papers.paper_library import Library
    from maththera.settings import home
    from maththera.store.papers import Papers

    async def run(database: "Database") -> T:
        configs = home() / "configs"
        texts = AssistantTexts.load(configs).papers
        return await work(Library(Papers(database), texts, configs / "chat" / "papers", Glossary.load(home())))

    return with_database(run)
