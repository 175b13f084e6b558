"""The tools of our own servers as a running manager would list them, without running any."""

import importlib
from functools import cache
from pathlib import Path
from typing import Final

from maththera.flows.flow_catalog import FlowCatalog
from maththera.runtime.tool_interface import ToolSpec
from maththera.servers.toolkit.server_base import ServerResources
from maththera.settings import Settings, home

SERVERS: Final = {
    "logic-engine-mcp": "logic_engine",
    "q-dna-mcp": "q_dna",
    "gen-node-mcp": "gen_node",
    "lab-node-mcp": "lab_node",
    "report-node-mcp": "report_node",
    "school-info-mcp": "school_info",
}


@cache
def catalogue() -> dict[str, dict[str, ToolSpec]]:
    """Server → tool → spec, the real schemas."""
    world = ServerResources(Settings.from_environment())
    found: dict[str, dict[str, ToolSpec]] = {}
    for name, module in SERVERS.items():
        server = importlib.import_module(f"maththera.servers.{module}").build(world)
        found[name] = {}
        for tool in server._tool_manager.list_tools():
            hints = tool.annotations
            writes = not (hints and hints.read_only_hint)
            again = bool(hints and hints.idempotent_hint)
            schema = tool.output_schema or {}
            found[name][tool.name] = ToolSpec(name, tool.name, tool.description, tool.parameters, schema, writes, again)
    return found


@cache
def shipped() -> FlowCatalog:
    """The flows of the repository."""
    return FlowCatalog.load(home() / "flows", catalogue=catalogue())


def flow_files() -> list[Path]:
    return sorted((home() / "flows").glob("*.yaml"))
