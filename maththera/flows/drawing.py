"""A flow as a picture of its steps, made from the dependencies that the run follows: LangGraph's drawable graph for
Studio, Mermaid for pages. Steps inside of a foreach or a parallel step are drawn inside of it."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from langchain_core.runnables.graph import Graph, Node
from langgraph.graph import END, START

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.model import ForeachStep, GraphStep

_LONGEST_LABEL: Final = 40
_SHAPES: Final = {"route": ("{{", "}}"), "approve": ("[/", "/]"), "graph": ("[[", "]]")}


class Arrow(NamedTuple):
    """`conditional`: taken only when a route or a goto chooses it; `label` says when."""

    source: str
    target: str
    conditional: bool = False
    label: str | None = None


def arrows(flow: Flow) -> list[Arrow]:
    """Every way from the start to the end."""
    starts = [Arrow(START, name) for name in first(flow.steps)]
    ends = [Arrow(name, END) for name in last(flow.steps)]
    return [*starts, *between(flow.steps), *_leaving(flow.steps), *ends]


def between(steps: Sequence[FlowStep]) -> list[Arrow]:
    """The ways among the steps of a block."""
    ids = {step.id for step in steps}
    ways = [arrow for step in steps for arrow in (*_into(step), *_out_of(step))]
    return [arrow for arrow in ways if arrow.target in ids]


def first(steps: Sequence[FlowStep]) -> list[str]:
    """Those that wait for none."""
    return [step.id for step in steps if not step.needs]


def last(steps: Sequence[FlowStep]) -> list[str]:
    """Those that nothing follows, unless they fail."""
    leading = {arrow.source for step in steps for arrow in _into(step)} | {step.id for step in steps if step.ways}
    return [step.id for step in steps if step.id not in leading]


def _leaving(steps: Sequence[FlowStep]) -> list[Arrow]:
    """The ways of routes to `end`."""
    ids = {step.id for step in steps}
    ways = [arrow for step in steps for arrow in _out_of(step) if arrow.target not in ids]
    return [arrow._replace(target=END) for arrow in ways]


def _into(step: FlowStep) -> Iterator[Arrow]:
    for need in sorted(step.needs - step.chosen_by):
        yield Arrow(need, step.id)


def _out_of(step: FlowStep) -> Iterator[Arrow]:
    for way in step.ways:
        yield Arrow(step.id, way.to, True, _short(way.when.source if way.when is not None else "그 밖에"))
    if step.on_error is not None and step.on_error.goto is not None:
        yield Arrow(step.id, step.on_error.goto, True, "실패하면")


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def notes(step: FlowStep) -> list[str]:
    """What is to be known of a step beside its name."""
    found = []
    match step.fields:
        case ForeachStep(items=items):
            found.append(f"하나씩: {items if isinstance(items, str) else len(items)}")
        case GraphStep(graph=graph):
            found.append(f"흐름: {graph}")
    found += {"parallel": ["한꺼번에"], "approve": ["사람의 답을 기다림"]}.get(step.kind, [])
    if step.condition is not None:
        found.append(f"조건: {step.condition.source}")
    return list(map(_short, found))


# --- for LangGraph ----------------------------------------------------------------------------------------------------


def drawable(flow: Flow, *, inside: bool = False) -> Graph:
    """Its nodes are the ids of the steps; with `inside`, a step that holds others gives its place to them, and they are
    called `outer:inner`, as LangGraph does it with subgraphs."""
    graph = Graph()
    nodes = {START: graph.add_node(None, START)}
    entries: dict[str, list[str]] = {START: [START], END: [END]}
    exits = {START: [START]}

    def add(steps: Sequence[FlowStep], prefix: str) -> None:
        for step in steps:
            name = prefix + step.id
            if inside and step.steps:
                add(step.steps, f"{name}:")
                ends = [*last(step.steps), *(arrow.source for arrow in _leaving(step.steps))]
                entries[name] = [node for each in first(step.steps) for node in entries[f"{name}:{each}"]]
                exits[name] = [node for each in dict.fromkeys(ends) for node in exits[f"{name}:{each}"]]
            else:
                nodes[name] = _node(graph, step, name)
                entries[name] = exits[name] = [name]
        for arrow in between(steps) if prefix else ():
            connect(arrow, prefix)

    def connect(arrow: Arrow, prefix: str = "") -> None:
        target = END if arrow.target == END else prefix + arrow.target
        for one in exits[prefix + arrow.source]:
            for other in entries[target]:
                graph.add_edge(nodes[one], nodes[other], arrow.label, conditional=arrow.conditional)

    add(flow.steps, "")
    nodes[END] = graph.add_node(None, END)
    for arrow in arrows(flow):
        connect(arrow)
    return graph


def _node(graph: Graph, step: FlowStep, name: str) -> Node:
    metadata = {"name": step.title, "kind": step.kind}
    if step.condition is not None:
        metadata["condition"] = step.condition.source
    return graph.add_node(None, name, metadata=metadata)


# --- Mermaid ----------------------------------------------------------------------------------------------------------


def mermaid(flow: Flow) -> str:
    """Drawn by whoever shows it, here is only text. The ids are our own: Mermaid takes words such as `end` for its."""
    lines = ["graph TD;", '\ts(["시작"])']
    ids = {START: "s", END: "e"}
    lines += _block(flow.steps, ids, "n", "\t")
    lines.append('\te(["끝"])')
    lines += [_arrow(arrow, ids) for arrow in arrows(flow)]
    return "\n".join(lines) + "\n"


def _block(steps: Sequence[FlowStep], ids: dict[str, str], prefix: str, indent: str) -> Iterator[str]:
    """Ids of steps are unique in the whole flow, so one mapping serves all its blocks."""
    for place, step in enumerate(steps):
        own = ids[step.id] = f"{prefix}{place}"
        title = "<br/>".join(map(_quoted, (step.title, *notes(step))))
        if step.steps:
            yield f'{indent}subgraph {own}["{title}"]'
            yield from _block(step.steps, ids, f"{own}_", f"{indent}\t")
            yield from (f"{indent}{_arrow(arrow, ids)}" for arrow in between(step.steps))
            yield f"{indent}end"
        else:
            opening, closing = _SHAPES.get(step.kind, ("(", ")"))
            yield f'{indent}{own}{opening}"{title}"{closing}'


def _arrow(arrow: Arrow, ids: dict[str, str]) -> str:
    label = f'|"{_quoted(arrow.label)}"|' if arrow.label else ""
    return f"\t{ids[arrow.source]} {'-.->' if arrow.conditional else '-->'}{label} {ids[arrow.target]};"


def _quoted(text: str) -> str:
    return text.replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
