"""Runs of flows as the commands reach them: their records and Redis, without working on any run."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import typer

from maththera.app.execution_resources import open_executions
from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.store_setup import stores
from maththera.executions.runner import Runner
from maththera.executions.schedules import NoSuchSchedule
from maththera.executions.service import Executions, Launch, NoSuchExecution, StatusConflict
from maththera.flows.flow_catalog import UnknownFlow
from maththera.flows.runs.run_repairs import CannotRepair
from maththera.runtime.redis_client import open_redis
from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.database import Database

T = TypeVar("T")

OPERATOR: Final = Principal("command line", "admin")


def with_executions(work: Callable[[Executions], Awaitable[T]]) -> T:
    """The result of `work`. Ends the command where there is no such run, schedule or flow, or nothing can be done."""
    with exit_on_user_error(), stores(Settings.from_environment(), join=True) as settings:
        try:
            return asyncio.run(_opened(settings, work))
        except NoSuchExecution as error:
            reason = f"there is no run '{error}'"
        except NoSuchSchedule as error:
            reason = f"no flow '{error}' has a schedule"
        except (UnknownFlow, CannotRepair, StatusConflict) as error:
            reason = str(error)
    typer.echo(reason, err=True)
    raise typer.Exit(EXIT_CODE)


async def _opened(settings: Settings, work: Callable[[Executions], Awaitable[T]]) -> T:
    database, redis = Database(settings.database_url), open_redis(str(settings.redis_url))
    try:
        async with open_executions(settings, database, redis, _elsewhere) as executions:
            return await work(executions)
    finally:
        await redis.aclose()
        await database.close()


def _elsewhere(_: Runner) -> Launch:
    async def launch(execution_id: str) -> None:  # noqa: ARG001 - the service or a worker takes it up
        return

    return launch
