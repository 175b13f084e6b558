"""Opens the stores, and everything that runs of flows need: for the service, a worker, or a command."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.builtin_graphs import GRAPHS
from maththera.executions.flow_files import FlowFiles
from maththera.executions.runner import Runner
from maththera.executions.service import Executions, Launch
from maththera.executions.step_history import StepHistory
from maththera.executions.tool_access import LazyTools
from maththera.executions.value_masking import ValueMasker, load_masking_rules
from maththera.executions.worker_metrics import FlowMetrics
from maththera.flows.runs.closing_sentence import load_closings
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.llm.model_client import Models
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.event_log import EventLog
from maththera.runtime.leases import LeaseRenewals
from maththera.runtime.redis_client import open_redis
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.config import Servers, load_servers
from maththera.settings import PREFIX, Settings, SettingsError
from maththera.store.access.consents import ConsentStandings
from maththera.store.database import Database, StoreUnavailable
from maththera.store.executions import ExecutionRecords
from maththera.store.flow_schedules import ScheduleRecords

logger = logging.getLogger(__name__)

SERVERS: Final = "configs/servers/servers.yaml"
MOST_AT_ONCE: Final = 32
"""Runs at once in one process; more have to wait."""

MakeLaunch = Callable[[Runner], Launch]


def open_manager(settings: Settings) -> ServerManager:
    """The manager of the servers in `configs/servers/servers.yaml`; ConfigError for a wrong file."""
    return ServerManager(load_servers(settings.home / SERVERS, settings.for_servers()))


def value_masker(settings: Settings, servers: Servers) -> ValueMasker:
    """The masker of values of runs: configured secrets are masked."""
    headers = {value for server in servers.servers.values() for value in server.headers.values()}
    return ValueMasker(load_masking_rules(settings.home), settings.secrets() | headers)


@asynccontextmanager
async def open_stores(settings: Settings) -> AsyncIterator[tuple[Database, Redis]]:
    """The database and Redis, which are connected to when first used. SettingsError without a Redis."""
    if settings.redis_url is None:
        raise SettingsError(f"{PREFIX}REDIS_URL: needed here; `maththera serve` starts a Redis where there is none")
    async with Database(settings.database_url) as database, aclosing(open_redis(settings.redis_url)) as redis:
        yield database, redis


@asynccontextmanager
async def open_executions(  # noqa: PLR0913
    settings: Settings,
    database: Database,
    redis: Redis,
    make_launch: MakeLaunch | None = None,
    models: Models | None = None,
    metrics: FlowMetrics | None = None,
) -> AsyncIterator[Executions]:
    """The runs of this process. `make_launch`: hands runs to other processes; without it they run here. Servers start
    when they are needed. The caller runs the upkeep."""
    servers = load_servers(settings.home / SERVERS, settings.for_servers())
    metrics = metrics or FlowMetrics(CollectorRegistry())
    async with (
        ServerManager(servers, redis, metrics.call) as manager,
        LazyTools(manager, servers, settings.data_dir) as tools,
        EventLog(redis) as log,
        Sandbox() as sandbox,
        _LocalLaunch() as here,
    ):
        files, records = FlowFiles(settings.home, settings.data_dir, tools, GRAPHS), ExecutionRecords(database)
        runner = Runner(
            records,
            log,
            redis,
            files,
            tools,
            LeaseRenewals(redis),
            RedisSaver(redis),
            sandbox,
            load_closings(settings.home),
            StepHistory(records, log, value_masker(settings, servers), metrics.event),
            models,
            ConsentStandings.of(database, settings.home, settings.country, settings.unknown_age),
        )
        here.runner = runner
        yield Executions(runner, make_launch(runner) if make_launch else here, ScheduleRecords(database))


class _LocalLaunch:
    """Works on runs in tasks of this process. The next process continues those that are under way when it closes."""

    def __init__(self) -> None:
        self.runner: Runner | None = None
        self._latest: dict[str, asyncio.Task[None]] = {}
        self._waiting: set[str] = set()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)

    async def __aenter__(self) -> "_LocalLaunch":
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
                await run_and_log(self.runner, execution_id)

    def _forget(self, execution_id: str, done: asyncio.Task[None]) -> None:
        if self._latest.get(execution_id) is done:
            del self._latest[execution_id]


async def run_and_log(runner: Runner, execution_id: str) -> None:
    """Works on a run and logs its errors; the upkeep tries again."""
    try:
        await runner.run(execution_id)
    except RedisError as error:
        logger.debug("run %s broke off: %r", execution_id, error)  # the client says that Redis is away
    except StoreUnavailable as error:
        logger.warning("run %s broke off: %s", execution_id, error)
    except Exception:
        logger.exception("run %s broke off", execution_id)
