"""A checked flow as a LangGraph StateGraph: one node for each step, under its id.

Every node runs. A step whose condition is false, or that was not chosen, only records this, so that joins always fire.
A step that fails for good writes `error`, and the nodes after it do nothing. Before the steps, `flow.inputs` begins a
new run and clears the thread's state; after them, `flow.outputs` computes the result.
"""

from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Final, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Overwrite

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.language.expression_evaluation import Evaluation, EvaluationError
from maththera.flows.language.flow_schema import GraphStep
from maththera.flows.runs.parallel_branches import Branch, Unit, direct, units
from maththera.flows.runs.run_context import RUN, RunContext
from maththera.flows.runs.run_store import RunStore
from maththera.flows.runs.step_actions import QuestionDropped
from maththera.flows.runs.step_outcomes import (
    Ended,
    FlowState,
    RunError,
    StepError,
    StepFailed,
    StepOutcome,
    StepRecord,
    completed,
    error_log,
    load_if_large,
    outcome_of,
    step_record,
    store_if_large,
)
from maththera.flows.runs.step_runner import StepRunner
from maththera.flows.runs.step_services import CalledGraph, StepServices
from maththera.json_types import JsonObject

INPUTS_NODE: Final = "flow.inputs"
OUTPUTS_NODE: Final = "flow.outputs"
OTHERWISE: Final = "그 밖에"
ON_FAILURE: Final = "실패하면"
_LONGEST_LABEL: Final = 40

Builder = StateGraph[Any, Any, Any, Any]
Node = Callable[[FlowState, RunnableConfig], Awaitable[Ended]]


def compile_flow(flow: Flow, services: StepServices) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The compiled graph of a flow without a checkpointer, which LangGraph's server or the calling graph provides."""
    return build(flow, services).compile(name=flow.name)


def build(flow: Flow, services: StepServices) -> Builder:
    """The graph of a flow before `compile`, which gets the checkpointer."""
    services = replace(services, called=cache(partial(_called_graph, services)))
    graph: Builder = StateGraph(FlowState)
    graph.add_node(INPUTS_NODE, _inputs_node(flow))
    graph.add_node(OUTPUTS_NODE, cast("Any", _outputs_node(flow, services)))
    graph.add_edge(START, INPUTS_NODE)
    graph.add_edge(OUTPUTS_NODE, END)
    _add_units(graph, _NodeFactory(flow, services), units(flow.steps), INPUTS_NODE, OUTPUTS_NODE)
    return graph


def _called_graph(services: StepServices, name: str) -> CalledGraph:
    """The graph of another flow, or a built-in one; raises StepError for an unknown name."""
    if (flow := services.flows.get(name)) is not None:
        others = {other: each for other, each in services.flows.items() if other != name}
        return cast("CalledGraph", build(flow, replace(services, flows=others)).compile(name=name))
    if name not in services.graphs:
        raise StepError(f"there is no graph '{name}'", code="graph")
    return cast("CalledGraph", services.graphs[name]())


