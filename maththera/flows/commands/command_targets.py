"""The targets of commands: the flows and tools at one time, with the sample sentences that mean them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from maththera.flows.commands.command_rules import CommandRules
from maththera.flows.flow import Flow, FlowStep
from maththera.flows.language.flow_schema import ToolStep
from maththera.runtime.tool_interface import Catalogue


@dataclass(slots=True)
class Target:
    """A flow or a tool. `covers`: tools that the flow calls, so that it does their job too. `reads`: whether it only
    looks something up. `deeds`: the verbs at the end of its sample sentences."""

    kind: Literal["flow", "tool"]
    name: str
    description: str
    schema: Mapping[str, Any]
    texts: list[str]
    server: str = ""
    reads: bool = False
    covers: frozenset[str] = frozenset()
    deeds: frozenset[str] = frozenset()
    sentences: list[frozenset[str]] = field(default_factory=list)
    words: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()


def parameters(target: Target) -> Iterator[str]:
    """The descriptions of a flow's inputs."""
    if target.kind == "flow":
        yield from (str(each.get("description", "")) for each in target.schema.get("properties", {}).values())


def flow_target(flow: Flow, rules: CommandRules) -> Target:
    texts = [flow.name.replace("_", " "), *flow.examples, *rules.flows.get(flow.name, [])]
    return Target(
        "flow", flow.name, flow.description, flow.input_schema(), texts, covers=frozenset(_called(flow.steps))
    )


def _called(steps: Iterable[FlowStep]) -> Iterator[str]:
    for step in steps:
        if isinstance(step.fields, ToolStep):
            yield step.fields.mcp_call.tool
        yield from _called(step.steps)


def tool_targets(catalogue: Catalogue, rules: CommandRules) -> Iterator[Target]:
    for server, tools in catalogue.items():
        for name, spec in tools.items():
            texts = rules.tools.get(name, [spec.description])
            yield Target("tool", name, spec.description, spec.input_schema, texts, server, reads=not spec.writes)
