"""The steps inside of a foreach or a parallel step. They run concurrently within the node of the outer step, each one
as soon as the steps that it needs have ended. Their results are kept in the run's store, so that none runs again."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from maththera.flows.flow import FlowStep
from maththera.flows.language.flow_schema import ForeachStep
from maththera.flows.runs import step_actions
from maththera.flows.runs.step_outcomes import StepError, StepFailed, StepOutcome, StepRecord
from maththera.json_types import JsonObject

if TYPE_CHECKING:
    from maththera.flows.runs.step_runner import StepRun, StepRunner

_PROGRESS: Final = 20  # progress events of a foreach
_MOST_ITEMS: Final = 100_000
_MOST_LOST: Final = 20  # failed items listed in a record


async def parallel(runs: "StepRunner", step_run: "StepRun") -> JsonObject:
    """Task id → result."""
    outcomes = await _run_inner_steps(runs, step_run, dict(step_run.names), f"{step_run.key}.", step_run.trace.steps)
    await runs.run.saved()
    return {task: outcome.value for task, outcome in outcomes.items()}


async def foreach(runs: "StepRunner", step_run: "StepRun") -> list[Any]:
    """The results of a foreach in the order of its items."""
    fields = cast("ForeachStep", step_run.step.fields)
    items = step_run.trace.inputs = _items(runs, step_run)
    last = fields.steps[-1].id
    results: list[Any] = [None] * len(items)
    lost: set[int] = set()
    todo = iter(enumerate(items))
    told = max(1, len(items) // _PROGRESS)
    finished = 0

    async def work() -> None:
        nonlocal finished
        for index, item in todo:
            try:
                scope = {**step_run.names, "item": item, "index": index}
                results[index] = (await _run_inner_steps(runs, step_run, scope, f"{step_run.key}[{index}]."))[
                    last
                ].value
            except StepError as error:
                if len(step_run.trace.steps) < _MOST_LOST:
                    step_run.trace.steps[str(index)] = {"status": "failed", "reason": error.message}
                if fields.on_item_error == "fail":
                    raise
                lost.add(index)
                runs.emit({"type": "warning", "step": step_run.path, "message": f"item {index}: {error.message}"})
            finished += 1
            if finished % told == 0:
                runs.emit({"type": "progress", "step": step_run.path, "done": finished, "of": len(items)})

    await _gather_or_cancel([work() for _ in range(min(fields.max_concurrency, len(items)))])
    await runs.run.saved()
    if fields.on_item_error == "skip":
        results = [result for index, result in enumerate(results) if index not in lost]
    return results


def _items(runs: "StepRunner", step_run: "StepRun") -> list[Any]:
    items = step_actions.arguments_of(step_run.step, runs.evaluation(step_run.names))
    if items is None:
        return []
    if not isinstance(items, list):
        raise StepError("items is not a list", code="expression")
    if len(items) > _MOST_ITEMS:
        raise StepError(f"more than {_MOST_ITEMS:,} items", code="expression")
    return items


async def _run_inner_steps(
    runs: "StepRunner",
    step_run: "StepRun",
    names: JsonObject,
    prefix: str,
    records: dict[str, StepRecord] | None = None,
) -> dict[str, StepOutcome]:
    """Step → outcome. A failure inside fails the outer step, whose `on_error` decides what follows; with its `retry`
    the inner steps that did not end run again."""
    block = _InnerSteps(runs, step_run, names, prefix, {} if records is None else records)
    try:
        return await block.run()
    except StepFailed as failure:
        error = failure.error
        raise StepError(
            f"{failure.step}: {error.message}", tool=error.tool, code=error.code, maybe_done=error.maybe_done
        ) from failure


class _InnerSteps:
    """The inner steps of one item, or of a parallel step. `names` gets their results, `records` their records."""

    def __init__(
        self, runs: "StepRunner", around: "StepRun", names: JsonObject, prefix: str, records: dict[str, StepRecord]
    ) -> None:
        self._runs, self._around = runs, around
        self._names, self._prefix, self._records = names, prefix, records

    async def run(self) -> dict[str, StepOutcome]:
        """Runs the steps. On StepFailed no more steps start, repeatable ones are cancelled, the others run to their
        end."""
        steps = self._around.step.steps
        if len(steps) == 1 and not steps[0].needs:
            return {steps[0].id: await self._one(steps[0], {})}
        tasks: dict[str, asyncio.Task[StepOutcome]] = {}

        async def follow(step: FlowStep) -> StepOutcome:
            return await self._one(step, {need: await asyncio.shield(tasks[need]) for need in step.needs})

        for step in steps:
            tasks[step.id] = asyncio.create_task(follow(step), name=f"{self._prefix}{step.id}")
        try:
            await asyncio.wait(tasks.values(), return_when=asyncio.FIRST_EXCEPTION)
            failed = next((task for task in tasks.values() if task.done() and task.exception() is not None), None)
            if failed is None:
                return {name: task.result() for name, task in tasks.items()}
            await _cancel_repeatable(steps, tasks)
            raise failed.exception() or RuntimeError("unreachable")
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _one(self, step: FlowStep, before: Mapping[str, StepOutcome]) -> StepOutcome:
        step_run = self._runs.step_run(step, self._prefix + step.id, self._names, inner=True)
        try:
            outcome, self._records[step.id] = await self._runs.outcome_and_record(step_run, before)
        finally:
            self._around.trace.log += step_run.trace.log
            self._around.trace.prints += step_run.trace.prints
        self._names[step.result] = outcome.value
        return outcome


async def _cancel_repeatable(steps: Sequence[FlowStep], tasks: "Mapping[str, asyncio.Task[StepOutcome]]") -> None:
    for step in steps:
        started = all(tasks[need].done() and not tasks[need].cancelled() for need in step.needs)
        ready = started and all(tasks[need].exception() is None for need in step.needs)
        if step.repeatable or not ready:
            tasks[step.id].cancel()
    await asyncio.wait(tasks.values())


async def _gather_or_cancel(work: Sequence[Awaitable[None]]) -> None:
    """All results, or the first failure after everything else has ended."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
