"""The built-in graphs and every flow, for LangGraph's own server (`make studio`): attributes of this module under their
names, as `langgraph.json` lists them. They are made when this is imported, as the server allows no waiting for files
later. Servers are started by the first call of a tool, so that drawing a flow needs none.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from maththera.executions.opening import SERVERS, open_manager
from maththera.flows.asking import through
from maththera.flows.catalog import Catalog
from maththera.flows.compiler import FlowGraph, build
from maththera.flows.sandbox import Sandbox
from maththera.flows.services import Services
from maththera.graphs import GRAPHS, Made
from maththera.llm.models import Models
from maththera.runtime.tools import Catalogue
from maththera.servers.config import load_servers
from maththera.servers.described import described
from maththera.servers.manager import Manager
from maththera.settings import Settings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Tools:
    """What the servers said of their tools; a call starts the server."""

    manager: Manager
    known: Catalogue

    def catalogue(self) -> Catalogue:
        return self.known

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - of one attempt, given on to the server
        attempts: int | None = None,
    ) -> dict[str, Any]:
        return await self.manager.call(server, tool, arguments, timeout=timeout, attempts=attempts)


def _graphs() -> Iterator[tuple[str, Made]]:
    built_in = {name: make() for name, make in GRAPHS.items()}
    for name, graph in {**_flow_graphs(Settings.from_environment()), **built_in}.items():
        graph.context_schema = None  # what a service brings along is nothing to fill in, and has no JSON Schema
        yield name, graph


def _flow_graphs(settings: Settings) -> dict[str, FlowGraph]:
    """Flow name → its graph, in the highest version. A flow with mistakes is left out, and they are logged."""
    manager = open_manager(settings)
    catalogue = _described(settings)
    prompts = {path.stem for path in (settings.home / "prompts").glob("*.md")}
    catalog = Catalog.load(settings.home / "flows", catalogue=catalogue, graphs=GRAPHS, prompts=prompts)
    for fault in catalog.faults:
        logger.error("%s", fault)
    models = Models.from_settings(
        settings.llm_base_url,
        settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
        settings.llm_model,
        settings.llm_small_model,
        home=settings.home,
    )
    flows = catalog.latest()
    services = Services(_Tools(manager, catalogue), Sandbox(), graphs=GRAPHS, flows=flows, ask=through(models))
    return {name: build(flow, services).compile() for name, flow in flows.items()}


def _described(settings: Settings) -> Catalogue:
    """In a thread of its own: whoever imports this may run an event loop already."""
    servers = load_servers(settings.home / SERVERS, settings.for_servers())
    with ThreadPoolExecutor(1) as pool:
        kept = settings.data_dir / "tools.json"
        found, failures = pool.submit(lambda: asyncio.run(described(servers, servers.servers, kept))).result()
    for name, reason in failures.items():
        logger.error("%s: %s", name, reason)
    return found


globals().update(_graphs())
