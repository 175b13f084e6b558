"""The learner records, for a command that only asks or changes them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from maththera.cli.failures import mendable

if TYPE_CHECKING:
    from maththera.learners.database import Database

T = TypeVar("T")


def with_records(work: "Callable[[Database], Awaitable[T]]") -> T:
    """`work` on the configured database, with its tables in place."""
    from maththera.cli.stores import make_tables
    from maththera.learners.database import Database
    from maththera.settings import Settings

    async def run(url: str) -> T:
        database = Database(url)
        try:
            return await work(database)
        finally:
            await database.close()

    with mendable():
        settings = Settings.from_environment()
        make_tables(settings)
        return asyncio.run(run(settings.database_url))
