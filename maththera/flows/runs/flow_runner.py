"""Runs a flow from its inputs to its result, with events, across crashes and questions to people."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from maththera.flows.flow import Flow
from maththera.flows.runs.compiler import build
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.run_context import RUN, Emit, RunContext
from maththera.flows.runs.run_store import RunStore
from maththera.flows.runs.step_actions import (
    NO_ANSWER_NEEDED,
    Question,
    answer_and_time,
    is_timestamped,
    timestamped_answer,
)
from maththera.flows.runs.step_outcomes import RunError, StepRecord, completed, error_log, load_if_large
from maththera.flows.runs.step_services import StepServices
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event
from maththera.runtime.tool_interface import ToolCaller

logger = logging.getLogger(__name__)

OnEvent = Callable[[Event], Awaitable[None]]
Status = Literal["completed", "failed", "waiting"]
Graph = CompiledStateGraph[Any, Any, Any, Any]

_END: Final = object()


class RunProgress(TypedDict):
    """`steps`: id → record."""

    steps: dict[str, StepRecord]
    completed_steps: list[str]
    error_log: list[str]


class FlowChanged(Exception):
    """The flow was changed: a run continues only with the version that it began with."""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """`result` by output name, when completed. `waiting`: path of a step → its question. `steps`: id → record.
    `outputs`: step → value, of all that finished. `taken`: the paths whose answers the run has used."""

    status: Status
    result: JsonObject | None
    completed_steps: list[str]
    error_log: list[str]
    outputs: JsonObject = field(default_factory=dict)
    waiting: dict[str, Question] = field(default_factory=dict)
    error: RunError | None = None
    steps: dict[str, StepRecord] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()


async def run_flow(  # noqa: PLR0913
    flow: Flow,
    inputs: Mapping[str, Any] | None,
    tools: ToolCaller | StepServices,
    *,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    store: RunStore | None = None,
    execution_id: str | None = None,
    on_event: OnEvent | None = None,
    answer: Any = None,
    now: datetime | None = None,
    inner_events: bool = False,
) -> RunOutcome:
    """Starts or continues a run. An `execution_id` that the checkpointer knows continues where it was; `answer` is then
    a person's answer (path of a step → answer, or the answer itself when one question is open). `store`: where the run
    keeps data beside its checkpoints, by default in memory as long as the given StepServices live. `now`: the beginning
    of the run for `$date_utils`. `inner_events`: also emit the events of each step inside of a foreach.

    Raises InputError before anything has run, FlowChanged for a run of another version, LeaseLost, and the errors of
    the checkpointer and the store. A failed step raises nothing; it is part of the RunOutcome.
    """
    execution_id = execution_id or uuid.uuid4().hex
    config: Any = {"configurable": {"thread_id": execution_id}, "recursion_limit": 2 * len(flow.steps) + 10}
    async with _with_sandbox(tools) as services, _event_queue(on_event, inner=inner_events) as emit:
        graph = build(flow, services).compile(checkpointer=checkpointer, name=flow.name)
        kept = store or services.memory.of(execution_id)
        context = RunContext(kept, emit, known=await kept.ended())
        given, taken = await _graph_input(flow, inputs, graph, config, answer)
        if now is not None and isinstance(given, dict):
            given["started_at"] = now.isoformat()
        token = RUN.set(context)
        try:
            durability: Any = "async" if checkpointer else None
            state = await graph.ainvoke(given, config, durability=durability)
            while checkpointer and (dropped := await _dropped_questions(state, graph, config, context)):
                state = await graph.ainvoke(Command(resume=dropped), config, durability=durability)
        finally:
            RUN.reset(token)
            await context.saved()
        outcome = await _outcome(state, graph, config, kept, taken)
        emit({"type": "final", "status": outcome.status, "result": outcome.result, "error": outcome.error})
    return outcome


async def run_progress(graph: Graph, execution_id: str) -> RunProgress:
    """The results of a run's steps so far, also while it runs or after it was broken off."""
    snapshot = await graph.aget_state({"configurable": {"thread_id": execution_id}}, subgraphs=True)
    steps: dict[str, StepRecord] = {}
    _collect_records(snapshot, steps)
    return {"steps": steps, "completed_steps": completed(steps), "error_log": error_log(steps)}


def _collect_records(snapshot: Any, steps: dict[str, StepRecord]) -> None:
    """Collects the records of all steps, also of branches and of nodes whose superstep has not ended."""
    steps |= snapshot.values.get("steps") or {}
    for task in snapshot.tasks:
        if isinstance(task.result, dict):
            steps |= task.result.get("steps") or {}
        if "-" in task.name and task.state is not None and hasattr(task.state, "values"):
            _collect_records(task.state, steps)


