"""A checked flow as a LangGraph StateGraph.

LangGraph runs in supersteps: everything in one waits for the slowest. A flow must not, so its steps run inside one
node, `steps`, which starts each as soon as it can; `wait` interrupts for a person and leads back. What Studio and
`flow graph` show are the steps themselves, drawn from the very dependencies they run by.
"""

import operator
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, cast

from langchain_core.runnables.config import RunnableConfig
from langchain_core.runnables.graph import Graph
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from maththera.flows import doing, drawing
from maththera.flows.execution import Execution
from maththera.flows.flow import Flow
from maththera.flows.journal import Journal
from maththera.flows.operations import EvaluationError
from maththera.flows.outcomes import Outcome, RunFailed, StepError, pack
from maththera.flows.sandbox import Sandbox
from maththera.flows.services import Ask, Services
from maththera.flows.shelves import MemoryShelf, Shelf
from maththera.runtime.tools import Tools

STEPS: Final = "steps"
WAIT: Final = "wait"


class FlowState(TypedDict, total=False):
    """Plain JSON. `outputs`: step → value, of the steps that gave one. `waiting`: step → what a person is asked.
    `records`: how each step ended. `flow_hash`: the version that runs, and goes on after a crash."""

    inputs: dict[str, Any]
    outputs: Annotated[dict[str, Any], operator.or_]
    completed_steps: Annotated[list[str], operator.add]
    error_log: Annotated[list[str], operator.add]
    current_step: str | None
    execution_id: str
    flow_name: str
    flow_hash: str
    started_at: str
    records: Annotated[dict[str, Any], operator.or_]
    waiting: dict[str, Any]
    answers: dict[str, Any]
    status: str
    result: dict[str, Any] | None
    error: dict[str, Any] | None


@dataclass(slots=True)
class RunContext:
    """What the runner gives a run beyond its state; without it (in Studio) the state alone is kept."""

    journal: Journal
    emit: Callable[[dict[str, Any]], None]


class FlowGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """Drawn as its steps."""

    flow: Flow

    def get_graph(self, config: RunnableConfig | None = None, *, xray: int | bool = False) -> Graph:  # noqa: ARG002
        return drawing.drawable(self.flow, inside=bool(xray))

    async def aget_graph(self, config: RunnableConfig | None = None, *, xray: int | bool = False) -> Graph:
        return self.get_graph(config, xray=xray)

    def copy(self, update: dict[str, Any] | None = None) -> "FlowGraph":
        own = {name: value for name, value in self.__dict__.items() if name not in ("flow", "__orig_class__")}
        return _drawn(FlowGraph(**{**own, **(update or {})}), self.flow)


def _drawn(graph: FlowGraph, flow: Flow) -> FlowGraph:
    graph.flow = flow
    return graph


class FlowBuilder(StateGraph[Any, Any, Any, Any]):
    """Compiles to a FlowGraph."""

    def __init__(self, flow: Flow) -> None:
        super().__init__(FlowState, context_schema=RunContext)
        self._flow = flow

    def compile(self, *args: Any, **kwargs: Any) -> FlowGraph:
        compiled = super().compile(*args, **{"name": self._flow.name, **kwargs})
        own = {name: value for name, value in compiled.__dict__.items() if name != "__orig_class__"}
        return _drawn(FlowGraph(**own), self._flow)


def compile_flow(  # noqa: PLR0913
    flow: Flow,
    tools: Tools,
    *,
    sandbox: Sandbox | None = None,
    shelf: Shelf | None = None,
    graphs: Mapping[str, Callable[[], CompiledStateGraph[Any, Any, Any, Any]]] | None = None,
    flows: Mapping[str, Flow] | None = None,
    ask: Ask | None = None,
) -> StateGraph[Any, Any, Any, Any]:
    """The graph of a flow, not compiled yet: who runs it brings the checkpointer."""
    services = Services(tools, sandbox or Sandbox(), shelf or MemoryShelf(), graphs or {}, flows or {}, ask)
    return build(flow, services)


