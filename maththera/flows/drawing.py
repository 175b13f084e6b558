"""A flow as a picture of its steps: LangGraph's drawable graph, made from the dependencies that the run follows."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from langchain_core.runnables.graph import Graph
from langgraph.graph import END, START

from maththera.flows.flow import Flow, FlowStep

_LONGEST_LABEL: Final = 40


class Arrow(NamedTuple):
    """`conditional`: taken only when a route or a goto chooses it; `label` says when."""

    source: str
    target: str
    conditional: bool = False
    label: str | None = None


def arrows(flow: Flow) -> list[Arrow]:
    """Every way from the start to the end."""
    return [arrow for step in flow.steps for arrow in _into(step)] + list(_ends(flow))


def _into(step: FlowStep) -> Iterator[Arrow]:
    if not step.needs:
        yield Arrow(START, step.id)
    for need in sorted(step.needs - step.chosen_by):
        yield Arrow(need, step.id)


def _ends(flow: Flow) -> Iterator[Arrow]:
    ids = {step.id for step in flow.steps}
    for step in flow.steps:
        for way in step.ways:
            label = way.when.source if way.when is not None else "그 밖에"
            yield Arrow(step.id, way.to if way.to in ids else END, True, _short(label))
        if step.on_error is not None and step.on_error.goto is not None:
            yield Arrow(step.id, step.on_error.goto, True, "실패하면")
        leads_on = bool(step.ways) or any(step.id in other.needs - other.chosen_by for other in flow.steps)
        if not leads_on:
            yield Arrow(step.id, END)


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def drawable(flow: Flow) -> Graph:
    """Its nodes are the ids of the steps."""
    graph = Graph()
    nodes = {START: graph.add_node(None, START)}
    for step in flow.steps:
        nodes[step.id] = graph.add_node(None, step.id, metadata={"name": step.title, "kind": step.kind})
    nodes[END] = graph.add_node(None, END)
    for arrow in arrows(flow):
        graph.add_edge(nodes[arrow.source], nodes[arrow.target], arrow.label, conditional=arrow.conditional)
    return graph


def mermaid(flow: Flow) -> str:
    """For Markdown and for Studio; drawn by whoever shows it, here is only text."""
    lines = ["graph TD;", f'\t{_ids(flow)[START]}(["시작"])']
    ids = _ids(flow)
    shapes = {"route": ("{{", "}}"), "approve": ("[/", "/]"), "foreach": ("[[", "]]"), "parallel": ("[[", "]]")}
    for step in flow.steps:
        opening, closing = shapes.get(step.kind, ("(", ")"))
        lines.append(f'\t{ids[step.id]}{opening}"{_quoted(step.title)}"{closing}')
    lines.append(f'\t{ids[END]}(["끝"])')
    for arrow in arrows(flow):
        label = f'|"{_quoted(arrow.label)}"|' if arrow.label else ""
        lines.append(f"\t{ids[arrow.source]} {'-.->' if arrow.conditional else '-->'}{label} {ids[arrow.target]};")
    return "\n".join(lines) + "\n"


def _ids(flow: Flow) -> dict[str, str]:
    """Mermaid takes words such as `end` for its own."""
    return {START: "s", END: "e"} | {step.id: f"n{place}" for place, step in enumerate(flow.steps)}


def _quoted(text: str) -> str:
    return text.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
