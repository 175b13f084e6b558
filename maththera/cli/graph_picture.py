"""`maththera graph`: a graph as Mermaid text or as a picture, drawn in this process without a web service."""

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import typer
from PIL import Image, ImageDraw, ImageFont

from maththera.builtin_graphs import tutoring
from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.graph_layout import Layout, Point

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph

Font = ImageFont.ImageFont | ImageFont.FreeTypeFont

_SCALE: Final = 2  # drawn larger, so that text stays sharp on any screen
_FONT_SIZE: Final = 15 * _SCALE
_BOX_HEIGHT: Final = 34 * _SCALE
_SPACING: Final = 58 * _SCALE  # between two layers
_LEGEND_HEIGHT: Final = 92 * _SCALE
_PADDING: Final = 14 * _SCALE
_ARROW: Final = 9 * _SCALE
_CURVE_STEPS: Final = 24
_AGENT_COLOURS: Final = {
    "orchestrator": "#e8e8ef",
    "diagnostic": "#cfe5ff",
    "analysis": "#ffe3c2",
    "tutor": "#d5f2d3",
}
_PLAIN, _INK, _EDGE = "#ffffff", "#222233", "#777788"


def run(kind: Literal["mermaid", "png"], output: Path | None) -> None:
    with exit_on_user_error():
        drawable = tutoring().get_graph()
    if output is None:
        if kind == "png":
            raise typer.BadParameter("a picture needs --output")
        typer.echo(drawable.draw_mermaid())
        return
    try:
        if kind == "png":
            picture(drawable).save(output, "PNG")
        else:
            output.write_text(drawable.draw_mermaid(), encoding="utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{output}: {error.strerror}") from None


def picture(graph: "Graph") -> Image.Image:
    """The graph as boxes coloured by the node's agent; conditional edges are dashed."""
    font = ImageFont.load_default(_FONT_SIZE)
    widths = {node: font.getlength(_title(node)) + 2 * _PADDING for node in graph.nodes}
    sizes = {node: (width, float(_BOX_HEIGHT)) for node, width in widths.items()}
    layout = Layout(sizes, [(edge.source, edge.target) for edge in graph.edges], _SPACING)
    image = Image.new("RGB", (math.ceil(layout.width), math.ceil(layout.height + _LEGEND_HEIGHT)), _PLAIN)
    canvas = ImageDraw.Draw(image)
    for edge in graph.edges:
        if edge.source == edge.target:
            _draw_loop(canvas, layout.place[edge.source], widths[edge.source])
        else:
            _draw_edge(canvas, layout.path((edge.source, edge.target)), dashed=edge.conditional)
    for node, detail in graph.nodes.items():
        agent = (detail.metadata or {}).get("agent", "")
        _draw_box(canvas, layout.place[node], widths[node], _title(node), _AGENT_COLOURS.get(agent, _PLAIN), font)
    x = float(_PADDING)
    for agent, colour in _AGENT_COLOURS.items():
        width = font.getlength(agent) + 2 * _PADDING
        _draw_box(canvas, (x + width / 2, layout.height + _LEGEND_HEIGHT / 2), width, agent, colour, font)
        x += width + _PADDING
    return image


def _title(node: str) -> str:
    return node.strip("_")


def _draw_box(  # noqa: PLR0913
    canvas: ImageDraw.ImageDraw, centre: Point, width: float, text: str, colour: str, font: Font
) -> None:
    x, y = centre
    corners = (x - width / 2, y - _BOX_HEIGHT / 2, x + width / 2, y + _BOX_HEIGHT / 2)
    canvas.rounded_rectangle(corners, _BOX_HEIGHT / 4, colour, _INK, _SCALE)
    canvas.text((x, y), text, _INK, font, anchor="mm")


def _draw_edge(canvas: ImageDraw.ImageDraw, path: Sequence[Point], *, dashed: bool) -> None:
    """Draws an edge between the sides of two boxes that face each other."""
    down = path[-1][1] > path[0][1]
    reach = _BOX_HEIGHT / 2 if down else -_BOX_HEIGHT / 2
    (x0, y0), (x1, y1) = path[0], path[-1]
    points = _curve([(x0, y0 + reach), *path[1:-1], (x1, y1 - reach)])
    for number, (one, other) in enumerate(pairwise(points)):
        if not dashed or number % 2 == 0:
            canvas.line((*one, *other), _EDGE, _SCALE)
    _draw_arrow(canvas, points[-3], points[-1])


def _draw_loop(canvas: ImageDraw.ImageDraw, centre: Point, width: float) -> None:
    """Draws an edge from the box's right side back to it."""
    x, y, reach = centre[0] + width / 2, centre[1], _BOX_HEIGHT / 4
    canvas.arc((x - reach, y - reach, x + reach, y + reach), -90, 90, _EDGE, _SCALE)
    _draw_arrow(canvas, (x + reach, y + reach), (x, y + reach))


def _curve(points: Sequence[Point]) -> list[Point]:
    """A smooth line through all points: cubic curves with vertical tangents, as the layers lie below each other."""
    smooth = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        for step in range(1, _CURVE_STEPS + 1):
            t = step / _CURVE_STEPS
            smooth.append((x0 + (x1 - x0) * t * t * (3 - 2 * t), y0 + (y1 - y0) * t))
    return smooth


def _draw_arrow(canvas: ImageDraw.ImageDraw, before: Point, tip: Point) -> None:
    angle = math.atan2(tip[1] - before[1], tip[0] - before[0])
    wings = [
        (tip[0] - _ARROW * math.cos(angle + turn), tip[1] - _ARROW * math.sin(angle + turn)) for turn in (0.4, -0.4)
    ]
    canvas.polygon([tip, *wings], _EDGE)
