"""Ids on the command line, with the rules of the HTTP API, so that both accept the same ids."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from maththera.store.database import Database


def student_id(text: str) -> str:
    """Reads an option."""
    from pydantic import ValidationError

    from maththera.api.http_layer.identifiers import student_id as known

    try:
        return known.validate_python(text)
    except ValidationError:
        raise typer.BadParameter(f"{text!r}: 1 to 64 letters, digits, or - _ . @") from None


def known_student(text: str) -> str:
    """Reads an option that names a child of whom there are records: by its id, or by a nickname that no other has."""
    if (found := named_student(text)) is None:
        raise typer.BadParameter(f"nothing is kept of {text}; `maththera students list` shows whom there is")
    return found


def named_student(text: str) -> str | None:
    """The id of the child that a text names; None where there is none."""
    from maththera.cli.database_access import with_database

    found = with_database(lambda database: _named(database, text.strip()))
    if len(found) > 1:
        raise typer.BadParameter(f"several are called {text}: {', '.join(found)}; name one by its id")
    return found[0] if found else None


async def _named(database: "Database", text: str) -> list[str]:
    """The ids of those who are meant."""
    from maththera.store.personal_data.student_roster import StudentRoster
    from maththera.store.students import StudentRecords

    if await StudentRoster(database).known(text):
        return [text]
    return await StudentRecords(database).of_nickname(text)


def thread_id(text: str) -> str:
    """Reads an option."""
    from pydantic import TypeAdapter, ValidationError

    from maththera.api.chat_turns import ThreadId

    try:
        return TypeAdapter[str](ThreadId).validate_python(text)
    except ValidationError:
        raise typer.BadParameter(f"{text!r}: 1 to 64 letters, digits, or - _") from None
