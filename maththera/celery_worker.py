"""The Celery worker: `celery -A maththera.celery_worker worker`, or `make worker`.

One process, one event loop in a thread of its own, and with it one set of connections and MCP servers. Celery's pool
are threads that wait for runs in that loop.
"""

import asyncio
import os
import threading
from concurrent.futures import Future
from contextlib import AsyncExitStack
from typing import Any

from celery.signals import setup_logging, worker_init, worker_shutdown, worker_shutting_down
from prometheus_client import CollectorRegistry

from maththera.app.celery_launch import DUE, TASK, celery_app, celery_launcher, mark_taken_up
from maththera.app.execution_resources import open_executions, open_stores, run_and_log
from maththera.executions.service import Executions
from maththera.executions.worker_metrics import FlowMetrics, WorkerMetrics
from maththera.flows.runs.run_context import CLOSING_SECONDS
from maththera.llm.model_client import Models
from maththera.runtime.logging import set_up_logging
from maththera.runtime.tracing import start_tracing, stop_tracing
from maththera.settings import PREFIX, Settings, SettingsError
from maththera.store.migrations import migrate


def _settings() -> Settings:
    found = Settings.from_environment()
    for name in ("celery", "redis_url"):
        if getattr(found, name) is None:
            raise SettingsError(f"{PREFIX}{name.upper()}: needed by a worker")
    return found


class Worker:
    """Runs on the loop of its thread what Celery's threads wait for."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="runs", daemon=True)
        self._stack = AsyncExitStack()
        self._executions: Executions | None = None
        self._runs: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Only this account may read the files that this process and its children make afterwards."""
        os.umask(0o077)
        self._thread.start()
        self._wait(self._open())

    def run(self, execution_id: str) -> None:
        """Returns when the run has ended, waits for a person, or is another process'."""
        self._wait(self._run(execution_id))

    def begin_due(self) -> None:
        if self._executions is not None:
            self._wait(self._executions.begin_due())

    def drain(self) -> None:
        """Breaks runs off; steps that must not be broken off end first."""
        self._loop.call_soon_threadsafe(lambda: [work.cancel() for work in self._runs])

    def stop(self) -> None:
        """What is under way is left to the next process."""
        try:
            self._wait(self._stack.aclose(), CLOSING_SECONDS)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(CLOSING_SECONDS)

    async def _open(self) -> None:
        settings = self._settings
        start_tracing(settings.otlp_endpoint)
        self._stack.callback(stop_tracing)
        await migrate(settings.database_url)
        database, self._redis = await self._stack.enter_async_context(open_stores(settings))
        models = Models.from_settings(settings)
        self._stack.push_async_callback(models.aclose)
        registry = CollectorRegistry()
        counted = WorkerMetrics(self._redis, registry)
        self._stack.push_async_callback(counted.hand_over)
        launch = celery_launcher(str(settings.celery), self._redis)
        self._executions = await self._stack.enter_async_context(
            open_executions(settings, database, self._redis, launch, models, FlowMetrics(registry))
        )
        for name, work in (
            ("upkeep of executions", self._executions.upkeep(schedules=False)),
            ("upkeep of figures", counted.upkeep()),
        ):
            self._stack.callback(asyncio.create_task(work, name=name).cancel)

    async def _run(self, execution_id: str) -> None:
        if self._executions is not None:
            await mark_taken_up(self._redis, execution_id)
            work = asyncio.create_task(run_and_log(self._executions.runner, execution_id))
            self._runs.add(work)
            work.add_done_callback(self._runs.discard)
            await asyncio.wait([work])

    def _wait(self, work: Any, seconds: float | None = None) -> None:
        future: Future[None] = asyncio.run_coroutine_threadsafe(work, self._loop)
        future.result(seconds)


settings = _settings()
app = celery_app(str(settings.celery))
_worker = Worker(settings)


@app.task(name=TASK)  # type: ignore[untyped-decorator]
def run(execution_id: str) -> None:
    _worker.run(execution_id)


@app.task(name=DUE)  # type: ignore[untyped-decorator]
def due() -> None:
    """The beat's, each minute."""
    _worker.begin_due()


@worker_shutting_down.connect  # type: ignore[untyped-decorator]
def _drain(**_: Any) -> None:
    _worker.drain()


@worker_init.connect  # type: ignore[untyped-decorator]
def _start(**_: Any) -> None:
    _worker.start()


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def _stop(**_: Any) -> None:
    _worker.stop()


@setup_logging.connect  # type: ignore[untyped-decorator]
def _log(**_: Any) -> None:
    set_up_logging(settings.log_format)
