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
    """Places `nodes` (name → width in pixels), the first on top; rows are `row_height` pixels apart, and more where a
    node is `taller` than others."""

    def __init__(
        self, nodes: Mapping[str, float], edges: Sequence[Edge], row_height: float, taller: Mapping[str, float] = {}
    ) -> None:
        self._widths = dict(nodes)
        self._depth = _depths(next(iter(nodes)), nodes, edges)
        self._way: dict[Edge, list[str]] = {edge: self._waypoints(edge) for edge in edges}
        self._rows = self._ordered()
        self.width = max(self._row_width(row) for row in self._rows) + 2 * _GAP
        self.height = 0.0
        self._beside: dict[str, float] = {}
        self.place: dict[str, Point] = {}
        for row in self._rows:
            x = (self.width - self._row_width(row)) / 2
            extra = max(taller.get(name, 0.0) for name in row)
            height = row_height + extra
            for name in row:
                self._beside[name] = extra
                self.place[name] = (x + self._widths[name] / 2, self.height + height / 2)
                x += self._widths[name] + _GAP
            self.height += height

    def path(self, edge: Edge) -> list[Point]:
        """The points an edge passes, from its source to its target; straight on where it passes a taller node."""
        source, target = edge
        passed = [point for name in self._way[edge] for point in self._passing(name, edge)]
        return [self.place[source], *passed, self.place[target]]

    def _passing(self, waypoint: str, edge: Edge) -> list[Point]:
        (x, y), extra = self.place[waypoint], self._beside[waypoint]
        down = 1 if self._depth[edge[1]] > self._depth[edge[0]] else -1
        return [(x, y - down * extra / 2), (x, y + down * extra / 2)] if extra else [(x, y)]

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
    """Steps from the first node on the longest way that never returns, or from one that it does not reach."""
    targets: dict[str, list[str]] = {name: [] for name in nodes}
    for source, target in edges:
        targets[source].append(target)
    last_first = _finished([first, *nodes], targets)
    rank = {name: place for place, name in enumerate(reversed(last_first))}
    depth = dict.fromkeys(targets, 0)
    for name in reversed(last_first):
        for target in targets[name]:
            if rank[target] > rank[name]:  # else the edge leads back
                depth[target] = max(depth[target], depth[name] + 1)
    return depth


def _finished(starts: Iterable[str], targets: Mapping[str, Sequence[str]]) -> list[str]:
    """All nodes in the order a depth-first search leaves them."""
    seen: set[str] = set()
    finished: list[str] = []
    for start in starts:
        stack = [] if start in seen else [(start, iter(targets[start]))]
        seen.add(start)
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
