"""Runs one step: its condition, its attempts, what follows a failure, and its record."""

import asyncio
import time
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import orjson
from langgraph.errors import GraphBubbleUp
from langgraph.types import interrupt
from redis.exceptions import RedisError

from maththera.flows.flow import FlowStep
from maththera.flows.language.expression_evaluation import Evaluation, EvaluationError
from maththera.flows.language.expressions import Expression
from maththera.flows.language.flow_schema import Retry
from maththera.flows.runs import nested_steps, step_actions
from maththera.flows.runs.run_context import RunContext, finish_before_cancel
from maththera.flows.runs.run_store import BEGUN
from maththera.flows.runs.step_actions import CURRENT_STEP, Question, QuestionDropped
from maththera.flows.runs.step_outcomes import (
    StepError,
    StepFailed,
    StepOutcome,
    StepRecord,
    StepTrace,
    load_if_large,
    outcome_of,
    step_record,
)
from maththera.flows.runs.step_services import CalledGraph, StepServices
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event
from maththera.runtime.leases import LeaseLost
from maththera.runtime.tracing import span

Names = Mapping[str, Any]

REACHED_AT: Final = "since "  # prefix of the field in the run's store with the time at which a step was reached
_ONCE: Final = Retry(attempts=1)
_THREE_TIMES: Final = Retry()
_UNKNOWN: Final = "was under way when the run broke off; whether it has happened is not known, so it is not done again"


@dataclass(slots=True)
class StepRun:
    """One run of a step. `key`: its place in its flow (`loop[3].each`); `path`: its place in the run
    (`outer/loop[3].each`). `names`: the values that its expressions read. `inner`: it is inside of a foreach or a
    parallel step."""

    step: FlowStep
    key: str
    path: str
    names: Names
    inner: bool = False
    trace: StepTrace = field(default_factory=StepTrace)

    @property
    def must_not_repeat(self) -> bool:
        """Whether it must not run twice. The steps of a called graph are protected each by itself."""
        return not self.step.repeatable and self.step.kind != "graph"


