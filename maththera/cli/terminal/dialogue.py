"""What the dialogues in the terminal begin with: the service in this process, consents by the same rules as over HTTP,
and the lines that people type."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

import typer
from rich.console import Console

from maththera.api.composition import open_services
from maththera.api.services import OpenServices, StudentServices
from maththera.app.content import Content
from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.store_setup import stores
from maththera.cli.terminal.background_loop import Finish, running_loop
from maththera.llm.model_client import without_models
from maththera.settings import Settings

Ask = Callable[[str], str]
"""Shows a prompt and reads one line; EOFError or KeyboardInterrupt when the person wants to stop."""

STORE_DOWN: Final = "지금은 저장소에 닿지 않습니다. 잠시 뒤에 다시 적어 주세요."


@contextmanager
def open_service() -> Iterator[tuple[Finish, OpenServices]]:
    """The service without HTTP, and what runs its coroutines. Ends the command for errors that a user can correct."""
    with exit_on_user_error(), stores(Settings.from_environment(), join=True) as settings, running_loop() as finish:
        opening = open_services(settings, Content.load(settings))
        services: OpenServices = finish(opening.__aenter__())
        try:
            yield finish, services
        finally:
            finish(opening.__aexit__(None, None, None))


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


def typed_line(ask: Ask) -> str:
    return ask("> ").encode(errors="replace").decode().strip()  # what was typed may be no Unicode
