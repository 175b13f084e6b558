"""`maththera tokens`: who may use the service."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, TypeVar

import typer

from maththera.cli.database_access import with_database
from maththera.cli.id_options import known_student, named_student, student_id

if TYPE_CHECKING:
    from maththera.store.access.access_tokens import AccessTokens

T = TypeVar("T")
Role: TypeAlias = Literal["student", "guardian", "teacher", "author", "admin"]
app = typer.Typer(help="Access tokens.", no_args_is_help=True)


@app.command()
def create(
    role: Annotated[Role, typer.Argument()],
    student: Annotated[
        list[str] | None,
        typer.Option(
            help="Whom it stands for, by id or nickname: one for a student, who may be new; any number for adults."
        ),
    ] = None,
    label: Annotated[str, typer.Option(help="A note for the list.")] = "",
    days: Annotated[int | None, typer.Option(min=1, help="Default: it does not expire.")] = None,
) -> None:
    """Make a token and print it, this once."""
    subject = [_whom(role, each) for each in student or ()]
    expires_at = datetime.now(UTC) + timedelta(days=days) if days else None
    try:
        token = _with_tokens(lambda tokens: tokens.create(role, subject, label=label, expires_at=expires_at))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(token)


def _whom(role: Role, name: str) -> str:
    """A student's token may be the first that there is of it; an adult stands for children who are there."""
    return named_student(name) or student_id(name) if role == "student" else known_student(name)


@app.command("list")
def show() -> None:
    """All tokens ever made, without the tokens themselves."""
    from maththera.cli.text_tables import print_table, unbroken_column

    rows = []
    for row in _with_tokens(lambda tokens: tokens.list()):
        gone = row.revoked_at or (row.expires_at if row.expires_at and row.expires_at < datetime.now(UTC) else None)
        state = f"ended {gone:%Y-%m-%d}" if gone else "live"
        created = f"{row.created_at:%Y-%m-%d %H:%M}"
        rows.append((row.token_id, row.role, ", ".join(row.subject), row.label, created, state))
    print_table((unbroken_column("id"), "role", "stands for", "label", "created", "state"), rows)


@app.command()
def revoke(token_id: Annotated[str, typer.Argument(help="The id from the list.")]) -> None:
    """End a token. Running workers follow within five seconds."""
    if not _with_tokens(lambda tokens: tokens.revoke(token_id)):
        raise typer.BadParameter(f"there is no live token {token_id}")
    typer.echo(f"{token_id} is revoked")


def _with_tokens(work: "Callable[[AccessTokens], Awaitable[T]]") -> T:
    from maththera.store.access.access_tokens import AccessTokens

    return with_database(lambda database: work(AccessTokens(database)))
