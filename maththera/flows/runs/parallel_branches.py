"""Branches: parts of a flow that run concurrently.

LangGraph runs a graph in supersteps, each as long as its slowest node. Where two parts of a flow do not depend on each
other, each part of several steps becomes a subgraph, so that neither waits for the other. Parts are found by splitting:
steps in groups without edges between them run concurrently; groups that all steps of the one before must reach first
run one after the other; what can be split in neither way stays as it is.

A join of LangGraph remembers on the thread which steps have arrived. What it remembers of an earlier run, such as a
state edited as a step, could let it continue too early, unless all its steps end in one superstep. Steps that can be
split in neither way, with a join of steps from different supersteps, therefore become a subgraph too, which begins
each run with an empty memory.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from maththera.flows.flow import FlowStep


@dataclass(frozen=True, slots=True)
class Branch:
    """Steps that become one node. `units`: steps and further branches, in an order in which they can run."""

    units: "tuple[FlowStep | Branch, ...]"

    @property
    def steps(self) -> tuple[FlowStep, ...]:
        return tuple(step for unit in self.units for step in (unit.steps if isinstance(unit, Branch) else (unit,)))

    @property
    def name(self) -> str:
        """The name of its node: its first and last step, with a '-', which no id of a step has."""
        return f"{self.steps[0].id}-{self.steps[-1].id}"


Unit = FlowStep | Branch


def units(steps: Sequence[FlowStep]) -> tuple[Unit, ...]:
    """The nodes of a graph, in an order in which they can run. `steps` are in such an order."""
    return tuple(unit for part in _sequence(steps) for unit in _side_by_side(part))


def direct(needs: Mapping[str, Set[str]]) -> dict[str, list[str]]:
    """Name → what it needs, without what that needs in turn. `needs` are in an order in which they can run."""
    above: dict[str, set[str]] = {}
    found: dict[str, list[str]] = {}
    for name, own in needs.items():
        further = set().union(*(above[need] for need in own))
        found[name] = sorted(own - further)
        above[name] = further | own
    return found


def _side_by_side(steps: Sequence[FlowStep]) -> Sequence[Unit]:
    parts = _connected(steps)
    if len(parts) == 1:
        return [Branch(tuple(steps))] if _uneven(steps) else steps
    if _exclusive(steps, parts):
        return steps
    return [_one(units(part)) for part in parts]


def _one(inside: tuple[Unit, ...]) -> Unit:
    return inside[0] if len(inside) == 1 else Branch(inside)


def _uneven(steps: Sequence[FlowStep]) -> bool:
    """Whether a join, inside or after these steps, waits for steps of different supersteps. The ways of a route do not
    count: they stay in the picture as they are."""
    ids = {step.id for step in steps}
    if any(step.chosen_by - ids for step in steps):
        return False
    needs = direct({step.id: step.needs & ids for step in steps})
    depth: dict[str, int] = {}
    for name, own in needs.items():
        depths = {depth[need] for need in own}
        if len(depths) > 1:
            return True
        depth[name] = 1 + max(depths, default=0)
    followed = set().union(*needs.values())
    return len({depth[name] for name in ids - followed}) > 1


def _exclusive(steps: Sequence[FlowStep], parts: Sequence[Sequence[FlowStep]]) -> bool:
    """Whether the groups are ways of one route. Only one of them is taken, so none has to wait for another."""
    ids = {step.id for step in steps}
    entries = [{step.chosen_by for step in part if not step.needs & ids} for part in parts]
    return len(entries[0]) == 1 and len(next(iter(entries[0]))) == 1 and all(each == entries[0] for each in entries)


def _connected(steps: Sequence[FlowStep]) -> list[list[FlowStep]]:
    """The groups of steps that are connected by their dependencies."""
    group = {step.id: {step.id} for step in steps}
    for step in steps:
        for need in step.needs & group.keys():
            if group[need] is not group[step.id]:
                small, large = sorted((group[need], group[step.id]), key=len)
                large |= small
                group |= dict.fromkeys(small, large)
    parts: dict[int, list[FlowStep]] = {}
    for step in steps:
        parts.setdefault(id(group[step.id]), []).append(step)
    return list(parts.values())


def _sequence(steps: Sequence[FlowStep]) -> list[list[FlowStep]]:
    """The steps split into parts that follow each other: every step of one comes after all steps of the parts before
    it."""
    bits = {step.id: 1 << place for place, step in enumerate(steps)}
    before: dict[str, int] = {}  # step → bits of all that come before it
    for step in steps:
        before[step.id] = 0
        for need in step.needs & bits.keys():
            before[step.id] |= before[need] | bits[need]
    in_order = sorted(steps, key=lambda step: before[step.id].bit_count())
    common = [0] * len(in_order)  # bits that come before every step from this place on
    rest = -1
    for place in range(len(in_order) - 1, -1, -1):
        rest &= before[in_order[place].id]
        common[place] = rest
    parts: list[list[FlowStep]] = []
    done = 0
    for place, step in enumerate(in_order):
        if common[place] & done == done:
            parts.append([])
        parts[-1].append(step)
        done |= bits[step.id]
    return parts
