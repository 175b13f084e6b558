"""Servers on real databases, and a child whose records were really played: it drops every carry in additions."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import Client
from mcp.server import MCPServer

from maththera.servers.toolkit.server_base import ServerResources
from maththera.settings import Settings
from tests.support.learning import Pupil, learn

Json = dict[str, Any]
Call = Callable[..., Awaitable[Json]]


class Refused(Exception):
    """The tool answered with an error; its text."""


_shipped: Final = ServerResources(Settings())


def opened(settings: Settings) -> ServerResources:
    """On stores of its own; what ships with the program is loaded once, as nothing changes it."""
    world = ServerResources(settings)
    vars(world).update({name: getattr(_shipped, name) for name in ("bank", "graph", "model", "texts", "search")})
    return world


@pytest.fixture
async def empty_world(tmp_path: Path, sqlite_url: str) -> AsyncIterator[ServerResources]:
    """No child has ever played."""
    world = opened(Settings(data_dir=tmp_path, database_url=sqlite_url))
    yield world
    await world.aclose()


@pytest.fixture
async def world(tmp_path: Path, database_url: str) -> AsyncIterator[ServerResources]:
    """s1 drops carries, on SQLite and on PostgreSQL."""
    await learn(database_url, Pupil("s1", ("sum_carry_dropped",), c=8), days_ago=(9, 3, 2))
    world = opened(Settings(data_dir=tmp_path, database_url=database_url))
    yield world
    await world.aclose()


@asynccontextmanager
async def calling(server: MCPServer[None]) -> AsyncIterator[Call]:
    """`await call(tool, **arguments)` through the in-memory transport; Refused where the tool errs."""
    async with Client(server) as client:

        async def call(tool: str, **arguments: Any) -> Json:
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                raise Refused(result.content[0].text)  # type: ignore[union-attr]
            assert result.structured_content is not None
            return result.structured_content

        yield call