@asynccontextmanager
async def _with_sandbox(tools: ToolCaller | StepServices) -> AsyncIterator[StepServices]:
    """The given services, or tools with a new sandbox for this run."""
    if isinstance(tools, StepServices):
        yield tools
        return
    async with Sandbox() as sandbox:
        yield StepServices(tools, sandbox)


async def _graph_input(
    flow: Flow, inputs: Mapping[str, Any] | None, graph: Graph, config: Any, answer: Any
) -> tuple[Any, frozenset[str]]:
    """The input of LangGraph (inputs, answers, or None after a crash), and the paths whose answers it holds."""
    nobody: frozenset[str] = frozenset()
    snapshot = await graph.aget_state(config) if graph.checkpointer else None
    if snapshot is None or not (snapshot.values or snapshot.next):
        execution_id = config["configurable"]["thread_id"]
        return {"inputs": flow.complete_inputs(inputs or {}), "execution_id": execution_id}, nobody
    if snapshot.values.get("flow_hash") not in (None, flow.hash):
        raise FlowChanged(f"run {config['configurable']['thread_id']} began with another version of '{flow.name}'")
    asked = _open_questions(snapshot)
    answers = _answers_by_path(answer, asked) if answer is not None else {}
    if not answers:
        return None, nobody
    resumed = {asked[path][0]: timestamped_answer(*answer_and_time(each)) for path, each in answers.items()}
    return Command(resume=resumed), frozenset(answers)


def _answers_by_path(answer: Any, asked: Mapping[str, Any]) -> JsonObject:
    """Path → answer, for the open questions. An answer to a closed question was used before a crash."""
    by_path = isinstance(answer, dict) and bool(answer)
    if by_path and (answer.keys() <= asked.keys() or all(map(is_timestamped, answer.values()))):
        return {path: each for path, each in answer.items() if path in asked}
    return dict.fromkeys(asked, answer) if len(asked) == 1 else {}


def _open_questions(snapshot: Any) -> dict[str, tuple[str, Question]]:
    """Path of a step → id of LangGraph's interrupt, and the question. A built-in graph has questions of its own
    form."""
    found: dict[str, tuple[str, Question]] = {}
    for task in snapshot.tasks:
        for each in task.interrupts:
            asked = each.value
            if not (isinstance(asked, dict) and {"step", "question", "form", "expires_at"} <= asked.keys()):
                asked = Question(step=task.name, question=asked, form={}, expires_at=None)
            found[asked["step"]] = (each.id, asked)
    return found


async def _dropped_questions(state: Mapping[str, Any], graph: Graph, config: Any, context: RunContext) -> JsonObject:
    """Questions that need no answer because a step beside them has failed: ids of LangGraph's interrupts → what is
    given instead of an answer. A built-in graph's own questions stay open."""
    if not state.get("__interrupt__") or not context.failed:
        return {}
    asked = _open_questions(await graph.aget_state(config))
    flows = tuple(context.failed)
    return {
        each: NO_ANSWER_NEEDED
        for path, (each, question) in asked.items()
        if path.startswith(flows) and question["form"]
    }


@asynccontextmanager
async def _event_queue(on_event: OnEvent | None, *, inner: bool) -> AsyncIterator[Emit]:
    """A queue that delivers events in order. No step waits for the listener; at the end all events are delivered."""
    queue: asyncio.Queue[Any] = asyncio.Queue()

    def emit(event: Event) -> None:
        if not event.pop("inner", False) or inner:
            queue.put_nowait(event)

    telling = asyncio.create_task(_deliver_events(queue, on_event))
    try:
        yield emit
    finally:
        queue.put_nowait(_END)
        await telling


async def _deliver_events(queue: asyncio.Queue[Any], on_event: OnEvent | None) -> None:
    """Delivers events until the listener fails; the run continues without it."""
    hears = on_event is not None
    while (event := await queue.get()) is not _END:
        if hears and on_event is not None:
            try:
                await on_event(event)
            except Exception:
                logger.exception("whoever hears the events of a run failed")
                hears = False


async def _outcome(
    state: Mapping[str, Any], graph: Graph, config: Any, store: RunStore, taken: frozenset[str]
) -> RunOutcome:
    """The state of the run. Without a checkpointer a run cannot continue after a question."""
    steps = state.get("steps", {})
    waiting: dict[str, Question] = {}
    if (asked := state.get("__interrupt__")) and graph.checkpointer:
        waiting = {path: each for path, (_, each) in _open_questions(await graph.aget_state(config)).items()}
        steps = (await run_progress(graph, config["configurable"]["thread_id"]))["steps"]
    elif asked:
        waiting = {each.value["step"]: each.value for each in asked}
    return RunOutcome(
        "waiting" if waiting else state["status"],
        await load_if_large(state.get("result"), store),
        completed(steps),
        error_log(steps),
        {step: record.get("value") for step, record in steps.items() if record["status"] == "done"},
        waiting,
        state.get("error") or None,
        steps,
        taken,
    )