@dataclass(slots=True)
class StepRunner:
    """Runs the steps of one flow. `flow`: its path in the run, "" or `outer/`. `called`: the graph of the current step,
    if it is compiled into the flow's graph. `flow_name`: for tracing."""

    run: RunContext
    services: StepServices
    now: datetime
    flow: str = ""
    called: CalledGraph | None = None
    flow_name: str = ""

    def step_run(self, step: FlowStep, key: str, names: Names, *, inner: bool = False) -> StepRun:
        return StepRun(step, key, self.flow + key, names, inner)

    async def outcome_and_record(
        self, step_run: StepRun, before: Mapping[str, StepOutcome]
    ) -> tuple[StepOutcome, StepRecord]:
        """The outcome of a step, and its record. `before`: outcomes of the steps that it needs. Raises StepFailed when
        the step has no `on_error` for its failure."""
        if (known := self.run.known.get(step_run.path)) is not None:
            return await self._restored_outcome(step_run, known), known
        token = CURRENT_STEP.set(step_run.path)
        try:
            if (skipped := self._skipped(step_run, before)) is not None:
                return skipped, await self._record(step_run, skipped)
            work = self._execute(step_run)
            work = finish_before_cancel(work) if step_run.must_not_repeat else work
            return await _traced(self.flow_name, step_run, work)
        finally:
            CURRENT_STEP.reset(token)

    async def _restored_outcome(self, step_run: StepRun, record: StepRecord) -> StepOutcome:
        outcome = outcome_of(record)
        try:
            return StepOutcome(
                outcome.status, await load_if_large(outcome.value, self.run.store), to=outcome.to, away=outcome.away
            )
        except StepError as error:
            raise StepFailed(step_run.key, error) from None

    async def _execute(self, step_run: StepRun) -> tuple[StepOutcome, StepRecord]:
        await self._start(step_run)
        try:
            await self._begin(step_run)
            outcome = self._routed(step_run, await self._attempts(step_run))
        except StepError as error:
            if step_run.must_not_repeat:
                error.maybe_done = not error.again
                if error.again:  # it has certainly not happened
                    await self.run.store.remove([BEGUN + step_run.path])
            step_run.trace.maybe_done = error.maybe_done
            outcome = self.failed(step_run, error)
        else:
            self._tell(step_run, "step_finished", to=outcome.to, **_event_fields(step_run, outcome.value))
        return outcome, await self._record(step_run, outcome)

    async def _start(self, step_run: StepRun) -> None:
        """Emits that a step starts. A step that waits for a person runs again with the answer, which is not a start."""
        if step_run.step.kind in ("approve", "graph"):
            field_name = REACHED_AT + step_run.path
            if not await self.run.store.add(field_name, step_run.trace.started_at):
                step_run.trace.started_at = await self.run.store.get(field_name)
                return
        self._tell(step_run, "step_started", kind=step_run.step.kind)
        if step_run.step.kind == "approve":
            self.emit({"type": "waiting", "name": step_run.step.title, **self._question(step_run)})

    async def _begin(self, step_run: StepRun) -> None:
        """Makes sure that a step which must not run twice has never begun. Raises StepError, LeaseLost."""
        if step_run.must_not_repeat and not await self.run.store.add(BEGUN + step_run.path, step_run.trace.started_at):
            raise StepError(_UNKNOWN, code="unknown")

    async def _record(self, step_run: StepRun, outcome: StepOutcome) -> StepRecord:
        record = await step_record(outcome, step_run.trace, step_run.step.kind, self.run.store, step_run.path)
        if step_run.must_not_repeat or step_run.inner:
            await self.run.keep(step_run.path, record, at_once=step_run.must_not_repeat)
        return record

    def emit(self, event: Event) -> None:
        self.run.emit(event)

    def _tell(self, step_run: StepRun, event_type: str, **more: Any) -> None:
        """Emits an event. Successes inside of a foreach are marked as inner: its progress reports them together."""
        event = {"type": event_type, "step": step_run.path, "name": step_run.step.title, **more}
        self.emit({**event, "inner": True} if "[" in step_run.path else event)

    # --- whether it runs ----------------------------------------------------------------------------------------------

    def _skipped(self, step_run: StepRun, before: Mapping[str, StepOutcome]) -> StepOutcome | None:
        step = step_run.step
        if (reason := _why_not_chosen(step, before)) is not None:
            return self._skip(step_run, "not_chosen", reason)
        if step.condition is not None and not self._condition_holds(step.condition, step_run.path, step_run.names):
            return self._skip(step_run, "skipped", f"the condition is false: {step.condition.source}")
        return None

    def _skip(self, step_run: StepRun, status: Any, reason: str) -> StepOutcome:
        self._tell(step_run, "step_skipped", reason=reason)
        return StepOutcome(status, reason=reason)

    def _condition_holds(self, condition: Expression, path: str, names: Names) -> bool:
        try:
            return bool(condition.value(self.evaluation(names)))
        except EvaluationError as error:
            self.emit({"type": "warning", "step": path, "message": f"'{condition.source}' {error}; taken as false"})
            return False

    def _routed(self, step_run: StepRun, value: Any) -> StepOutcome:
        step = step_run.step
        if not step.ways:
            return StepOutcome("done", value)
        own = {**step_run.names, step.result: value}
        to = next(
            (way.to for way in step.ways if way.when is None or self._condition_holds(way.when, step_run.path, own)),
            None,
        )
        return StepOutcome("done", {"to": to} if step.kind == "route" else value, to=to)

    def failed(self, step_run: StepRun, error: StepError) -> StepOutcome:
        """The outcome after a failure by the step's `on_error`; raises StepFailed without one."""
        rule = step_run.step.on_error
        action = rule.action if rule is not None else "fail"
        told = {"message": error.message, "code": error.code, "tool": error.tool, "action": action}
        story = _event_fields(step_run, rule.fallback_value if rule is not None else None)
        self.emit({"type": "step_failed", "step": step_run.path, "name": step_run.step.title, **told, **story})
        step_run.trace.log.append(f"{step_run.key}: {f'{error.tool}: ' if error.tool else ''}{error.message}")
        if rule is None or action == "fail":
            raise StepFailed(step_run.key, error)
        if action == "fallback":
            return StepOutcome("done", rule.fallback_value, reason=error.message)
        return StepOutcome("failed", reason=error.message, to=rule.goto, away=action == "goto")

    def evaluation(self, names: Names) -> Evaluation:
        return Evaluation(names, self.now)

    # --- attempts -----------------------------------------------------------------------------------------------------

    async def _attempts(self, step_run: StepRun) -> Any:
        step = step_run.step
        retry = step.fields.retry or (_THREE_TIMES if step.kind in ("mcp_call", "llm") else _ONCE)
        for attempt in range(1, retry.attempts + 1):
            step_run.trace.attempts = attempt
            try:
                return await self._attempt(step_run)
            except StepError as error:
                if attempt == retry.attempts or not (error.again or _author_retries(step, error)):
                    raise
                delay = min(retry.backoff * 2 ** (attempt - 1), retry.max_delay)
                told = {"attempt": attempt + 1, "of": retry.attempts, "in": delay, "message": error.message}
                self.emit({"type": "retry", "step": step_run.path, "name": step.title, "tool": error.tool, **told})
            await asyncio.sleep(delay)
        raise AssertionError("a step has at least one attempt")

    async def _attempt(self, step_run: StepRun) -> Any:
        fields = step_run.step.fields
        seconds = None if step_run.step.kind == "approve" else fields.timeout
        try:
            async with asyncio.timeout(seconds):
                if fields.cache is not None:
                    return await self._cached(step_run, fields.cache)
                return await self._storable_value(step_run)
        except TimeoutError:
            again = step_run.step.repeatable
            raise StepError(f"took longer than {seconds:g} s", code="timeout", again=again) from None
        except (StepError, StepFailed, GraphBubbleUp, QuestionDropped, LeaseLost, RedisError):
            raise
        except Exception as error:
            raise StepError(f"{type(error).__name__}: {error}", code="failed") from error

    async def _cached(self, step_run: StepRun, seconds: int) -> Any:
        name = step_actions.cache_key(step_run.step, self.evaluation(step_run.names))
        if (found := await self.services.blobs.get(name)) is not None:
            return orjson.loads(found)
        value = await self._storable_value(step_run)
        await self.services.blobs.put(name, orjson.dumps(value), seconds)
        return value

    async def _storable_value(self, step_run: StepRun) -> Any:
        """A result that can be stored: a server of others may send values that no store takes."""
        value = await self._value(step_run)
        try:
            orjson.dumps(value)
        except TypeError as error:
            raise StepError(f"its result cannot be kept: {error}", code="bad_output") from None
        return value

    async def _value(self, step_run: StepRun) -> Any:
        match step_run.step.kind:
            case "approve":
                return self._answer(step_run)
            case "graph":
                return await self._graph(step_run)
            case "foreach":
                return await nested_steps.foreach(self, step_run)
            case "parallel":
                return await nested_steps.parallel(self, step_run)
            case "route":
                return {"to": None}
        action = step_actions.ACTIONS[step_run.step.kind]
        return await action(step_run.step, self.evaluation(step_run.names), self.services, step_run.trace)

    # --- people and graphs --------------------------------------------------------------------------------------------

    def _question(self, step_run: StepRun) -> Question:
        return step_actions.question(
            step_run.step, self.evaluation(step_run.names), step_run.path, step_run.trace.started_at
        )

    def _answer(self, step_run: StepRun) -> Any:
        """A person's answer. LangGraph runs the step again with each answer; one that does not fit is asked again."""
        asked = step_run.trace.inputs = self._question(step_run)
        while True:
            answer, at = step_actions.answer_and_time(interrupt(asked))
            if asked["expires_at"] is not None and at >= asked["expires_at"]:
                raise StepError("nobody answered in time", code="timeout")
            wrong = step_actions.answer_mistakes(asked["form"], answer) if answer is not None else []
            if answer is not None and not wrong:
                return answer
            asked = {**asked, "errors": list(map(str, wrong))}

    async def _graph(self, step_run: StepRun) -> Any:
        """Runs a graph. Steps that a called flow has finished do not run again in the next attempt."""
        try:
            return await step_actions.run_graph(self, step_run)
        except StepError:
            inner = step_run.trace.steps.items()
            ended = {f"{step_run.path}/{key}": record for key, record in inner if record["status"] != "failed"}
            self.run.known |= ended
            raise


