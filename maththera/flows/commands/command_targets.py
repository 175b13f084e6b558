"""The targets of commands: the flows and tools at one time, with the sample sentences that mean them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from maththera.flows.flow import Flow
from maththera.runtime.tool_interface import Catalogue


@dataclass(frozen=True, slots=True)
class Target:
    """A flow or a tool. `reads`: whether it only looks something up. `texts`: its sample sentences."""

    kind: Literal["flow", "tool"]
    name: str
    description: str
    schema: Mapping[str, Any]
    texts: tuple[str, ...]
    server: str = ""
    reads: bool = False


def flow_target(flow: Flow) -> Target:
    texts = (flow.name.replace("_", " "), *flow.examples)
    return Target("flow", flow.name, flow.description, flow.input_schema(), texts)


def tool_targets(catalogue: Catalogue) -> Iterator[Target]:
    for server, tools in catalogue.items():
        for name, spec in tools.items():
            yield Target(
                "tool", name, spec.description, spec.input_schema, (spec.description,), server, not spec.writes
            )
