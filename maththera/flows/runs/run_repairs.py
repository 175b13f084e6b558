"""Repairs of a failed or cancelled run by an adult: run again from a step, mark a step as done, skip a step. The
records that stay valid are written into the run's store, and the graph starts anew without running those steps."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from langgraph.graph.state import CompiledStateGraph

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.language.faults import suggestion
from maththera.flows.language.value_checks import mistake_texts
from maththera.flows.runs.flow_runner import run_progress
from maththera.flows.runs.run_store import BEGUN, ENDED, RunStore
from maththera.flows.runs.step_outcomes import StepError, StepOutcome, StepRecord, StepTrace, load_if_large, step_record
from maththera.flows.runs.step_runner import REACHED_AT

RepairKind = Literal["retry", "mark_done", "skip"]

_PART: Final = re.compile(r"(?P<id>[^\[\]]+)(?:\[(?P<item>\d{1,6})\])?")
_ITEM: Final = re.compile(r"\[(\d+)\]")
_INPUT: Final = "__input__"  # LangGraph's name of what writes the input of a run


class CannotRepair(ValueError):
    """The step does not exist, the value does not fit the step, or no records of the run are left."""


@dataclass(frozen=True, slots=True)
class Repair:
    """`step`: a path such as `pay`, `outer/pay`, `loop[3].pay`. `value`: the result of a step marked as done."""

    kind: RepairKind
    step: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Repairer:
    """Repairs one run. `flows`: the flows that its flow calls, in the versions with which it began."""

    flow: Flow
    flows: Mapping[str, Flow]
    graph: CompiledStateGraph[Any, Any, Any, Any]
    store: RunStore
    execution_id: str

    async def repair(self, repair: Repair) -> None:
        """Prepares the run to continue. Raises CannotRepair, and then nothing has changed."""
        step = self._step(repair)
        config: Any = {"configurable": {"thread_id": self.execution_id}}
        state = (await self.graph.aget_state(config)).values
        if not state:
            raise CannotRepair("nothing is left of this run; start it anew")
        steps = (await run_progress(self.graph, self.execution_id))["steps"]
        await self._require_items(repair.step, {**dict(_by_path(steps)), **await self.store.ended()})
        again = repair.step if repair.kind == "retry" else None
        standing = dict(_kept_records(self.flow, self.flows, steps, again))
        fields = set(await self.store.fields())
        if repair.kind != "retry":
            standing[repair.step] = await self._decided_record(repair, step)
        elif _top_step(repair.step) in steps and repair.step not in standing:
            await self.store.remove(
                [each for each in fields if _concerns_step(each, repair.step, whole=_is_done(steps, repair.step))]
            )
        behind = _steps_after(self.flow.steps, _top_step(repair.step)) if again else set()
        await self.store.remove(
            [each for each in fields if any(_concerns_step(each, name, whole=True) for name in behind)]
        )
        await self.store.put({ENDED + path: record for path, record in standing.items()})
        kept = {name: state[name] for name in ("inputs", "execution_id", "started_at") if name in state}
        if self.graph.checkpointer and not isinstance(self.graph.checkpointer, bool):
            await self.graph.checkpointer.adelete_thread(self.execution_id)
        await self.graph.aupdate_state(config, kept, as_node=_INPUT)

    def _step(self, repair: Repair) -> FlowStep:
        path = repair.step
        *around, last = path.split("/")
        steps: Mapping[str, FlowStep] = {step.id: step for step in self.flow.steps}
        for name in around:
            called = self.flows.get(getattr(steps[name].fields, "graph", "")) if name in steps else None
            steps = {step.id: step for step in called.steps} if called is not None else {}
        parts = [_PART.fullmatch(part) for part in last.split(".")]
        for place, part in enumerate(parts):
            name = part["id"] if part else path
            if part is None or name not in steps:
                raise CannotRepair(f"there is no step '{path}'{suggestion(name, steps)}")
            step, inside = steps[name], place + 1 < len(parts)
            if part["item"] and step.kind != "foreach":
                raise CannotRepair(f"'{name}' is no foreach, so it has no items")
            if step.kind == "foreach" and inside != bool(part["item"]) and (inside or repair.kind != "retry"):
                raise CannotRepair(f"name a step of an item, such as '{name}[0].{step.steps[0].id}'")
            steps = {each.id: each for each in step.steps}
        return step

    async def _require_items(self, path: str, records: Mapping[str, StepRecord]) -> None:
        """Raises CannotRepair for an item beyond those that its foreach had when it ended."""
        for sign in _ITEM.finditer(path):
            record = records.get(path[: sign.start()])
            if record is None:
                continue
            try:
                items = await load_if_large(record.get("inputs"), self.store) or []
            except StepError:  # they are not kept any more
                continue
            if int(sign[1]) >= len(items):
                raise CannotRepair(f"there is no item {sign[1]} of '{path[: sign.start()]}', which had {len(items)}")

    async def _decided_record(self, repair: Repair, step: FlowStep) -> StepRecord:
        if repair.kind == "skip":
            outcome = StepOutcome("skipped", reason="left out by a person")
        else:
            if wrong := mistake_texts(repair.value, step.typed):
                raise CannotRepair(f"'{repair.step}' could not have given this: {'; '.join(map(str, wrong))}")
            outcome = StepOutcome("done", repair.value, reason="taken for done by a person")
        return await step_record(outcome, StepTrace(), step.kind, self.store, repair.step)


def _by_path(steps: Mapping[str, StepRecord], prefix: str = "") -> Iterator[tuple[str, StepRecord]]:
    """Path → record, also of the steps of called flows."""
    for name, record in steps.items():
        yield prefix + name, record
        if record.get("kind") == "graph":
            yield from _by_path(record.get("steps", {}), f"{prefix}{name}/")


def _kept_records(
    flow: Flow, flows: Mapping[str, Flow], steps: Mapping[str, StepRecord], again: str | None, prefix: str = ""
) -> "list[tuple[str, StepRecord]]":
    """Path → record of the steps that do not run again. `again`: the path of the step to begin with."""
    first, _, rest = (again or "").partition("/")
    top = _top_step(first)
    behind = _steps_after(flow.steps, top) if again else set()
    by_id = {step.id: step for step in flow.steps}
    found: list[tuple[str, StepRecord]] = []
    for name, record in steps.items():
        called = flows.get(getattr(by_id[name].fields, "graph", ""))
        if name in behind:
            continue
        failed = record["status"] == "failed"
        if name != top and (not failed or _has_answer(by_id[name])):
            found.append((prefix + name, record))
        elif called is not None and (rest or failed):
            found += _kept_records(called, flows, record.get("steps", {}), rest or None, f"{prefix}{name}/")
    return found


def _has_answer(step: FlowStep) -> bool:
    return step.on_error is not None and step.on_error.action != "fail"


def _steps_after(steps: tuple[FlowStep, ...], first: str) -> set[str]:
    """The steps that depend on a step, directly or not."""
    found = {first}
    for step in steps:
        if step.needs & found:
            found.add(step.id)
    return found - {first}


def _top_step(path: str) -> str:
    """The top-level step of a path: `loop` of `loop[3].each` and of `loop/each`."""
    return path.partition("/")[0].partition(".")[0].partition("[")[0]


def _is_done(steps: Mapping[str, StepRecord], path: str) -> bool:
    return bool(steps[_top_step(path)]["status"] == "done")


def _concerns_step(field: str, path: str, *, whole: bool) -> bool:
    """Whether a field of the store belongs to a step or to an inner step of it. Without `whole`, the records of
    finished inner steps are kept."""
    kind, _, about = field.partition(" ")
    inside = about == path or (about.startswith(path) and about[len(path)] in "[./")
    ended = f"{kind} " == ENDED and about != path
    return inside and f"{kind} " in (BEGUN, ENDED, REACHED_AT) and (whole or not ended)
