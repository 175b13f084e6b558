"""The layout of a drawn graph: layers from top to bottom with few crossings, by grandalf. Unconnected parts of a graph
stand side by side, in the order of their first nodes."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from grandalf.graphs import Edge as GraphEdge
from grandalf.graphs import Graph, Vertex, graph_core
from grandalf.layouts import SugiyamaLayout, VertexViewer
from grandalf.routing import EdgeViewer

Edge = tuple[str, str]
Point = tuple[float, float]
Size = tuple[float, float]

_ROUNDS: Final = 6  # of sorting the nodes of each layer, down and up
_LANE: Final = 24.0  # pixels that an arrow has for itself where it passes a layer
_GAP: Final = 28.0  # pixels between two boxes of a layer
_LEAST_RECURSION: Final = 10_000
"""The recursion limit: grandalf makes a nested call for each node of a path."""


class Layout:
    """Places `boxes` (name → width and height in pixels); layers are `spacing` pixels apart. An edge from a node to
    itself has no path. `width` and `height`: of the whole picture; `place`: the centre of each box."""

    def __init__(self, boxes: Mapping[str, Size], edges: Sequence[Edge], spacing: float) -> None:
        self.width, self.height = _GAP, 0.0
        self.place: dict[str, Point] = {}
        self._paths: dict[Edge, list[Point]] = {}
        vertices = {name: Vertex(name) for name in boxes}
        for name, (width, height) in boxes.items():
            vertices[name].view = VertexViewer(width, height)
        drawn = [GraphEdge(vertices[a], vertices[b], data=(a, b)) for a, b in dict.fromkeys(edges) if a != b]
        for edge in drawn:
            edge.view = EdgeViewer()
        order = {name: number for number, name in enumerate(boxes)}
        parts = Graph(list(vertices.values()), drawn).C
        firsts = {part: min(part.sV, key=lambda vertex: order[vertex.data]) for part in parts}
        with _deep_recursion():
            for part in sorted(parts, key=lambda part: order[firsts[part].data]):
                self._add(part, firsts[part], spacing)

    def path(self, edge: Edge) -> list[Point]:
        """The points that an edge passes, from the centre of its source to that of its target."""
        return self._paths[edge]

    def _add(self, part: graph_core, first: Vertex, spacing: float) -> None:
        """Lays out a connected part to the right of those before it, with its node `first` on top."""
        sugiyama = SugiyamaLayout(part)
        sugiyama.xspace, sugiyama.yspace, sugiyama.dw, sugiyama.dh = _GAP, spacing, _LANE, 0.0
        part.get_scs_with_feedback([first])  # marks the edges that lead back
        back = [edge for edge in part.sE if edge.feedback]
        sugiyama.init_all(roots=[], inverted_edges=back)
        sugiyama.draw(_ROUNDS)
        half = {layer[0].view.xy[1]: max(each.view.h for each in layer) / 2 for layer in sugiyama.layers}
        left = min(vertex.view.xy[0] - vertex.view.w / 2 for layer in sugiyama.layers for vertex in layer)
        right = max(vertex.view.xy[0] + vertex.view.w / 2 for layer in sugiyama.layers for vertex in layer)
        shift_x, shift_y = self.width - left, spacing / 2
        for vertex in part.sV:
            x, y = vertex.view.xy
            self.place[vertex.data] = (x + shift_x, y + shift_y)
        for edge in part.sE:
            points = [(x + shift_x, y + shift_y) for x, y in _straight_beside_boxes(edge.view._pts, half)]
            self._paths[edge.data] = points
        self.width += right - left + _GAP
        self.height = max(self.height, sum(2 * each + spacing for each in half.values()))


def _straight_beside_boxes(points: Sequence[Point], half: Mapping[float, float]) -> Iterator[Point]:
    """The points of an edge; `half`: the half height of the layer at each y. Each layer that the edge passes is
    passed from its upper to its lower border, or from its lower to its upper one."""
    down = 1 if points[-1][1] > points[0][1] else -1
    yield points[0]
    for x, y in points[1:-1]:
        yield x, y - down * half[y]
        yield x, y + down * half[y]
    yield points[-1]


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _LEAST_RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