class _NodeFactory:
    """Makes the nodes of a flow."""

    def __init__(self, flow: Flow, services: StepServices) -> None:
        self.flow, self.services = flow, services
        self.ways = conditional_ways(flow.steps)
        self._owner = {step.result: step.id for step in flow.steps}

    async def names(self, roots: frozenset[str], state: FlowState, store: RunStore) -> JsonObject:
        """The values that expressions read: the inputs, and the results by the name of the output."""
        found: JsonObject = {"inputs": state.get("inputs", {})}
        steps = state.get("steps", {})
        for root in roots & self._owner.keys():
            record = steps.get(self._owner[root])
            found[root] = None if record is None else await load_if_large(record.get("value"), store)
        return found

    def node(self, step: FlowStep) -> Node:
        """The node of a step. LangGraph looks for a called graph among the variables of a node's function; a step that
        calls none is an object instead, which LangGraph does not search."""
        called = self._called(step)
        if called is None:
            return _StepNode(self, step)

        async def node(state: FlowState, config: RunnableConfig) -> Ended:
            return await self.run(step, state, config, called)

        return node

    def _called(self, step: FlowStep) -> CalledGraph | None:
        """The compiled graph that a step calls. None where the flow calls none, or where it does not exist, which fails
        the step."""
        if not isinstance(step.fields, GraphStep):
            return None
        try:
            return self.services.called(step.fields.graph)
        except StepError:
            return None

    async def run(self, step: FlowStep, state: FlowState, config: RunnableConfig, called: CalledGraph | None) -> Ended:
        """The update of the state by a step. A step that needs one without a record does nothing: that one was stopped,
        because a step of another branch has failed, which this branch does not know."""
        if state.get("error") or step.needs - state.get("steps", {}).keys():
            return {}
        context = run_context(config, self.services)
        flow = state.get("path", "")
        work = self._record(step, state, context, called)
        try:
            ended = await (context.stoppable(flow, work) if step.repeatable else work)
        except QuestionDropped:
            ended = None
        if ended is None:
            return {}
        record, error = ended
        if error is not None:
            context.stop(flow)
            return {"steps": {step.id: record}, "error": error}
        return {"steps": {step.id: record}}

    async def _record(
        self, step: FlowStep, state: FlowState, context: RunContext, called: CalledGraph | None
    ) -> tuple[StepRecord, RunError | None]:
        steps = state.get("steps", {})
        before = {need: outcome_of(steps[need]) for need in step.needs}
        now = datetime.fromisoformat(state["started_at"])
        runs = StepRunner(context, self.services, now, state.get("path", ""), called, self.flow.name)
        step_run = runs.step_run(step, step.id, {})
        try:
            step_run.names = await self.names(step.roots, state, context.store)
            return (await runs.outcome_and_record(step_run, before))[1], None
        except StepFailed as failure:
            told = failure.as_json()
        except StepError as error:  # a large result has expired
            told = StepFailed(step.id, error).as_json()
        outcome = StepOutcome("failed", reason=told["message"])
        return await step_record(outcome, step_run.trace, step.kind, context.store, step_run.path), told


@dataclass(frozen=True, slots=True)
class _StepNode:
    steps: _NodeFactory
    step: FlowStep

    async def __call__(self, state: FlowState, config: RunnableConfig) -> Ended:
        return await self.steps.run(self.step, state, config, None)


def run_context(config: RunnableConfig, services: StepServices) -> RunContext:
    """The context that the runner gives to a run. Studio gives none: there each execution of a node gets a store of its
    own, which lasts as long as the process. Large results stay in the state, where the next node, a fork and a server
    that was started again find them."""
    context = RUN.get()
    if context is None:
        context = RunContext(services.memory.of(str(config["configurable"].get("checkpoint_ns")), takes_large=False))
        RUN.set(context)
    return context


# --- nodes and edges --------------------------------------------------------------------------------------------------


def _add_units(graph: Builder, steps: _NodeFactory, parts: Sequence[Unit], first: str, last: str) -> None:
    """Adds the nodes of a flow or of a branch, between a first and a last node."""
    inside = {_name(part): part.steps if isinstance(part, Branch) else (part,) for part in parts}
    node_of = {step.id: name for name, own in inside.items() for step in own}
    needs = direct(
        {
            name: {node_of[need] for step in own for need in step.needs & node_of.keys()} - {name}
            for name, own in inside.items()
        }
    )
    for part in parts:
        if isinstance(part, Branch):
            graph.add_node(part.name, _branch(part, steps))
        else:
            # LangGraph would work the schema out from the annotations, for each node anew.
            node = cast("Any", steps.node(part))
            graph.add_node(part.id, node, metadata=node_metadata(part), input_schema=FlowState)
    chosen = {
        name: {node_of.get(target, END): label for target, label in steps.ways[name].items()}
        for name, part in zip(inside, parts, strict=True)
        if isinstance(part, FlowStep)
    }
    for name, before in needs.items():
        if len(before) > 1:
            graph.add_edge(before, name)
        elif name not in chosen.get(before[0], {}) if before else True:
            graph.add_edge(before[0] if before else first, name)
    for name, ways in chosen.items():
        alone = {node for node in ways if node == END or needs[node] == [name]}
        drawn = {node: label for node, label in ways.items() if node in alone or name not in needs[node]}
        if drawn:
            _add_conditional_edges(graph, name, drawn, alone)
    followed = {need for before in needs.values() for need in before}
    ends = [name for name in inside if name not in followed]
    graph.add_edge(ends if len(ends) > 1 and last != END else ends[0], last)


def _name(part: Unit) -> str:
    return part.name if isinstance(part, Branch) else part.id


def _branch(branch: Branch, steps: _NodeFactory) -> CompiledStateGraph[Any, Any, Any, Any]:
    graph: Builder = StateGraph(FlowState, output_schema=Ended)
    _add_units(graph, steps, branch.units, START, END)
    return graph.compile(name=branch.name)


