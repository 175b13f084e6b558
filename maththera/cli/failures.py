"""What a person can mend ends a command with its reason on standard error and exit code 2, never with a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

EXIT_CODE: Final = 2


@contextmanager
def mendable() -> Iterator[None]:
    """Around a command: broken settings, bank, configs and prompts, and stores that cannot be reached."""
    from maththera.arithmetic.bank import BankError
    from maththera.learners.database import StoreUnavailable
    from maththera.learners.migrations import SchemaError
    from maththera.llm.config import ConfigError as LlmConfigError
    from maththera.llm.prompts import PromptError
    from maththera.runtime.embedded_redis import EmbeddedRedisError
    from maththera.settings import SettingsError
    from maththera.tutoring.documents import ConfigError

    try:
        yield
    except (
        BankError,
        ConfigError,
        EmbeddedRedisError,
        LlmConfigError,
        PromptError,
        SchemaError,
        SettingsError,
        StoreUnavailable,
    ) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_CODE) from None
