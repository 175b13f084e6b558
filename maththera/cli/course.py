"""`maththera course`: check the files of courses.

Exit codes: 0 all well, 1 mistakes in courses, 2 a command that cannot be carried out."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Courses: what lessons teach.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `lint` a command of its own while it is the only one."""


@app.command()
def lint(
    files: Annotated[list[Path] | None, typer.Argument(help="Default: all in configs/lessons/courses/.")] = None,
) -> None:
    """Check courses, or single chapters; each mistake is one line: file:line: field: reason."""
    from maththera.cli import course_lint

    course_lint.run(files)
