"""A flow as Mermaid text: the nodes and edges of its LangGraph graph, with the inner steps of foreach and parallel
steps inside of theirs. Steps of a branch are drawn like all others; the nodes before and after the steps are drawn as
start and end."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from langgraph.graph import END, START

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.language.flow_schema import ForeachStep, GraphStep
from maththera.flows.runs.compiler import (
    INPUTS_NODE,
    OUTPUTS_NODE,
    compile_flow,
    conditional_ways,
    labelled_targets,
    shortened_label,
)
from maththera.flows.runs.parallel_branches import direct
from maththera.flows.runs.step_services import StepServices
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue

_SHAPES: Final = {"route": ("{{", "}}"), "approve": ("[/", "/]"), "graph": ("[[", "]]")}
LEGEND: Final = "점선: 조건에 맞거나 실패할 때만 가는 길"
"""The legend of a picture with conditional edges."""


class Arrow(NamedTuple):
    """An edge. `conditional`: taken only when a route or a goto chooses it; `label` is the condition."""

    source: str
    target: str
    conditional: bool = False
    label: str | None = None


class _NoTools:
    """Services for a graph that is only drawn."""

    def catalogue(self) -> Catalogue:
        return {}

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any], **_: Any) -> JsonObject:
        raise NotImplementedError(f"{server}.{tool} is drawn, not called: {arguments}")


def arrows(flow: Flow) -> list[Arrow]:
    """Every edge from the start to the end, as LangGraph draws it; a way into or out of a branch from where it goes."""
    ways = conditional_ways(flow.steps)
    found: dict[tuple[str, str], Arrow] = {}
    for edge in compile_flow(flow, StepServices(_NoTools())).get_graph(xray=True).edges:
        source, target = _node_label(edge.source), _node_label(edge.target)
        label = ways.get(source, {}).get(target)
        if source != target:
            found.setdefault((source, target), Arrow(source, target, label is not None, label))
    for source, targets in ways.items():
        for target, label in targets.items():
            found.setdefault((source, target), Arrow(source, target, True, label))
    return list(found.values())


def step_arrows(steps: Sequence[FlowStep]) -> list[Arrow]:
    """The edges of `arrows`, read off the steps without compiling the graph, which takes as long as all checks."""
    needs = direct({step.id: step.needs for step in steps})
    followed = {need for before in needs.values() for need in before}
    ways = conditional_ways(steps)
    plain = [(before, step.id) for step in steps for before in needs[step.id] or [START]]
    plain += [(step.id, END) for step in steps if step.id not in followed]
    labelled = {(source, target): label for source, targets in ways.items() for target, label in targets.items()}
    return [
        Arrow(source, target, (source, target) in labelled, labelled.get((source, target)))
        for source, target in dict.fromkeys([*plain, *labelled])
    ]


def _node_label(node: str) -> str:
    """The label of a node: `a-c:b` is step b in the branch a-c."""
    ends = {INPUTS_NODE: START, OUTPUTS_NODE: END}
    return ends.get(node) or next((name for name in node.split(":") if "-" not in name), node)


def inner_arrows(steps: Sequence[FlowStep]) -> list[Arrow]:
    """The edges between the inner steps of a foreach or a parallel step, which run within its node."""
    ids = {step.id for step in steps}
    plain = [Arrow(need, step.id) for step in steps for need in sorted(step.needs - step.chosen_by)]
    chosen = [Arrow(step.id, to, True, label) for step in steps for to, label in labelled_targets(step).items()]
    return [arrow for arrow in (*plain, *chosen) if arrow.target in ids]


def step_notes(step: FlowStep) -> list[str]:
    """Notes on a step below its name."""
    found = []
    match step.fields:
        case ForeachStep(items=items):
            found.append(f"하나씩: {items if isinstance(items, str) else len(items)}")
        case GraphStep(graph=graph):
            found.append(f"흐름: {graph}")
    found += {"parallel": ["한꺼번에"], "approve": ["사람의 답을 기다림"]}.get(step.kind, [])
    if step.condition is not None:
        found.append(f"조건: {step.condition.source}")
    return list(map(shortened_label, found))


# --- Mermaid ----------------------------------------------------------------------------------------------------------


def mermaid(flow: Flow) -> str:
    """The flow as Mermaid text. The ids are new ones, as Mermaid reserves words such as `end`."""
    lines = ["graph TD;", '\ts(["시작"])']
    ids = {START: "s", END: "e"}
    lines += _subgraph_lines(flow.steps, ids, "n", "\t")
    lines.append('\te(["끝"])')
    ways = arrows(flow)
    lines += [_arrow(arrow, ids) for arrow in ways]
    if any(arrow.conditional for arrow in ways):
        lines.append(f'\tlegend["{LEGEND}"]:::legend\n\tclassDef legend fill:none,stroke:none')
    return "\n".join(lines) + "\n"


def _subgraph_lines(steps: Sequence[FlowStep], ids: dict[str, str], prefix: str, indent: str) -> Iterator[str]:
    """Step → its number. Ids of steps are unique in the whole flow, so one mapping serves all its blocks."""
    for place, step in enumerate(steps):
        own = ids[step.id] = f"{prefix}{place}"
        title = "<br/>".join(map(_quoted, (step.title, *step_notes(step))))
        if step.steps:
            yield f'{indent}subgraph {own}["{title}"]'
            yield from _subgraph_lines(step.steps, ids, f"{own}_", f"{indent}\t")
            yield from (f"{indent}{_arrow(arrow, ids)}" for arrow in inner_arrows(step.steps))
            yield f"{indent}end"
        else:
            opening, closing = _SHAPES.get(step.kind, ("(", ")"))
            yield f'{indent}{own}{opening}"{title}"{closing}'


def _arrow(arrow: Arrow, ids: dict[str, str]) -> str:
    label = f'|"{_quoted(arrow.label)}"|' if arrow.label else ""
    return f"\t{ids[arrow.source]} {'-.->' if arrow.conditional else '-->'}{label} {ids[arrow.target]};"


def _quoted(text: str) -> str:
    return text.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
