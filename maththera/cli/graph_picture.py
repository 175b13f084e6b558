"""`maththera graph`: the graph of a session as Mermaid text or as a picture, drawn without a web service."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from maththera.builtin_graphs import tutoring
from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.flows import workspace
from maththera.cli.flows.pictures import png, svg
from maththera.flows.diagram import Arrow
from maththera.flows.flow_drawing import Drawing, DrawnBox, arranged, framed

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph


def run(kind: Literal["mermaid", "png"], output: Path | None) -> None:
    with exit_on_user_error():
        graph = tutoring().get_graph()
    if kind == "png" and output is None:
        raise typer.BadParameter("a picture needs --output")
    text = graph.draw_mermaid()
    workspace.write(output, png(svg(_drawing(graph), "maththera")) if kind == "png" else text)


def _drawing(graph: "Graph") -> Drawing:
    """A box for each node, coloured by its agent, which it names."""
    boxes = {}
    for node, detail in graph.nodes.items():
        agent = (detail.metadata or {}).get("agent")
        box = DrawnBox(node, node.strip("_"), [agent] if agent else [], agent or "end", 0, None, 0, 0, 0, 0)
        boxes[node] = framed(box)
    return arranged(boxes, [Arrow(edge.source, edge.target, edge.conditional) for edge in graph.edges])
