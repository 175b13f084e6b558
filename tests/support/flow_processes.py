"""Services and Celery workers that work on the runs of one database and one Redis, to be killed, ended or suspended."""

import asyncio
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from typing import Final, Literal

import httpx
import psutil
from redis.asyncio import Redis

from maththera.app import celery_launch
from maththera.app.celery_launch import celery_launcher
from maththera.app.execution_resources import MakeLaunch, open_executions
from maththera.executions.service import Executions
from maththera.json_types import JsonObject
from maththera.runtime import leases
from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.database import Database
from maththera.store.executions import ExecutionFilter, ExecutionRow
from tests.support.forked import Forked
from tests.support.network import free_port

ADMIN: Final = Principal("tester", "admin")
PATIENCE_SECONDS: Final = 120.0
_TOKEN: Final = "runs-under-test"
_HEADERS: Final = {"Authorization": f"Bearer {_TOKEN}"}

Kind = Literal["service", "celery"]


@dataclass(frozen=True)
class Process:
    """`base_url`: of a service."""

    program: Forked
    base_url: str | None


@dataclass(frozen=True)
class Site:
    """What the processes share. `executions` works on no run itself."""

    kind: Kind
    settings: Settings
    redis: Redis
    executions: Executions

    @asynccontextmanager
    async def process(self) -> AsyncIterator[Process]:
        """A service that is ready, or a Celery worker; killed in the end if it has not ended."""
        port = free_port()
        program = await asyncio.to_thread(
            Forked,
            ["tests.support.eager_upkeep", *_command(self.kind, port)],
            os.environ | self.settings.for_servers() | {"MATHTHERA_ADMIN_TOKEN": _TOKEN},
            self.settings.data_dir / "processes.log",
        )
        try:
            if self.kind == "celery":
                yield Process(program, None)
            else:
                base_url = f"http://127.0.0.1:{port}"
                await _ready(program, base_url)
                yield Process(program, base_url)
        finally:
            if program.returncode is None:
                program.kill()
            await asyncio.to_thread(program.wait)

    async def suspend(self, process: Process) -> None:
        """Stands still until SIGCONT; not in the middle of a write to SQLite, which nobody else could write to then."""
        with closing(sqlite3.connect(self.settings.data_dir / "maththera.db", 1, isolation_level=None)) as database:
            while True:
                process.program.send_signal(signal.SIGSTOP)
                while psutil.Process(process.program.pid).status() != psutil.STATUS_STOPPED:
                    await asyncio.sleep(0.001)
                try:
                    database.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    process.program.send_signal(signal.SIGCONT)
                    await asyncio.sleep(0.01)
                else:
                    database.execute("ROLLBACK")
                    return

    async def begin(self, process: Process, flow: str, word: str) -> None:
        """A run that has been accepted."""
        if process.base_url is None:
            catalog = await self.executions.runner.files.catalog()
            await self.executions.begin(ADMIN, catalog.best(flow), {"word": word})
            return
        body = {"context": {"flow": flow, "inputs": {"word": word}}}
        async with httpx.AsyncClient(base_url=process.base_url, headers=_HEADERS, timeout=PATIENCE_SECONDS) as client:
            answer = await client.post("/api/v1/execute", json=body)
        assert answer.status_code == 202, answer.text

    async def asking(self, words: Collection[str]) -> list[str]:
        """The runs with these words, once all of them wait for a person."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                rows = [row for row in await self.rows() if row.inputs["word"] in words]
                if all(row.status == "waiting" for row in rows):
                    return [row.execution_id for row in rows]
                await asyncio.sleep(0.02)

    async def answer(self, process: Process, execution_id: str, answer: JsonObject) -> bool:
        """Whether an answer was accepted; False where the process died before it said so."""
        if process.base_url is None:
            return bool(await self.executions.answer(ADMIN, execution_id, answer))
        path = f"/api/v1/executions/{execution_id}/resume"
        try:
            async with httpx.AsyncClient(
                base_url=process.base_url, headers=_HEADERS, timeout=PATIENCE_SECONDS
            ) as client:
                taken = await client.post(path, json={"answer": answer})
        except httpx.TransportError:
            return False
        assert taken.status_code == 202, taken.text
        return True

    async def lapse(self) -> None:
        await lapse(self.redis)

    async def rows(self) -> list[ExecutionRow]:
        return [*await self.executions.page(ADMIN, ExecutionFilter(limit=10_000))]

    async def at_work(self) -> None:
        """Returns when a process has begun to work on the newest run."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (await self.rows())[0].starts:
                await asyncio.sleep(0.02)

    async def ended(self) -> None:
        """Returns when no run goes on."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self.executions.runner.records.running(1):
                await asyncio.sleep(0.05)

    def diary(self) -> list[str]:
        return (self.settings.home / "diary").read_text().splitlines()

    def effects(self) -> Counter[str]:
        """What has happened that must happen once."""
        return Counter(line for line in self.diary() if line.startswith("write "))


async def lapse(redis: Redis) -> None:
    """What a process holds that is dead or suspended runs out."""
    for prefix in (leases.PREFIX, celery_launch._HANDED_OVER):
        async for key in redis.scan_iter(match=f"{prefix}*"):
            await redis.delete(key)


@asynccontextmanager
async def open_site(kind: Kind, settings: Settings, database: Database, redis: Redis) -> AsyncIterator[Site]:
    launch: MakeLaunch = celery_launcher(str(settings.celery), redis) if kind == "celery" else lambda _: _leave
    async with open_executions(settings, database, redis, launch) as executions:
        yield Site(kind, settings, redis, executions)


async def _leave(execution_id: str) -> None:
    """To whichever service looks first."""


def _command(kind: Kind, port: int) -> list[str]:
    if kind == "service":
        return ["maththera", "serve", "--port", str(port)]
    quiet = ["--without-mingle", "--without-gossip", "--without-heartbeat"]
    return ["celery", "--app", "maththera.celery_worker", "worker", "--pool", "threads", "--concurrency", "8", *quiet]


async def _ready(program: Forked, base_url: str) -> None:
    last = "nothing"
    try:
        async with httpx.AsyncClient(base_url=base_url) as client, asyncio.timeout(PATIENCE_SECONDS):
            while program.returncode is None:
                try:
                    answer = await client.get("/readyz")
                except httpx.TransportError as error:
                    last = repr(error)
                else:
                    if answer.is_success:
                        return
                    last = answer.text
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"the service is not ready: {last}") from None
    raise AssertionError("the service ended")
