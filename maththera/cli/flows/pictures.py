"""`maththera flow graph`: a flow as Mermaid text, SVG or PNG, drawn in this process without a web service. Other graphs
become pictures in the same way."""

import asyncio
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, cast
from xml.sax.saxutils import escape

import typer

from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.flows import workspace
from maththera.flows.diagram import LEGEND, mermaid
from maththera.flows.flow import Flow
from maththera.flows.flow_drawing import (
    NOTE_HEIGHT,
    NOTE_SIZE,
    TITLE_HEIGHT,
    TITLE_SIZE,
    Drawing,
    DrawnBox,
    DrawnLine,
    drawing,
    text_width,
)

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
    "end": "#e8e8ef",
    # the agents of a session
    "orchestrator": "#e8e8ef",
    "diagnostic": "#cfe5ff",
    "analysis": "#ffe3c2",
    "tutor": "#d5f2d3",
}
_FONTS: Final = "'Noto Sans KR','Noto Sans CJK KR','Malgun Gothic','Apple SD Gothic Neo',sans-serif"


def run(name: str, version: str | None, kind: Literal["mermaid", "svg", "png"], output: Path | None) -> None:
    if kind == "png" and output is None:
        raise typer.BadParameter("a picture needs --output")
    with exit_on_user_error():
        flow = asyncio.run(_found(name, version))
    picture = svg(drawing(flow), flow.name)
    workspace.write(output, png(picture) if kind == "png" else picture if kind == "svg" else mermaid(flow))


async def _found(name: str, version: str | None) -> Flow:
    return workspace.find(name, version, await workspace.catalogue(workspace.reachable(name)))[0]


def svg(drawn: Drawing, title: str) -> str:
    """SVG: boxes coloured by their kind, inner ones inside of theirs; edges that are taken on a condition are dashed
    and show it."""
    around = {box.parent for box in drawn.boxes}
    outer, plain = ([box for box in drawn.boxes if (box.id in around) is held] for held in (True, False))
    parts = [*map(_box, outer), *map(_line, drawn.lines), *map(_label, drawn.lines), *map(_box, plain)]
    width, height = drawn.width, drawn.height
    if any(line.conditional for line in drawn.lines):
        parts.append(_legend(height + NOTE_HEIGHT / 2))
        width, height = max(width, text_width(LEGEND) * NOTE_SIZE / TITLE_SIZE + 60), height + 1.5 * NOTE_HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" '
        f'font-family="{_FONTS}" font-weight="500" font-size="{TITLE_SIZE}">',
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#777788"/></marker></defs>',
        f"<title>{escape(title)}</title>",
        *parts,
        "</svg>\n",
    ]
    return "\n".join(lines)


def _legend(y: float) -> str:
    """A line below the picture that explains dashed edges."""
    dash = f'<path d="M8 {y:.1f}H40" fill="none" stroke="#777788" stroke-width="1.5" stroke-dasharray="6 5"/>'
    text = (
        f'<text x="48" y="{y:.1f}" dominant-baseline="central" font-size="{NOTE_SIZE}" fill="#555566">{LEGEND}</text>'
    )
    return dash + text


def _box(box: DrawnBox) -> str:
    """A box with its title, and its notes below."""
    middle = f'x="{box.width / 2:.1f}" text-anchor="middle" dominant-baseline="central"'
    parts = [
        f'<g transform="translate({box.x:.1f} {box.y:.1f})"><rect width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="9" fill="{_COLOURS[box.kind]}" stroke="#222233"/>',
        f'<text {middle} y="{TITLE_HEIGHT / 2:.1f}" fill="#222233">{escape(box.title)}</text>',
    ]
    for place, note in enumerate(box.notes):
        y = TITLE_HEIGHT + NOTE_HEIGHT * (place + 0.5) - 8
        parts.append(f'<text {middle} y="{y:.1f}" font-size="{NOTE_SIZE}" fill="#555566">{escape(note)}</text>')
    return "".join([*parts, "</g>"])


def _line(way: DrawnLine) -> str:
    line = f"M{way.points[0][0]:.1f} {way.points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(way.points):
        middle = (y0 + y1) / 2
        line += f"C{x0:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {y1:.1f}"
    dashed = ' stroke-dasharray="6 5"' if way.conditional else ""
    return f'<path d="{line}" fill="none" stroke="#777788" stroke-width="1.5"{dashed} marker-end="url(#tip)"/>'


def _label(way: DrawnLine) -> str:
    if way.label is None or way.label_at is None:
        return ""
    x, y = way.label_at
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{NOTE_SIZE}" fill="#555566" '
        f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{escape(way.label)}</text>'
    )


def png(picture: str) -> bytes:
    """An SVG as pixels, with the fonts of the reports."""
    import typst

    page = "#set page(width: auto, height: auto, margin: 8pt, fill: white)"
    source = f'{page}\n#image(bytes({_quoted(picture)}), format: "svg")'
    folder = Path(str(files("justmytype_intl_cjk"))) / "fonts" / "ofl" / "notosanskr"
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])
    compiler: typst.Compiler = typst.Compiler(source.encode(), font_paths=fonts)
    return cast("bytes", compiler.compile(format="png", ppi=_PPI))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
