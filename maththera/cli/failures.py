"""What a person can mend ends a command with its reason on standard error and exit code 2, never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

EXIT_CODE: Final = 2


@contextmanager
def mendable() -> Iterator[None]:
    """Around a command: broken settings, bank, model, configs and prompts, and stores that cannot be reached."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, _mendable()):
            raise
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_CODE) from None


def _mendable() -> tuple[type[Exception], ...]:
    """Where these come from is slow to import, and a command that goes well needs little of it."""
    from maththera.arithmetic.bank import BankError
    from maththera.documents import ConfigError
    from maththera.learners.database import StoreUnavailable
    from maththera.learners.migrations import SchemaError
    from maththera.runtime.embedded_redis import EmbeddedRedisError
    from maththera.settings import SettingsError
    from maththera.tutoring.difficulty import ModelError

    return BankError, ConfigError, EmbeddedRedisError, ModelError, SchemaError, SettingsError, StoreUnavailable