def build(flow: Flow, services: Services) -> FlowBuilder:
    graph = FlowBuilder(flow)
    graph.add_node(STEPS, cast("Any", _steps(flow, services)), destinations=(WAIT, END))
    graph.add_node(WAIT, _wait)
    graph.add_edge(START, STEPS)
    graph.add_edge(WAIT, STEPS)
    return graph


async def _wait(state: FlowState) -> dict[str, Any]:
    """For the answers to what is asked: step → answer, or, when only one is asked, the answer itself."""
    asked = state["waiting"]
    answer = interrupt(asked)
    by_step = isinstance(answer, dict) and bool(answer) and set(answer) <= set(asked)
    return {"answers": answer if by_step else dict.fromkeys(asked, answer) if len(asked) == 1 else {}}


Node = Callable[[FlowState, Runtime[RunContext]], Awaitable[Command[str]]]


def _steps(flow: Flow, services: Services) -> Node:
    async def steps(state: FlowState, runtime: Runtime[RunContext]) -> Command[str]:
        context = runtime.context or RunContext(Journal(), runtime.stream_writer)
        context.journal.known.update(state.get("records") or {})
        started = state.get("started_at") or datetime.now(UTC).isoformat()
        execution = Execution(
            state.get("execution_id") or "studio",
            services,
            context.journal,
            datetime.fromisoformat(started),
            context.emit,
            state.get("answers") or {},
            state.get("waiting") or {},
        )
        # a graph begun in Studio is given its inputs as they are; whoever calls run() has had them checked
        names: dict[str, Any] = {"inputs": {each.name: each.default for each in flow.inputs} | state.get("inputs", {})}
        update = await _stretch(flow, execution, names)
        update |= {"started_at": started, "flow_name": flow.name, "flow_hash": flow.hash, "answers": {}}
        known = set(state.get("records") or {})
        update["completed_steps"] = [done for key, done in update["completed_steps"] if key not in known]
        return Command(update=update, goto=WAIT if update["waiting"] else END)

    return steps


async def _stretch(flow: Flow, execution: Execution, names: dict[str, Any]) -> dict[str, Any]:
    """The part of the state that a stretch of the run leaves behind."""
    error: dict[str, Any] | None = None
    outcomes: dict[str, Outcome] = {}
    try:
        outcomes = await execution.block(flow.steps, names)
        result = _result(flow, execution, names) if all(each.final for each in outcomes.values()) else None
    except RunFailed as failure:
        error, result = failure.told(), None
    except StepError as failure:
        error, result = {"step": "outputs", "tool": None, "code": failure.code, "message": failure.message}, None
    await execution.journal.flush()
    ids = [step.id for step in flow.steps]
    records = {key: execution.journal.known[key] for key in ids if key in execution.journal.known}
    waiting = {key: dict(each.waiting) for key, each in outcomes.items() if each.waiting is not None}
    status = "failed" if error else "waiting" if waiting else "completed"
    return {
        "outputs": {key: record["value"] for key, record in records.items() if record["status"] == "done"},
        "records": records,
        "completed_steps": [
            (key, _completed(key, record)) for key, record in records.items() if _completed(key, record)
        ],
        "error_log": execution.log,
        "current_step": error["step"] if error else next(iter(waiting), None),
        "waiting": waiting,
        "status": status,
        "error": error,
        "result": None if result is None else await pack(result, execution.services.shelf, f"{execution.id}:result"),
    }


def _completed(key: str, record: Mapping[str, Any]) -> str:
    status = record["status"]
    return key if status == "done" else f"{key}_skipped" if status in ("skipped", "not_chosen") else ""


def _result(flow: Flow, execution: Execution, names: Mapping[str, Any]) -> dict[str, Any]:
    evaluation = execution.evaluation(names)
    try:
        return {name: value.evaluate(evaluation) for name, value in flow.outputs.items()}
    except EvaluationError as error:
        raise StepError(f"the outputs cannot be worked out: {error}", code="expression") from None


answer_mistakes = doing.answer_mistakes
