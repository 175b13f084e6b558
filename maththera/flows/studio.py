"""Flows for Studio: every file of a folder as a graph, before any server runs. Tools are reached by the first call."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from maththera.flows.catalog import version_key
from maththera.flows.checker import load
from maththera.flows.compiler import compile_flow
from maththera.flows.faults import FlowError
from maththera.flows.flow import Flow
from maththera.runtime.tools import Tools


def flow_graphs(folder: Path, tools: Tools) -> Mapping[str, Callable[[], CompiledStateGraph[Any, Any, Any, Any]]]:
    """Flow name → its graph, in the highest version; a file with mistakes is left out, as `flow lint` tells them."""
    latest: dict[str, Flow] = {}
    for path in sorted(folder.glob("*.yaml")):
        try:
            flow = load(path, catalogue=None, graphs=None)
        except FlowError:
            continue
        known = latest.get(flow.name)
        if known is None or version_key(flow.version) > version_key(known.version):
            latest[flow.name] = flow
    return {name: partial(_compiled, flow, tools, latest) for name, flow in latest.items()}


def _compiled(flow: Flow, tools: Tools, flows: Mapping[str, Flow]) -> CompiledStateGraph[Any, Any, Any, Any]:
    return compile_flow(flow, tools, flows=flows).compile()
