"""The database for commands that read or change records without a running service."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from maththera.cli.command_errors import exit_on_user_error

if TYPE_CHECKING:
    from maththera.store.database import Database

T = TypeVar("T")


def with_database(work: "Callable[[Database], Awaitable[T]]") -> T:
    """Does `work` on the configured database; missing tables are made first."""
    from maththera.cli.store_setup import make_tables
    from maththera.settings import Settings
    from maththera.store.database import Database

    async def run(url: str) -> T:
        async with Database(url) as database:
            return await work(database)

    with exit_on_user_error():
        settings = Settings.from_environment()
        make_tables(settings)
        return asyncio.run(run(settings.database_url))