def node_metadata(step: FlowStep) -> JsonObject:
    """The metadata of a step's node."""
    found: JsonObject = {"name": step.title, "kind": step.kind}
    return found | ({"condition": step.condition.source} if step.condition is not None else {})


def labelled_targets(step: FlowStep) -> dict[str, str]:
    """The steps that a step may lead to → the condition, as its author wrote it."""
    ways: dict[str, list[str]] = {}
    for way in step.ways:
        ways.setdefault(way.to, []).append(shortened_label(way.when.source) if way.when is not None else OTHERWISE)
    if step.on_error is not None and step.on_error.goto is not None:
        ways.setdefault(step.on_error.goto, []).append(ON_FAILURE)
    return {target: " / ".join(labels) for target, labels in ways.items()}


def conditional_ways(steps: Sequence[FlowStep]) -> dict[str, dict[str, str]]:
    """Step → the steps to which it leads on a condition, or the end → the condition. A step that only leads on where it
    is chosen or fails leads otherwise to what else needs it, or to the end."""
    needs = {step.id: step.needs for step in steps}
    follows: dict[str, set[str]] = {step.id: set() for step in steps}
    for name, before in direct(needs).items():
        for need in before:
            follows[need].add(name)
    found = {}
    for step in steps:
        targets = labelled_targets(step)
        ways = {target if target in needs else END: label for target, label in targets.items()}
        sure = any(way.when is None for way in step.ways)
        if ways and not sure and follows[step.id] <= ways.keys():
            others = [name for name, own in needs.items() if step.id in own and name not in ways]
            for target in others or [END]:
                ways.setdefault(target, OTHERWISE)
        found[step.id] = ways
    return found


def shortened_label(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _add_conditional_edges(graph: Builder, name: str, ways: Mapping[str, str], followed: Container[str]) -> None:
    """Adds the ways of a step as conditional edges. All that are `followed` are followed: a step on a way that was not
    chosen records this, so that joins fire. The others are only drawn: their steps begin after a later one."""
    labels = {
        f"{label} ({node})" if list(ways.values()).count(label) > 1 else label: node for node, label in ways.items()
    }
    taken = [label for label, node in labels.items() if node in followed]

    def route(_: FlowState) -> list[str]:
        return taken

    graph.add_conditional_edges(name, route, cast("Any", labels))


# --- the beginning and the end ----------------------------------------------------------------------------------------


def _inputs_node(flow: Flow) -> Any:
    async def begin(state: FlowState, config: RunnableConfig) -> JsonObject:
        """The update that begins a new run and clears the one before. Raises InputError for inputs that do not fit."""
        return {
            "inputs": flow.complete_inputs(state.get("inputs") or {}),
            "path": state.get("path", ""),
            "execution_id": state.get("execution_id") or str(config["configurable"].get("thread_id", "")),
            "flow_name": flow.name,
            "flow_hash": flow.hash,
            "started_at": state.get("started_at") or datetime.now(UTC).isoformat(),
            "steps": Overwrite({}),
            "error": Overwrite({}),
            "status": "running",
            "result": None,
            "outputs": {},
            "completed_steps": [],
            "error_log": [],
            "current_step": None,
        }

    return begin


def _outputs_node(flow: Flow, services: StepServices) -> Any:
    shared = _NodeFactory(flow, services)

    async def end(state: FlowState, config: RunnableConfig) -> JsonObject:
        store = run_context(config, services).store
        steps, error, result = state.get("steps", {}), state.get("error"), None
        if not error:
            try:
                result = await _result(flow, shared, state, store)
            except (EvaluationError, StepError) as failure:
                reason = f"the outputs cannot be worked out: {failure}"
                error = RunError(step="outputs", tool=None, code="expression", message=reason)
        return {
            "status": "failed" if error else "completed",
            "error": error or {},
            "result": result,
            "outputs": {step: record.get("value") for step, record in steps.items() if record["status"] == "done"},
            "completed_steps": completed(steps),
            "error_log": error_log(steps),
            "current_step": error["step"] if error else None,
        }

    return end


async def _result(flow: Flow, shared: _NodeFactory, state: FlowState, store: RunStore) -> Any:
    roots = frozenset().union(*(value.roots for value in flow.outputs.values()))
    names = await shared.names(roots, state, store)
    evaluation = Evaluation(names, datetime.fromisoformat(state["started_at"]))
    result = {name: value.evaluate(evaluation) for name, value in flow.outputs.items()}
    path = state.get("path", "")
    return result if path else await store_if_large(result, store, f"{path}flow result")