def _event_fields(step_run: StepRun, output: Any) -> JsonObject:
    """The fields of the event for a step that ended."""
    trace, ms = step_run.trace, round((time.time() - step_run.trace.started_at) * 1_000)
    return {"ms": ms, "attempts": trace.attempts, "inputs": trace.inputs, "output": output, "prints": trace.prints}


async def _traced(
    flow: str, step_run: StepRun, work: Awaitable[tuple[StepOutcome, StepRecord]]
) -> tuple[StepOutcome, StepRecord]:
    """Runs a step in a tracing span. Waiting for a person is not a failure of the step."""
    with span("flow.step", flow=flow, step=step_run.path, kind=step_run.step.kind) as current:
        try:
            outcome, record = await work
        except GraphBubbleUp as error:
            waits = error
        else:
            if current is not None:
                current.set_attribute("status", outcome.status)
            return outcome, record
    raise waits


def _author_retries(step: FlowStep, error: StepError) -> bool:
    """Whether another attempt is made only because of the author's `retry`: for Python code, and for steps that hold
    others, of which the finished ones do not run again."""
    holds_steps = step.kind in ("foreach", "parallel", "graph") and not error.maybe_done
    return step.fields.retry is not None and (error.code == "python" or holds_steps)


def _why_not_chosen(step: FlowStep, before: Mapping[str, StepOutcome]) -> str | None:
    """Why a step is not on the path that the run has taken; None when it is.

    A step that a route or a goto names runs only when it is chosen. Any other step is skipped when all steps that it
    needs lead elsewhere.
    """
    if step.chosen_by:
        if any(before[name].to == step.id for name in step.chosen_by):
            return None
        return f"not chosen by {', '.join(sorted(step.chosen_by))}"
    if before and all(outcome.ends_path for outcome in before.values()):
        return f"behind {', '.join(sorted(before))}, which led elsewhere"
    return None
