"""Fixtures every test may ask for: real Redis and PostgreSQL that can be broken, and a machine without a network.

A test whose server is neither installed nor bundled is skipped with the reason; with `--require-servers` (as in
`make test`) it fails.
"""

import dis
import gc
import os
import signal
import typing
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from langgraph.graph import _branch, state
from redis.asyncio import Redis

from maththera.runtime.redis_client import watched_connection_class
from tests.support import memory, patience
from tests.support.network import loopback_only
from tests.support.postgres import PostgresServer
from tests.support.programs import ProgramMissing
from tests.support.servers import RedisServer, Server

S = TypeVar("S", bound=Server)

LONGEST_FIRST: Final = ("web", "faults", "api", "graph", "property", "unit")
"""The folders in the order in which they run: short files at the end keep all processes of a run busy."""
LEAKING = ("MATHTHERA_", "LANGSMITH_", "LANGCHAIN_", "OPENAI_", "OTEL_")
"""Prefixes of environment variables that would change what is tested, or send it somewhere."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-servers", action="store_true", help="fail, do not skip, where a server is missing")


def pytest_configure() -> None:
    """Before anything of ours is imported, so that nothing reads the developer's environment at import time."""
    for name in [name for name in os.environ if name.startswith(LEAKING)]:
        del os.environ[name]
    os.environ["LANGSMITH_TRACING"] = "false"
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell runs in the background ignores it
    if room := memory.folder():
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", room)  # where tmp_path lies
    # The same examples in every run, however slow the machine is.
    settings.register_profile(
        "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    root = Path(__file__).parent
    items.sort(key=lambda item: LONGEST_FIRST.index(item.path.relative_to(root).parts[0]))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is loaded while tests are collected stays: looking through it for garbage takes a quarter of the time of
    collecting, and later a fifth of that of the API's tests."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    with loopback_only():
        yield


@pytest.fixture(scope="session", autouse=True)
def patient_stores() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patience.grant(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def nodes_read_once() -> Iterator[None]:
    """LangGraph takes the code of every node apart whenever it compiles a graph, and for every node reads the fields of
    the state. Each service of a test compiles all graphs, and neither code nor classes change."""
    take_apart, hints = dis.get_instructions, typing.get_type_hints
    instructions = cache(lambda code: (*take_apart(code),))
    fields = cache(hints)

    def read(of: Any, *more: Any, **how: Any) -> dict[str, Any]:
        return dict(fields(of, *more, **how)) if isinstance(of, type) else hints(of, *more, **how)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dis, "get_instructions", lambda code: iter(instructions(code)))
        for module in (state, _branch):
            patch.setattr(module, "get_type_hints", read)
        yield


@pytest.fixture
def hurried_stores(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of stores that take too long: they are given up as soon as in service."""
    patience.withdraw(monkeypatch)


@pytest.fixture(scope="session")
def redis_process(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    yield from served(request, RedisServer)


@pytest.fixture(scope="session")
def redis_url(redis_process: RedisServer) -> str:
    """One server for all tests, on a unix socket. `redis` empties it first."""
    return redis_process.url


@pytest.fixture
def redis_server(redis_process: RedisServer) -> Iterator[RedisServer]:
    """For tests that stop, kill, pause or start Redis; it runs again afterwards."""
    yield redis_process
    _heal(redis_process)


@pytest.fixture
async def redis(redis_process: RedisServer) -> AsyncIterator[Redis]:
    """A client of an empty Redis."""
    redis_process.empty()
    async with Redis.from_url(redis_process.url) as client:
        pool = client.connection_pool
        pool.connection_class = watched_connection_class(
            pool.connection_class
        )  # else a task that is ended here may go on for ever
        yield client


@pytest.fixture(scope="session")
def postgres_process(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    yield from served(request, PostgresServer)


@pytest.fixture
def postgres_server(postgres_process: PostgresServer) -> Iterator[PostgresServer]:
    """For tests that stop, kill, pause or start PostgreSQL; it runs again afterwards."""
    yield postgres_process
    _heal(postgres_process)


@pytest.fixture
async def postgres_url(postgres_process: PostgresServer, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """An empty database of the test's own."""
    name = f"test_{abs(hash(request.node.nodeid)):x}"
    await _execute(postgres_process, f"CREATE DATABASE {name}")
    yield postgres_process.url(name)
    _heal(postgres_process)
    await _execute(postgres_process, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A database file of the test's own, not yet there."""
    return f"sqlite+aiosqlite:///{tmp_path / 'maththera.sqlite'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The test runs twice: on SQLite and on PostgreSQL."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


def served(request: pytest.FixtureRequest, make: Callable[[], S]) -> Iterator[S]:
    try:
        server = make()
    except ProgramMissing as missing:
        if request.config.getoption("--require-servers"):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    try:
        server.start()
        yield server
    finally:
        server.remove()


def _heal(server: Server) -> None:
    server.resume()
    server.start()


async def _execute(server: PostgresServer, statement: str) -> None:
    connection = await asyncpg.connect(host=str(server.folder), user="postgres", database="postgres")
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
