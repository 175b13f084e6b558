"""Ids on the command line, with the rules of the HTTP API, so that both accept the same ids."""

import typer


def student_id(text: str) -> str:
    """Reads an option."""
    from pydantic import ValidationError

    from maththera.api.http_layer.identifiers import student_id as known

    try:
        return known.validate_python(text)
    except ValidationError:
        raise typer.BadParameter(f"{text!r}: 1 to 64 letters, digits, or - _ . @") from None


def thread_id(text: str) -> str:
    """Reads an option."""
    from pydantic import TypeAdapter, ValidationError

    from maththera.api.chat_turns import ThreadId

    try:
        return TypeAdapter[str](ThreadId).validate_python(text)
    except ValidationError:
        raise typer.BadParameter(f"{text!r}: 1 to 64 letters, digits, or - _") from None
