"""Starts what is measured: the stores, the service, the bare endpoint, and the process that loads them."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Self

import orjson
import psutil

from benchmarks import bare
from benchmarks.report import percentile
from maththera.runtime.embedded_redis import EmbeddedRedis
from maththera.store.migrations import migrate
from tests.support.postgres import PostgresServer
from tests.support.servers import RedisServer

Kind = Literal["postgres", "embedded"]

TOKEN: Final = "benchmark"  # noqa: S105  # of a service that lives for seconds
READY_SECONDS: Final = 120.0  # a busy machine's
POLL_SECONDS: Final = 0.005


class DurablePostgres(PostgresServer):
    """As in production: a turn is on disk before it is answered."""

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}", "-c", "timezone=UTC"]
        return self._run([self._programs / "postgres", "-D", self._data, *options], log)


@contextmanager
def stores(kind: Kind) -> Iterator[Mapping[str, str]]:
    """The environment that points a service to running stores with their tables in place."""
    with tempfile.TemporaryDirectory(prefix="maththera-bench-") as name:
        folder = Path(name)
        with _postgres() if kind == "postgres" else _embedded(folder) as (database_url, redis_url):
            asyncio.run(migrate(database_url))
            asyncio.run(bare.make_table(database_url))
            yield {
                "MATHTHERA_DATABASE_URL": database_url,
                "MATHTHERA_REDIS_URL": redis_url,
                "MATHTHERA_DATA_DIR": str(folder),
            }


@contextmanager
def _postgres() -> Iterator[tuple[str, str]]:
    postgres, redis = DurablePostgres(), RedisServer()
    try:
        postgres.start()
        redis.start()
        yield postgres.url(), redis.url
    finally:
        postgres.remove()
        redis.remove()


@contextmanager
def _embedded(folder: Path) -> Iterator[tuple[str, str]]:
    with EmbeddedRedis(folder) as redis:
        yield f"sqlite+aiosqlite:///{folder}/maththera.db", redis.url


@contextmanager
def service(environment: Mapping[str, str], workers: int = 1) -> Iterator["Running"]:
    """`maththera serve`, ready."""
    port = free_port()
    program = Path(sys.executable).with_name("maththera")
    command = [str(program), "serve", "--port", str(port), "--workers", str(workers)]
    with running(command, {**environment, "MATHTHERA_ADMIN_TOKEN": TOKEN}, port, "/readyz") as server:
        yield server


@contextmanager
def bare_endpoint(environment: Mapping[str, str], workers: int = 1) -> Iterator["Running"]:
    """The floor, under the same server with the same options."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "benchmarks.bare:app", "--factory", "--port", str(port)]
    command += ["--workers", str(workers), "--loop", "uvloop", "--http", "httptools", "--ws", "none"]
    command += ["--no-access-log", "--no-server-header", "--log-level", "warning"]
    with running(command, environment, port, "/openapi.json") as server:
        yield server


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers. `started` seconds passed from the start of its process until it was ready."""

    port: int
    started: float
    process: psutil.Process

    def resident_bytes(self) -> int:
        """Of the process that serves."""
        return int(self.process.memory_info().rss)


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str], port: int, ready: str) -> Iterator[Running]:
    """Its log goes to a file, as in production it goes somewhere else than a terminal."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MATHTHERA_", "OTEL_"))}
    with tempfile.TemporaryFile() as log:
        began = time.perf_counter()
        process = subprocess.Popen(
            command, env={**inherited, **environment}, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            while not _answers(port, ready):
                if process.poll() is not None or time.perf_counter() - began > READY_SECONDS:
                    log.seek(0)
                    raise RuntimeError(f"{command} did not start:\n{log.read().decode(errors='replace')}")
                time.sleep(POLL_SECONDS)
            yield Running(port, time.perf_counter() - began, psutil.Process(process.pid))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(READY_SECONDS)


def _answers(port: int, path: str) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as connection:
            connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
            return b" 200 " in connection.recv(64)
    except OSError:
        return False


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@dataclass(slots=True)
class Times:
    """What a load took. `turns` in seconds each; `cpu` is what the client itself used, `refused` the 503s."""

    turns: list[float]
    took: float
    cpu: float
    refused: int

    @property
    def per_second(self) -> float:
        return len(self.turns) / self.took

    def ms(self, percent: float) -> float:
        """A percentile in milliseconds."""
        return percentile(self.turns, percent) * 1e3

    def add(self, more: "Times") -> None:
        self.turns += more.turns
        self.took += more.took
        self.cpu += more.cpu
        self.refused += more.refused


class Client:
    """The loading process."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "benchmarks.client"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._seed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def load(self, server: Running, sessions: int, seconds: float, path: str | None = None) -> Times:
        """Turns of tutoring sessions, or requests to `path`, for that long."""
        self._seed += 100_000
        job = {"port": server.port, "token": TOKEN, "path": path, "sessions": sessions, "seconds": seconds}
        result = self._ask({**job, "seed": self._seed})
        return Times(result["seconds"], result["took"], result["cpu"], result["refused"])

    def _ask(self, job: dict[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("the client has no pipes")
        stdin.write(orjson.dumps(job) + b"\n")
        stdin.flush()
        if not (line := stdout.readline()):
            raise RuntimeError("the client ended; its error is above")
        answer: dict[str, Any] = orjson.loads(line)
        return answer
