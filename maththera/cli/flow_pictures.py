"""`maththera flow graph`: a flow as Mermaid text, SVG or PNG, drawn here and not by a web service."""

import asyncio
import unicodedata
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, cast
from xml.sax.saxutils import escape

import typer
from langgraph.graph import END, START

from maththera.cli import flow_tools
from maththera.cli.failures import mendable
from maththera.cli.layers import Layout, Point
from maththera.flows.drawing import Arrow, arrows, mermaid
from maththera.flows.flow import Flow

_ROW: Final = 92.0
_BOX: Final = 38.0
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
    with mendable():
        flow = asyncio.run(_found(name, version))
    if kind == "png":
        if output is None:
            raise typer.BadParameter("a picture needs --output")
        output.write_bytes(png(flow))
        return
    text = mermaid(flow) if kind == "mermaid" else svg(flow)
    if output is None:
        typer.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


async def _found(name: str, version: str | None) -> Flow:
    return flow_tools.find(name, version, await flow_tools.catalogue(flow_tools.reachable(name)))[0]


def svg(flow: Flow) -> str:
    """Boxes coloured by what the steps do; ways that a route or a goto chooses are dashed and say when."""
    titles = {START: "시작", **{step.id: step.title for step in flow.steps}, END: "끝"}
    colours = {step.id: _COLOURS[step.kind] for step in flow.steps}
    widths = {name: _width(title) + 28 for name, title in titles.items()}
    ways = arrows(flow)
    layout = Layout(widths, [(way.source, way.target) for way in ways], _ROW)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" '
        f'width="{layout.width:.0f}" height="{layout.height:.0f}" '
        f'font-family="{_FONTS}" font-weight="500" font-size="14">',
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#777788"/></marker></defs>',
        f"<title>{escape(flow.name)}</title>",
        *(_way(way, layout.path((way.source, way.target))) for way in ways),
        *(_box(layout.place[name], widths[name], title, colours.get(name, _PLAIN)) for name, title in titles.items()),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _width(text: str) -> float:
    return sum(_WIDE if unicodedata.east_asian_width(sign) in "WF" else _LETTER for sign in text)


def _box(centre: Point, width: float, title: str, colour: str) -> str:
    x, y = centre
    return (
        f'<rect x="{x - width / 2:.1f}" y="{y - _BOX / 2:.1f}" width="{width:.1f}" height="{_BOX}" rx="9" '
        f'fill="{colour}" stroke="#222233"/><text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" '
        f'dominant-baseline="central" fill="#222233">{escape(title)}</text>'
    )


def _way(way: Arrow, path: list[Point]) -> str:
    points = [(path[0][0], path[0][1] + _BOX / 2), *path[1:-1], (path[-1][0], path[-1][1] - _BOX / 2)]
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
        f'{drawn}<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="11" fill="#555566" stroke="#ffffff" '
        f'stroke-width="3" paint-order="stroke">{escape(way.label)}</text>'
    )


def png(flow: Flow) -> bytes:
    """The SVG as pixels, with the fonts that reports are set in."""
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
