"""The order of the steps of a block: the steps that each one waits for, the steps that choose it, cycles."""

from collections.abc import Mapping, Sequence

from maththera.flows.checker.name_scopes import Scope
from maththera.flows.flow import FlowStep
from maththera.flows.language import messages
from maththera.flows.language.faults import Loc, suggestion
from maththera.flows.language.flow_schema import StepFields
from maththera.flows.language.value_templates import FaultCollector


def choosers_by_step(
    steps: Sequence[StepFields], loc: Loc, notes: FaultCollector, *, parallel: bool
) -> dict[str, set[str]]:
    """Step → the steps that may choose it."""
    ids = {step.id for step in steps}
    chosen: dict[str, set[str]] = {}
    for place, step in enumerate(steps):
        targets = [((*loc, place, "route", number, "to"), way.to) for number, way in enumerate(step.route)]
        if step.on_error is not None and step.on_error.goto is not None:
            targets.append(((*loc, place, "on_error", "goto"), step.on_error.goto))
        for where, target in targets:
            if parallel:
                notes.fault(where, messages.TASKS_CANNOT_LEAD())
            elif target == step.id:
                notes.fault(where, messages.LEADS_TO_ITSELF())
            elif target == "end" and "end" not in ids:
                continue
            elif target not in ids:
                notes.fault(where, messages.NO_STEP_HERE(name=target, near=suggestion(target, ids)))
            else:
                chosen.setdefault(target, set()).add(step.id)
    return chosen


def dependencies_of(
    compiled: FlowStep, loc: Loc, scope: Scope, notes: FaultCollector, *, parallel: bool
) -> frozenset[str]:
    """The steps of the same block that a step waits for: those it reads, those it names in `depends_on`, those that
    choose it."""
    ids = scope.results.keys()
    needs = {scope.entries[root].step for root in compiled.roots if root in scope.entries}
    for place, wanted in enumerate(compiled.fields.depends_on):
        where = (*loc, "depends_on", place)
        if parallel:
            notes.fault(where, messages.TASKS_CANNOT_WAIT())
        elif wanted == compiled.id:
            notes.fault(where, messages.WAITS_FOR_ITSELF())
        elif wanted not in ids and (entry := scope.entries.get(wanted)) is not None:
            notes.fault(where, messages.OUTPUT_NOT_STEP(name=wanted, step=entry.step))
        elif wanted not in ids:
            notes.fault(where, messages.NO_STEP_HERE(name=wanted, near=suggestion(wanted, ids)))
        else:
            needs.add(wanted)
    return frozenset(each for each in needs | compiled.chosen_by if each is not None and each != compiled.id)


def check_reachable(found: Sequence[FlowStep], loc: Loc, notes: FaultCollector) -> None:
    """Reports steps and ways that no run can reach."""
    certain: dict[str, set[str]] = {}
    for place, compiled in enumerate(found):
        ways = compiled.fields.route
        last = next((number for number, way in enumerate(ways) if way.when is None), len(ways))
        for number, way in enumerate(ways):
            if number > last:
                where = (*loc, place, "route", number)
                notes.fault(where, messages.NEVER_TAKEN(place=last))
                certain.setdefault(way.to, set())
            else:
                certain.setdefault(way.to, set()).add(compiled.id)
        if compiled.on_error is not None and compiled.on_error.goto is not None:
            certain.setdefault(compiled.on_error.goto, set()).add(compiled.id)
    for place, compiled in enumerate(found):
        if compiled.fields.condition is False:
            notes.fault((*loc, place, "condition"), messages.NEVER_BY_CONDITION())
        elif compiled.chosen_by and not certain.get(compiled.id):
            notes.fault((*loc, place, "id"), messages.NEVER_BY_ROUTE())


def topological_order(found: Sequence[FlowStep], loc: Loc, notes: FaultCollector) -> tuple[FlowStep, ...]:
    """The steps by Kahn's algorithm, as near to the order of the file as possible. A cycle is reported at its first
    step."""
    waiting = {step.id: set(step.needs) for step in found}
    by_id = {step.id: (place, step) for place, step in reversed(list(enumerate(found)))}
    followers: dict[str, list[str]] = {}
    for step in found:
        for need in step.needs:
            followers.setdefault(need, []).append(step.id)
    ready = [step.id for step in found if not waiting[step.id]]
    placed: list[FlowStep] = []
    for name in ready:
        placed.append(by_id[name][1])
        for follower in followers.get(name, ()):
            waiting[follower].discard(name)
            if not waiting[follower] and follower not in ready:
                ready.append(follower)
    if len(placed) < len(by_id):
        cycle = _cycle({name: needs for name, needs in waiting.items() if needs})
        place = min(by_id[name][0] for name in cycle)
        notes.fault((*loc, place, "id"), messages.CYCLE(steps=" → ".join([*cycle, cycle[0]])))
    return tuple(placed)


def _cycle(waiting: Mapping[str, set[str]]) -> list[str]:
    """The names of one cycle, each waiting for the one before it."""
    path: list[str] = []
    name = next(iter(waiting))
    while name not in path:
        path.append(name)
        name = next(need for need in sorted(waiting[name]) if need in waiting)
    return list(reversed(path[path.index(name) :]))
