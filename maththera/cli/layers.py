"""Where the nodes of a graph go on paper: layers from top to bottom, few crossings (Sugiyama, Tagawa, Toda 1981).

Edges that span several layers get a waypoint in each layer between, so that they pass beside the nodes there.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

Edge = tuple[str, str]
Point = tuple[float, float]

_SWEEPS: Final = 12
_WAYPOINT_WIDTH: Final = 24.0
_GAP: Final = 28.0


class Layout:
    """Places `nodes` (name → width in pixels), the first on top; rows are `row_height` pixels apart."""

    def __init__(self, nodes: Mapping[str, float], edges: Sequence[Edge], row_height: float) -> None:
        self._widths = dict(nodes)
        self._depth = _depths(next(iter(nodes)), nodes, edges)
        self._way: dict[Edge, list[str]] = {edge: self._waypoints(edge) for edge in edges}
        self._rows = self._ordered()
        self.width = max(self._row_width(row) for row in self._rows) + 2 * _GAP
        self.height = row_height * len(self._rows)
        self.place: dict[str, Point] = {}
        for depth, row in enumerate(self._rows):
            x = (self.width - self._row_width(row)) / 2
            for name in row:
                self.place[name] = (x + self._widths[name] / 2, row_height * (depth + 0.5))
                x += self._widths[name] + _GAP

    def path(self, edge: Edge) -> list[Point]:
        """The points an edge passes, from its source to its target."""
        source, target = edge
        return [self.place[name] for name in (source, *self._way[edge], target)]

    def _waypoints(self, edge: Edge) -> list[str]:
        start, end = (self._depth[name] for name in edge)
        step = 1 if end > start else -1
        names = []
        for depth in range(start + step, end, step):
            name = f"{edge[0]}\n{edge[1]}\n{depth}"
            self._widths[name], self._depth[name] = _WAYPOINT_WIDTH, depth
            names.append(name)
        return names

    def _ordered(self) -> list[list[str]]:
        rows: list[list[str]] = [[] for _ in range(max(self._depth.values()) + 1)]
        for name, depth in self._depth.items():
            rows[depth].append(name)
        beside = self._neighbours()
        for sweep in range(_SWEEPS):
            down = sweep % 2 == 0
            for depth in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
                fixed = {name: place for place, name in enumerate(rows[depth - 1 if down else depth + 1])}
                rows[depth] = _by_barycentre(rows[depth], fixed, beside)
        return rows

    def _neighbours(self) -> dict[str, list[str]]:
        beside: dict[str, list[str]] = {name: [] for name in self._depth}
        for (source, target), way in self._way.items():
            chain = [source, *way, target]
            for one, other in pairwise(chain):
                beside[one].append(other)
                beside[other].append(one)
        return beside

    def _row_width(self, row: Iterable[str]) -> float:
        return sum(self._widths[name] + _GAP for name in row) - _GAP


def _depths(first: str, nodes: Iterable[str], edges: Sequence[Edge]) -> dict[str, int]:
    """Steps from the first node on the longest way that never returns; what it does not reach stands beside it."""
    targets: dict[str, list[str]] = {name: [] for name in nodes}
    for source, target in edges:
        targets[source].append(target)
    last_first = _finished(first, targets)
    rank = {name: place for place, name in enumerate(reversed(last_first))}
    depth = dict.fromkeys(targets, 0)
    for name in reversed(last_first):
        for target in targets[name]:
            if rank[target] > rank[name]:  # else the edge leads back
                depth[target] = max(depth[target], depth[name] + 1)
    return depth


def _finished(first: str, targets: Mapping[str, Sequence[str]]) -> list[str]:
    """The reachable nodes in the order a depth-first search leaves them."""
    seen, finished = {first}, []
    stack = [(first, iter(targets[first]))]
    while stack:
        name, ahead = stack[-1]
        target = next((each for each in ahead if each not in seen), None)
        if target is None:
            finished.append(name)
            stack.pop()
        else:
            seen.add(target)
            stack.append((target, iter(targets[target])))
    return finished


def _by_barycentre(row: list[str], fixed: Mapping[str, int], beside: Mapping[str, Sequence[str]]) -> list[str]:
    def key(entry: tuple[int, str]) -> float:
        place, name = entry
        seen = [fixed[other] for other in beside[name] if other in fixed]
        return sum(seen) / len(seen) if seen else float(place)

    return [name for _, name in sorted(enumerate(row), key=key)]
