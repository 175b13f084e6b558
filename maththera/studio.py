"""The built-in graphs and every flow, for LangGraph's own server (`make studio`): attributes of this module under their
names, as `langgraph.json` lists them. They are made when this is imported, as the server allows no waiting for files
later. Servers are started by the first call of a tool, so that drawing a flow needs none.
"""

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from pydantic import ConfigDict, Field

from maththera.app.execution_resources import SERVERS, open_manager
from maththera.builtin_graphs import GRAPHS, CompiledGraph, callees
from maththera.executions.flow_files import FOLDER
from maththera.flows.flow import Flow
from maththera.flows.flow_catalog import FlowCatalog
from maththera.flows.runs.compiler import compile_flow
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.step_services import StepServices, ask_with_models
from maththera.json_types import JsonObject, JsonSchema
from maththera.llm.model_client import Models
from maththera.runtime.graph_input import GraphInput, validate_input
from maththera.runtime.tool_interface import Catalogue
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.client.tool_catalogue import described
from maththera.servers.config import load_servers
from maththera.settings import Settings

logger = logging.getLogger(__name__)


class _OnDemandTools:
    """What the servers said of their tools; a call starts the server."""

    def __init__(self, manager: ServerManager, known: Catalogue) -> None:
        self.call, self._known = manager.call, known

    def catalogue(self) -> Catalogue:
        return self._known


def _graphs() -> Iterator[tuple[str, CompiledGraph]]:
    built_in = {name: make() for name, make in GRAPHS.items()}
    for name, graph in {**_flow_graphs(Settings.from_environment()), **built_in}.items():
        graph.context_schema = None  # what a service brings along is nothing to fill in, and has no JSON Schema
        yield name, graph


def _flow_graphs(settings: Settings) -> dict[str, CompiledGraph]:
    """Flow name → its graph, shipped or saved, in the highest version. A flow with mistakes is left out, and logged."""
    manager = open_manager(settings)
    catalogue = _tool_catalogue(settings)
    prompts = {path.stem for path in (settings.home / "prompts").glob("*.md")}
    folders = (settings.data_dir / FOLDER, settings.home / FOLDER)
    catalog = FlowCatalog.load(*folders, catalogue=catalogue, graphs=callees(), prompts=prompts)
    for fault in catalog.faults:
        logger.error("%s", fault)
    models = Models.from_settings(settings)
    flows = catalog.latest()
    services = StepServices(
        _OnDemandTools(manager, catalogue), Sandbox(), graphs=GRAPHS, flows=flows, ask=ask_with_models(models)
    )
    return {name: _with_input_model(compile_flow(flow, services), flow) for name, flow in flows.items()}


class FlowInput(GraphInput):
    """What a run of a flow begins with."""

    inputs: JsonObject = Field(default_factory=dict)


def _with_input_model(graph: CompiledGraph, flow: Flow) -> CompiledGraph:
    """The flow's graph, with its inputs checked as the service checks them."""
    example = {each.name: "…" if each.type == "string" else each.default for each in flow.inputs if each.needed}
    described: JsonSchema = {"properties": {"inputs": flow.input_schema()}, "examples": [{"inputs": example}]}
    model = type("FlowInput", (FlowInput,), {"model_config": ConfigDict(json_schema_extra=described)})
    return validate_input(graph, model, lambda wanted: {"inputs": flow.complete_inputs(wanted.inputs)})


def _tool_catalogue(settings: Settings) -> Catalogue:
    """In a thread of its own: whoever imports this may run an event loop already."""
    servers = load_servers(settings.home / SERVERS, settings.for_servers())
    with ThreadPoolExecutor(1) as pool:
        kept = settings.data_dir / "tools.json"
        found, failures = pool.submit(lambda: asyncio.run(described(servers, servers.servers, kept))).result()
    for name, reason in failures.items():
        logger.error("%s: %s", name, reason)
    return found


globals().update(_graphs())
