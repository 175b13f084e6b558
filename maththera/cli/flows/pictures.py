"""`maththera flow graph`: a flow as Mermaid text, SVG or PNG, drawn in this process without a web service."""

import asyncio
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, cast
from xml.sax.saxutils import escape

import typer
from langgraph.graph import END, START

from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.flows import workspace
from maththera.cli.graph_layout import Layout, Point
from maththera.flows.diagram import LEGEND, Arrow, arrows, inner_arrows, mermaid, step_notes
from maththera.flows.flow import Flow, FlowStep

_SPACING: Final = 54.0  # pixels between two layers
_BOX: Final = 38.0
_LINE: Final = 17.0  # of a note below the title
_SIZE: Final = 14
_SMALL: Final = 11
_LETTER: Final = 8.2  # pixels of a Latin letter at 14 px; a Korean one takes 14
_WIDE: Final = 14.0
_PPI: Final = 144
_COLOURS: Final = {
    "mcp_call": "#cfe5ff",
    "python": "#ffe3c2",
    "foreach": "#e6dcff",
    "parallel": "#e6dcff",
    "approve": "#ffd6d6",
    "llm": "#d5f2d3",
    "graph": "#d5f2d3",
    "route": "#fff4b8",
}
_PLAIN: Final = "#e8e8ef"
_FONTS: Final = "'Noto Sans KR','Noto Sans CJK KR','Malgun Gothic','Apple SD Gothic Neo',sans-serif"


def run(name: str, version: str | None, kind: Literal["mermaid", "svg", "png"], output: Path | None) -> None:
    if kind == "png" and output is None:
        raise typer.BadParameter("a picture needs --output")
    with exit_on_user_error():
        flow = asyncio.run(_found(name, version))
    workspace.write(output, png(flow) if kind == "png" else svg(flow) if kind == "svg" else mermaid(flow))


async def _found(name: str, version: str | None) -> Flow:
    return workspace.find(name, version, await workspace.catalogue(workspace.reachable(name)))[0]


def svg(flow: Flow) -> str:
    """The flow as SVG: boxes coloured by the kind of step, inner steps inside of theirs; edges that a route or a goto
    chooses are dashed and show the condition."""
    boxes = {START: _terminal("시작"), **{step.id: _step(step) for step in flow.steps}, END: _terminal("끝")}
    ways = arrows(flow)
    inner = _arranged(boxes, ways)
    if any(way.conditional for way in ways):
        inner = _with_legend(inner)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {inner.width:.0f} {inner.height:.0f}" '
        f'width="{inner.width:.0f}" height="{inner.height:.0f}" '
        f'font-family="{_FONTS}" font-weight="500" font-size="{_SIZE}">',
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#777788"/></marker></defs>',
        f"<title>{escape(flow.name)}</title>",
        inner.drawn,
        "</svg>\n",
    ]
    return "\n".join(parts)


def _with_legend(inner: "_Box") -> "_Box":
    """The picture with a line below that explains dashed edges."""
    width = max(inner.width, _width(LEGEND) * _SMALL / _SIZE + 60)
    y = inner.height + _LINE / 2
    dash = f'<path d="M8 {y:.1f}H40" fill="none" stroke="#777788" stroke-width="1.5" stroke-dasharray="6 5"/>'
    text = f'<text x="48" y="{y:.1f}" dominant-baseline="central" font-size="{_SMALL}" fill="#555566">{LEGEND}</text>'
    return _Box(width, inner.height + 1.5 * _LINE, f"{inner.drawn}\n{dash}{text}")


@dataclass(frozen=True, slots=True)
class _Box:
    """A drawing with its upper left corner at the origin."""

    width: float
    height: float
    drawn: str


def _terminal(title: str) -> _Box:
    return _box([title], _PLAIN)


def _step(step: FlowStep) -> _Box:
    inner = _arranged({each.id: _step(each) for each in step.steps}, inner_arrows(step.steps)) if step.steps else None
    return _box([step.title, *step_notes(step)], _COLOURS[step.kind], inner)


def _box(texts: Sequence[str], colour: str, inner: _Box | None = None) -> _Box:
    """A box: the first text is the title, the others stand below it, `inner` at the bottom."""
    title, *small = texts
    width = max(_width(title), *(_width(text) * _SMALL / _SIZE for text in small), 0) + 28
    top = _BOX + _LINE * len(small)
    height = top
    if inner is not None:
        width, height = max(width, inner.width), top + inner.height
    middle = f'x="{width / 2:.1f}" text-anchor="middle" dominant-baseline="central"'
    parts = [
        f'<rect width="{width:.1f}" height="{height:.1f}" rx="9" fill="{colour}" stroke="#222233"/>',
        f'<text {middle} y="{_BOX / 2:.1f}" fill="#222233">{escape(title)}</text>',
    ]
    for place, text in enumerate(small):
        y = _BOX + _LINE * (place + 0.5) - 8
        parts.append(f'<text {middle} y="{y:.1f}" font-size="{_SMALL}" fill="#555566">{escape(text)}</text>')
    if inner is not None:
        parts.append(f'<g transform="translate({(width - inner.width) / 2:.1f} {top:.1f})">{inner.drawn}</g>')
    return _Box(width, height, "".join(parts))


def _arranged(boxes: Mapping[str, _Box], ways: Sequence[Arrow]) -> _Box:
    """Boxes in layers, and the edges between them."""
    sizes = {name: (box.width, box.height) for name, box in boxes.items()}
    layout = Layout(sizes, [(way.source, way.target) for way in ways], _SPACING)
    parts = []
    for way in ways:
        (x0, y0), *between_them, (x1, y1) = layout.path((way.source, way.target))
        bottom, top = y0 + boxes[way.source].height / 2, y1 - boxes[way.target].height / 2
        parts.append(_way(way, [(x0, bottom), *between_them, (x1, top)]))
    for name, box in boxes.items():
        x, y = layout.place[name]
        parts.append(f'<g transform="translate({x - box.width / 2:.1f} {y - box.height / 2:.1f})">{box.drawn}</g>')
    return _Box(layout.width, layout.height, "\n".join(parts))


def _width(text: str) -> float:
    return sum(_WIDE if unicodedata.east_asian_width(sign) in "WF" else _LETTER for sign in text)


def _way(way: Arrow, points: list[Point]) -> str:
    line = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        middle = (y0 + y1) / 2
        line += f"C{x0:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {y1:.1f}"
    dashed = ' stroke-dasharray="6 5"' if way.conditional else ""
    drawn = f'<path d="{line}" fill="none" stroke="#777788" stroke-width="1.5"{dashed} marker-end="url(#tip)"/>'
    if way.label is None:
        return drawn
    (x0, y0), (x1, y1) = points[0], points[1]
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return (
        f'{drawn}<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{_SMALL}" fill="#555566" '
        f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{escape(way.label)}</text>'
    )


def png(flow: Flow) -> bytes:
    """The SVG as pixels, with the fonts of the reports."""
    import typst

    page = "#set page(width: auto, height: auto, margin: 8pt, fill: white)"
    source = f'{page}\n#image(bytes({_quoted(svg(flow))}), format: "svg")'
    folder = Path(str(files("justmytype_intl_cjk"))) / "fonts" / "ofl" / "notosanskr"
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])
    compiler: typst.Compiler = typst.Compiler(source.encode(), font_paths=fonts)
    return cast("bytes", compiler.compile(format="png", ppi=_PPI))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
