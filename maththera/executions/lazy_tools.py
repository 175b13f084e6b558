"""The tools of all servers, known before a server runs: a server is started by its first call."""

import asyncio
import logging
from collections.abc import Collection
from pathlib import Path
from typing import Final, Self

from maththera.runtime.tool_interface import Catalogue
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.client.tool_catalogue import described
from maththera.servers.config import Servers

logger = logging.getLogger(__name__)

KEPT: Final = "tools.json"


class LazyTools:
    """`async with LazyTools(manager, servers, data_dir) as tools`. Each server's tools as it describes them now, or
    where it has not been needed yet, as it last did."""

    def __init__(self, manager: ServerManager, servers: Servers, data_dir: Path) -> None:
        self._manager, self._servers = manager, servers
        self.call, self.health = manager.call, manager.health
        self._kept = data_dir / KEPT
        self._described: Catalogue = {}
        self._starting: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)

    async def refresh(self) -> None:
        """Sees to it that the catalogue has the tools of every server that is there. Third-party ones are started: what
        they say may change any day."""
        unknown = {name for name, tools in self.catalogue().items() if not tools}
        own = {name for name in unknown if self._servers.servers[name].module is not None}
        if own:
            found, _ = await described(self._servers, own, self._kept)
            self._described = {**self._described, **{name: found[name] for name in own}}
        if others := unknown - own:
            await self._manager.connect(others)

    def catalogue(self) -> Catalogue:
        return {name: tools or self._described.get(name, {}) for name, tools in self._manager.catalogue().items()}

    def start(self, names: Collection[str]) -> None:
        """Starts these servers behind the caller's back: the first call of each will not have to wait as long."""
        health = self.health()
        idle = {name for name in names if name in health and health[name].state == "idle"}
        if idle:
            task = asyncio.create_task(self._start(idle), name="starting servers")
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self, names: Collection[str]) -> None:
        for name, reason in (await self._manager.connect(names)).items():
            logger.warning("%s: %s", name, reason)
