"""Running the steps of a flow. Each starts the moment the last of those it needs has ended, and waits for no other.

A block (the flow itself, the body of a foreach, the tasks of a parallel step) is one set of asyncio tasks. A step
that fails for good stops the block: what has not started does not start, what may be repeated is cancelled, and what
must not be broken off comes to its end.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any, Final, cast

import orjson
from langgraph.errors import GraphBubbleUp

from maththera.flows import doing
from maththera.flows.expressions import Expression
from maththera.flows.flow import FlowStep
from maththera.flows.journal import Journal
from maththera.flows.model import ForeachStep, Retry
from maththera.flows.operations import Evaluation, EvaluationError
from maththera.flows.outcomes import Outcome, RunFailed, StepError
from maththera.flows.services import Services

Emit = Callable[[dict[str, Any]], None]
Names = Mapping[str, Any]

_PROGRESS: Final = 20  # events that a foreach tells its progress in
_MOST_ITEMS: Final = 100_000
_ONCE: Final = Retry(attempts=1)
_THREE_TIMES: Final = Retry()


@dataclass(slots=True)
class Execution:
    """One stretch of a run: from its start, or from the answer of a person, to its end or the next question.

    `answers`: step → what a person said. `questions`: step → what was asked, from the stretch before.
    """

    id: str
    services: Services
    journal: Journal
    now: datetime
    emit: Emit
    answers: Mapping[str, Any] = field(default_factory=dict)
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    async def block(self, steps: Sequence[FlowStep], names: dict[str, Any], prefix: str = "") -> dict[str, Outcome]:
        """Step → outcome. `names` gets the results. Raises RunFailed, with the outcomes so far in the journal."""
        if len(steps) == 1 and not steps[0].needs:
            return {steps[0].id: await self._one(steps[0], {}, names, prefix)}
        tasks: dict[str, asyncio.Task[Outcome]] = {}

        async def follow(step: FlowStep) -> Outcome:
            outcomes = {need: await asyncio.shield(tasks[need]) for need in step.needs}
            return await self._one(step, outcomes, names, prefix)

        for step in steps:
            tasks[step.id] = asyncio.create_task(follow(step), name=f"{self.id}:{prefix}{step.id}")
        try:
            await asyncio.wait(tasks.values(), return_when=asyncio.FIRST_EXCEPTION)
            failed = next((task for task in tasks.values() if task.done() and task.exception() is not None), None)
            if failed is None:
                return {name: task.result() for name, task in tasks.items()}
            await self._stop(steps, tasks)
            raise failed.exception() or RuntimeError("unreachable")
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _stop(self, steps: Sequence[FlowStep], tasks: Mapping[str, asyncio.Task[Outcome]]) -> None:
        for step in steps:
            started = all(tasks[need].done() and not tasks[need].cancelled() for need in step.needs)
            ready = started and all(tasks[need].exception() is None for need in step.needs)
            if step.repeatable or not ready:
                tasks[step.id].cancel()
        await asyncio.wait(tasks.values())

    async def _one(self, step: FlowStep, before: Mapping[str, Outcome], names: dict[str, Any], prefix: str) -> Outcome:
        key = prefix + step.id
        if (record := self.journal.known.get(key)) is not None:
            outcome = await self._recorded(key, record)
        elif any(not each.final for each in before.values()):
            return Outcome("blocked")
        else:
            outcome = await self._decided(step, key, before, names)
            if outcome.final:
                packed = await outcome.packed(self.services.shelf, f"{self.id}:{key}")
                await self.journal.record(key, packed, at_once=not step.repeatable)
        names[step.result] = outcome.value
        return outcome

    async def _recorded(self, key: str, record: Mapping[str, Any]) -> Outcome:
        try:
            return await Outcome.unpacked(record, self.services.shelf)
        except StepError as error:
            raise RunFailed(key, error) from None

    async def _decided(
        self, step: FlowStep, key: str, before: Mapping[str, Outcome], names: Mapping[str, Any]
    ) -> Outcome:
        if (reason := _not_chosen(step, before)) is not None:
            return self._skip(key, step, "not_chosen", reason)
        if step.condition is not None and not self._holds(step.condition, key, names):
            return self._skip(key, step, "skipped", f"the condition is false: {step.condition.source}")
        started = monotonic()
        if not step.repeatable and self.journal.begun(key):
            error = StepError(
                "was under way when the run broke off; whether it has happened is not known, so it is not done again",
                code="unknown",
            )
            return self._failed(step, key, error)
        self._tell(key, {"type": "step_started", "step": key, "name": step.title, "kind": step.kind})
        try:
            if not step.repeatable and step.kind != "graph":
                await self.journal.begin(key)
            outcome = await self._attempts(step, key, names)
        except StepError as error:
            return self._failed(step, key, error)
        if not outcome.final:
            self.emit({"type": "waiting", **(outcome.waiting or {}), "step": key, "name": step.title})
            return outcome
        outcome = self._routed(step, key, outcome, names)
        took = round((monotonic() - started) * 1000)
        self._tell(key, {"type": "step_finished", "step": key, "name": step.title, "ms": took, "to": outcome.to})
        return outcome

    def _tell(self, key: str, event: dict[str, Any]) -> None:
        """What goes well inside of a foreach can be left out: its progress tells it, not a thousand times."""
        self.emit({**event, "inner": True} if "[" in key else event)

    def _skip(self, key: str, step: FlowStep, status: Any, reason: str) -> Outcome:
        self.emit({"type": "step_skipped", "step": key, "name": step.title, "reason": reason})
        return Outcome(status, reason=reason)

    def _holds(self, condition: Expression, key: str, names: Names) -> bool:
        """A condition that cannot be worked out is false, and says so."""
        try:
            return bool(condition.value(self.evaluation(names)))
        except EvaluationError as error:
            message = f"'{condition.source}' cannot be worked out, so it counts as false: {error}"
            self.emit({"type": "warning", "step": key, "message": message})
            self.log.append(f"{key}: {message}")
            return False

    def _routed(self, step: FlowStep, key: str, outcome: Outcome, names: Names) -> Outcome:
        if not step.ways:
            return outcome
        own = {**names, step.result: outcome.value}
        to = next((way.to for way in step.ways if way.when is None or self._holds(way.when, key, own)), None)
        value = {"to": to} if step.kind == "route" else outcome.value
        return Outcome("done", value, to=to)

    def _failed(self, step: FlowStep, key: str, error: StepError) -> Outcome:
        rule = step.on_error
        action = rule.action if rule is not None else "fail"
        event = {"type": "step_failed", "step": key, "name": step.title, "message": error.message, "code": error.code}
        self.emit({**event, "tool": error.tool, "action": action})
        self.log.append(f"{key}: {f'{error.tool}: ' if error.tool else ''}{error.message}")
        if rule is None or action == "fail":
            raise RunFailed(key, error)
        if action == "fallback":
            return Outcome("done", rule.fallback_value, reason=error.message)
        return Outcome("failed", reason=error.message, to=rule.goto, away=action == "goto")

    def evaluation(self, names: Names) -> Evaluation:
        return Evaluation(names, self.now)

    # --- attempts -----------------------------------------------------------------------------------------------------

    async def _attempts(self, step: FlowStep, key: str, names: Names) -> Outcome:
        retry = step.fields.retry or (_THREE_TIMES if step.kind in ("mcp_call", "llm") else _ONCE)
        for attempt in range(1, retry.attempts + 1):
            try:
                return await self._attempt(step, key, names)
            except StepError as error:
                if attempt == retry.attempts or not (
                    error.again or (step.fields.retry and error.code in ("python", "graph"))
                ):
                    raise
                delay = min(retry.backoff * 2 ** (attempt - 1), retry.max_delay)
                told = {"attempt": attempt + 1, "of": retry.attempts, "in": delay, "message": error.message}
                self.emit({"type": "retry", "step": key, "name": step.title, "tool": error.tool, **told})
            await asyncio.sleep(delay)
        raise AssertionError("a step has at least one attempt")

    async def _attempt(self, step: FlowStep, key: str, names: Names) -> Outcome:
        seconds = None if step.kind == "approve" else step.fields.timeout
        try:
            async with asyncio.timeout(seconds):
                if step.fields.cache is not None:
                    return await self._cached(step, key, names, step.fields.cache)
                return await self._done(step, key, names)
        except TimeoutError:
            raise StepError(f"took longer than {seconds:g} s", code="timeout", again=step.repeatable) from None
        except (StepError, RunFailed, GraphBubbleUp):
            raise
        except Exception as error:
            raise StepError(f"{type(error).__name__}: {error}", code="failed") from error

    async def _cached(self, step: FlowStep, key: str, names: Names, seconds: int) -> Outcome:
        name = doing.cache_key(step, self.evaluation(names))
        if (found := await self.services.shelf.get(name)) is not None:
            return Outcome("done", orjson.loads(found))
        outcome = await self._done(step, key, names)
        if outcome.status == "done":
            await self.services.shelf.put(name, orjson.dumps(outcome.value), seconds)
        return outcome

    async def _done(self, step: FlowStep, key: str, names: Names) -> Outcome:
        """With a result that can be kept: a server of others may send what JSON allows and no store takes."""
        outcome = await self._do(step, key, names)
        try:
            orjson.dumps(outcome.value)
        except TypeError as error:
            raise StepError(f"its result cannot be kept: {error}", code="bad_output") from None
        return outcome

    async def _do(self, step: FlowStep, key: str, names: Names) -> Outcome:
        if (special := _SPECIAL.get(step.kind)) is not None:
            return await special(self, step, key, names)
        plain = _PLAIN.get(step.kind)
        return Outcome("done", await plain(step, self.evaluation(names), self.services) if plain else {"to": None})

    async def _approve(self, step: FlowStep, key: str, names: Names) -> Outcome:
        if (question := self.questions.get(key)) is not None:
            return doing.answered(question, self.answers.get(key))
        return doing.ask_person(step, self.evaluation(names))

    async def _graph(self, step: FlowStep, key: str, names: Names) -> Outcome:
        question = self.questions.get(key)
        if question is not None and key not in self.answers:
            return Outcome("waiting", waiting=question)
        answer = self.answers.get(key)
        if answer is None and question is not None:  # the time for one has passed: the steps that ask know for which
            answer = dict.fromkeys(question.get("inner", ())) or None
        return await doing.run_graph(step, self.evaluation(names), self.services, f"{self.id}/{key}", answer)

    async def _parallel(self, step: FlowStep, key: str, names: Names) -> Outcome:
        outcomes = await self._inner(step, dict(names), f"{key}.")
        return Outcome("done", {task: outcome.value for task, outcome in outcomes.items()})

    async def _inner(self, step: FlowStep, names: dict[str, Any], prefix: str) -> dict[str, Outcome]:
        """A step inside that fails is a failure of the step around it, which may have an answer to that."""
        try:
            return await self.block(step.steps, names, prefix)
        except RunFailed as failure:
            error = failure.error
            raise StepError(f"{failure.step}: {error.message}", tool=error.tool, code=error.code) from failure

    # --- foreach ------------------------------------------------------------------------------------------------------

    async def _foreach(self, step: FlowStep, key: str, names: Names) -> Outcome:
        """The results in the order of the items, whatever the order they came in."""
        fields = cast("ForeachStep", step.fields)
        items = self._items(step, names)
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
                    scope = {**names, "item": item, "index": index}
                    results[index] = (await self._inner(step, scope, f"{key}[{index}]."))[last].value
                except StepError as error:
                    if fields.on_item_error == "fail":
                        raise
                    lost.add(index)
                    self.emit({"type": "warning", "step": key, "message": f"item {index}: {error.message}"})
                finished += 1
                if finished % told == 0:
                    self.emit({"type": "progress", "step": key, "done": finished, "of": len(items)})

        await _all([work() for _ in range(min(fields.max_concurrency, len(items)))])
        if fields.on_item_error == "skip":
            results = [result for index, result in enumerate(results) if index not in lost]
        return Outcome("done", results)

    def _items(self, step: FlowStep, names: Names) -> list[Any]:
        items = doing.arguments_of(step, self.evaluation(names))
        if items is None:
            return []
        if not isinstance(items, list):
            raise StepError("items is not a list", code="expression")
        if len(items) > _MOST_ITEMS:
            raise StepError(f"more than {_MOST_ITEMS:,} items", code="expression")
        return items


async def _all(work: Sequence[Awaitable[None]]) -> None:
    """All of it, or the first failure with everything else ended."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


_PLAIN: Final[dict[str, Callable[[FlowStep, Evaluation, Services], Awaitable[Any]]]] = {
    "mcp_call": doing.call_tool,
    "python": doing.run_python,
    "llm": doing.ask_model,
}
_SPECIAL: Final[dict[str, Callable[[Execution, FlowStep, str, Names], Awaitable[Outcome]]]] = {
    "foreach": Execution._foreach,
    "parallel": Execution._parallel,
    "graph": Execution._graph,
    "approve": Execution._approve,
}


def _not_chosen(step: FlowStep, before: Mapping[str, Outcome]) -> str | None:
    """Why a step is not on the way that the run has taken; None when it is.

    One that is named by a route or a goto runs only when it is chosen. Any other does not run when nothing that it
    needs leads on: then it stands on a way that was not taken.
    """
    if step.chosen_by:
        if any(before[name].to == step.id for name in step.chosen_by):
            return None
        return f"not chosen by {', '.join(sorted(step.chosen_by))}"
    if before and all(outcome.dead for outcome in before.values()):
        return f"behind {', '.join(sorted(before))}, which led elsewhere"
    return None
