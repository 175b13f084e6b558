"""Errors that a user can correct: a command prints the reason on standard error and ends with exit code 2."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

EXIT_CODE: Final = 2


@contextmanager
def exit_on_user_error() -> Iterator[None]:
    """Catches broken settings, bank, model, configs and prompts, and unreachable stores; other errors pass."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, _user_errors()):
            raise
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_CODE) from None


def _user_errors() -> tuple[type[Exception], ...]:
    """The error classes. They are imported only after a failure, as their modules are slow to load."""
    from maththera.arithmetic.problem_bank import BankError
    from maththera.config_files import ConfigError
    from maththera.knowledge.difficulty_model import ModelError
    from maththera.runtime.embedded_redis import EmbeddedRedisError
    from maththera.runtime.worker_processes import OldWorkersRunning
    from maththera.settings import SettingsError
    from maththera.store.database import StoreUnavailable
    from maththera.store.migrations import SchemaError

    return (
        BankError,
        ConfigError,
        EmbeddedRedisError,
        ModelError,
        SchemaError,
        SettingsError,
        StoreUnavailable,
        OldWorkersRunning,
    )
