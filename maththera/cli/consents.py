"""Consents in the terminal: the same rules as over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import typer
from rich.console import Console

from maththera.api.services import StudentServices
from maththera.cli.command_errors import EXIT_CODE
from maththera.cli.terminal.background_loop import Finish
from maththera.llm.model_client import without_models


@contextmanager
def consented(console: Console, finish: Finish, learners: StudentServices, student: str) -> Iterator[None]:
    """Around a child's session: tells the child who reads what it writes, and bars models without that consent. Ends
    the command if a guardian's consent is missing."""
    standing = finish(learners.consent_standings.standing(student, fresh=True))
    if not standing.learning:
        typer.echo(learners.privacy.consent_needed, err=True)
        raise typer.Exit(EXIT_CODE)
    console.print(learners.privacy.who_reads.child, style="dim")
    with nullcontext() if standing.model else without_models():
        yield
