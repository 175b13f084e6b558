"""Where each box and line of a flow, or of another graph, stands in its picture, for the command line and for the
authors' page."""

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from langgraph.graph import END, START

from maththera.flows.diagram import Arrow, inner_arrows, step_arrows, step_notes
from maththera.flows.flow import Flow, FlowStep
from maththera.flows.graph_layout import Layout, Point, Size

TITLE_HEIGHT: Final = 38.0
NOTE_HEIGHT: Final = 17.0
TITLE_SIZE: Final = 14
NOTE_SIZE: Final = 11
_SPACING: Final = 54.0  # pixels between two layers; more where a box has many labelled lines
_LABEL_HEIGHT: Final = 15.0
_PADDING: Final = 24.0
_GRAIN: Final = 24.0  # boxes grow by so much, so that a letter more seldom moves the others
_LOOP: Final = 8.0  # pixels that a line to its own box reaches up and down
_LETTER: Final = 8.2  # pixels of a Latin letter at TITLE_SIZE; a Korean one takes _WIDE
_WIDE: Final = 14.0


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """A step, the start or the end. `x`, `y`: of its upper left corner, in pixels from that of the picture. `line`: in
    the flow's text, 0 for start and end. `parent`: the step in whose box it lies. `kind`: as in the flow, or `end`."""

    id: str
    title: str
    notes: list[str]
    kind: str
    line: int
    parent: str | None
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line from box to box through `points`. `conditional`: taken only where a route or a goto chooses it; `label` is
    the condition, whose middle stands at `label_at`."""

    source: str
    target: str
    conditional: bool
    label: str | None
    points: list[Point]
    label_at: Point | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """`boxes`: each after the one in which it lies. `width` and `height` in pixels."""

    width: float
    height: float
    boxes: list[DrawnBox]
    lines: list[DrawnLine]

    def moved(self, x: float, y: float) -> "Drawing":
        """The same elsewhere."""
        boxes = [replace(box, x=box.x + x, y=box.y + y) for box in self.boxes]
        lines = [
            replace(
                line,
                points=[(px + x, py + y) for px, py in line.points],
                label_at=line.label_at and (line.label_at[0] + x, line.label_at[1] + y),
            )
            for line in self.lines
        ]
        return Drawing(self.width, self.height, boxes, lines)


def drawing(flow: Flow) -> Drawing:
    """The whole flow, from its start to its end."""
    ends = {START: "시작", END: "끝"}
    parts = {name: framed(DrawnBox(name, title, [], "end", 0, None, 0, 0, 0, 0)) for name, title in ends.items()}
    return arranged({START: parts[START], **_steps(flow.steps, None), END: parts[END]}, step_arrows(flow.steps))


def text_width(text: str) -> float:
    """Pixels of a title."""
    return sum(_WIDE if unicodedata.east_asian_width(sign) in "WF" else _LETTER for sign in text)


def _steps(steps: Sequence[FlowStep], parent: str | None) -> dict[str, Drawing]:
    return {step.id: _step(step, parent) for step in steps}


def _step(step: FlowStep, parent: str | None) -> Drawing:
    box = DrawnBox(step.id, step.title, step_notes(step), step.kind, step.line, parent, 0, 0, 0, 0)
    inside = arranged(_steps(step.steps, step.id), inner_arrows(step.steps)) if step.steps else None
    return framed(box, inside)


def framed(box: DrawnBox, inside: Drawing | None = None) -> Drawing:
    """A box as large as its texts and what lies in it need, with its corner at the origin."""
    notes = max((text_width(note) * NOTE_SIZE / TITLE_SIZE for note in box.notes), default=0)
    top = TITLE_HEIGHT + NOTE_HEIGHT * len(box.notes)
    width = math.ceil((max(text_width(box.title), notes) + _PADDING) / _GRAIN) * _GRAIN
    if inside is None:
        return Drawing(width, top, [replace(box, width=width, height=top)], [])
    width, height = max(width, inside.width), top + inside.height
    placed = inside.moved((width - inside.width) / 2, top)
    return Drawing(width, height, [replace(box, width=width, height=height), *placed.boxes], placed.lines)


def arranged(parts: Mapping[str, Drawing], ways: Sequence[Arrow]) -> Drawing:
    """The parts in layers, and the lines between them."""
    sizes = tuple((name, (part.width, part.height)) for name, part in parts.items())
    labelled = Counter(way.source for way in ways if way.label)
    spacing = max(_SPACING, _LABEL_HEIGHT * (1 + max(labelled.values(), default=0)))
    layout = _layout(sizes, tuple((way.source, way.target) for way in ways), spacing)
    lines = _with_label_places([DrawnLine(*way, points=list(_between(way, layout, parts))) for way in ways])
    boxes = []
    for name, part in parts.items():
        x, y = layout.place[name]
        placed = part.moved(x - part.width / 2, y - part.height / 2)
        boxes += placed.boxes
        lines += placed.lines
    return _with_room_for_labels(Drawing(layout.width, layout.height, boxes, lines))


def _with_label_places(lines: Sequence[DrawnLine]) -> list[DrawnLine]:
    """The labels of the lines from one box below each other, each on its line: beside each other, long ones would cover
    each other."""
    count = Counter(line.source for line in lines if line.label)
    before: Counter[str] = Counter()
    placed = []
    for line in lines:
        at = None
        if line.label:
            before[line.source] += 1
            share = before[line.source] / (count[line.source] + 1)
            (x0, y0), (x1, y1) = line.points[:2]
            at = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        placed.append(replace(line, label_at=at))
    return placed


def _with_room_for_labels(drawn: Drawing) -> Drawing:
    """The drawing, wider where a label would stand out of it."""
    left, right = 0.0, drawn.width
    for line in drawn.lines:
        if line.label and line.label_at:
            half = (text_width(line.label) * NOTE_SIZE / TITLE_SIZE + _PADDING) / 2
            left, right = min(left, line.label_at[0] - half), max(right, line.label_at[0] + half)
    return replace(drawn.moved(-left, 0), width=right - left)


def _between(way: Arrow, layout: Layout, parts: Mapping[str, Drawing]) -> Iterator[Point]:
    """The points of a line between the sides of two boxes that face each other; of one back to its own box, at its
    right side."""
    if way.source == way.target:
        (x, y), side = layout.place[way.source], parts[way.source].width / 2
        far = x + side + 2 * _LOOP
        yield from ((x + side, y - _LOOP), (far, y - _LOOP), (far, y + _LOOP), (x + side, y + _LOOP))
        return
    (x0, y0), *passed, (x1, y1) = layout.path((way.source, way.target))
    down = 1 if y1 > y0 else -1
    yield x0, y0 + down * parts[way.source].height / 2
    yield from passed
    yield x1, y1 - down * parts[way.target].height / 2


@lru_cache(maxsize=256)
def _layout(sizes: tuple[tuple[str, Size], ...], edges: tuple[tuple[str, str], ...], spacing: float) -> Layout:
    """Kept: while an author types, most texts have the boxes and lines of the text before."""
    return Layout(dict(sizes), edges, spacing)
