"""Everything that runs of flows need, opened together: in the service, in a worker, for a command."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from redis.asyncio import Redis

from maththera.executions.flow_files import FlowFiles
from maththera.executions.known_tools import KnownTools
from maththera.executions.runner import Runner
from maththera.executions.service import Executions, Launch
from maththera.flows.closing import load_closings
from maththera.flows.sandbox import Sandbox
from maththera.graphs import GRAPHS
from maththera.learners.database import Database
from maththera.learners.executions import ExecutionRecords
from maththera.llm.models import Models
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.events import EventLog
from maththera.servers.config import load_servers
from maththera.servers.manager import Manager
from maththera.settings import Settings

logger = logging.getLogger(__name__)

SERVERS: Final = "configs/servers.yaml"
MOST_AT_ONCE: Final = 32
"""Runs that one process works on; more wait for their turn."""

MakeLaunch = Callable[[Runner], Launch]


def open_manager(settings: Settings) -> Manager:
    """The servers of `configs/servers.yaml`; ConfigError when that is wrong."""
    return Manager(load_servers(settings.home / SERVERS, settings.for_servers()))


@asynccontextmanager
async def open_executions(
    settings: Settings,
    database: Database,
    redis: Redis,
    make_launch: MakeLaunch | None = None,
    models: Models | None = None,
) -> AsyncIterator[Executions]:
    """With `make_launch` runs are given to other processes; without, they are worked on here. Nothing is started before
    it is needed. The upkeep is the caller's."""
    servers = load_servers(settings.home / SERVERS, settings.for_servers())
    async with (
        Manager(servers, redis) as manager,
        KnownTools(manager, servers, settings.data_dir) as tools,
        EventLog(redis) as log,
        Sandbox() as sandbox,
        _Here() as here,
    ):
        files = FlowFiles(settings.home, tools, GRAPHS)
        runner = Runner(
            ExecutionRecords(database),
            log,
            redis,
            files,
            tools,
            RedisSaver(redis),
            sandbox,
            load_closings(settings.home),
            models,
        )
        here.runner = runner
        yield Executions(runner, make_launch(runner) if make_launch else here)


class _Here:
    """Works on runs in tasks of this process. Those under way when it closes are gone on with by the next process."""

    def __init__(self) -> None:
        self.runner: Runner | None = None
        self._latest: dict[str, asyncio.Task[None]] = {}
        self._waiting: set[str] = set()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    async def __aenter__(self) -> "_Here":
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = list(self._latest.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def __call__(self, execution_id: str) -> None:
        if execution_id in self._waiting:
            return  # it will see the run as it is then
        self._waiting.add(execution_id)
        before = self._latest.get(execution_id)
        task = asyncio.create_task(self._run(execution_id, before), name=f"execution {execution_id}")
        self._latest[execution_id] = task
        task.add_done_callback(lambda done: self._forget(execution_id, done))

    async def _run(self, execution_id: str, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        async with self._slots:
            self._waiting.discard(execution_id)
            if self.runner is not None:
                await work_on(self.runner, execution_id)

    def _forget(self, execution_id: str, done: asyncio.Task[None]) -> None:
        if self._latest.get(execution_id) is done:
            del self._latest[execution_id]


async def work_on(runner: Runner, execution_id: str) -> None:
    """A run that cannot be worked on now is no error of the process: the upkeep tries it again."""
    try:
        await runner.run(execution_id)
    except Exception:
        logger.exception("run %s broke off", execution_id)
