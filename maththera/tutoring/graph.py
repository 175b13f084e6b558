"""The tutoring session as one LangGraph StateGraph: nodes and edges, nothing else.

`EDGES` is the whole wiring; both the graph and `InMemoryEngine` are built from it. A `Choice` names every node that it
may lead to, so that the drawing is complete and has no false edge.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from maththera.tutoring import transitions
from maththera.tutoring.diagnosis.posterior import may_ask_model
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.state import Agent, TutoringState, given
from maththera.tutoring.turns.events import event_of_input
from maththera.tutoring.turns.turn import TurnContext, answer_refused, ask_diagnosis, ask_feedback, record

Route = Callable[[Nodes, TutoringState], str]
Action = Callable[..., Awaitable[Update]]


@dataclass(frozen=True, slots=True)
class Choice:
    """A conditional edge: `route` names one of `targets`."""

    route: Route
    targets: tuple[str, ...]


def _enter(nodes: Nodes, state: TutoringState) -> str:
    """A new session begins; a complete state continues; an empty state ends at once."""
    if not state.get("start"):
        return END
    if state.get("task") is None and state.get("current_step") != "ended":
        return "begin"
    return "diagnose" if state.get("event") is not None and answer_refused(state) is None else "await_answer"


def _accept(nodes: Nodes, state: TutoringState) -> str:
    """An invalid input, a repeated request or an event for an old task changes nothing: the session waits on."""
    return "diagnose" if state["event"] is not None and answer_refused(state) is None else "await_answer"


def _after_diagnosis(nodes: Nodes, state: TutoringState) -> str:
    """Competing causes get a probe, an unknown one the model if there is one; the row of the turn says which."""
    row, event = transitions.ROWS[state["row"]], given(state["event"])
    if row.starts_probe:
        return "probe"
    has_model = nodes.models is not None or event.get("llm")
    return "ask_diagnosis" if row.cause_unknown and has_model and may_ask_model(state, nodes.rules) else "adapt"


def _after_asking(nodes: Nodes, state: TutoringState) -> str:
    return "probe" if transitions.ROWS[state["row"]].starts_probe else "adapt"


def _next_on_path(node: str) -> Route:
    """A route to the next node on the row's path; after the last one, to the selection."""

    def route(nodes: Nodes, state: TutoringState) -> str:
        path = given(state["move"])["path"]
        rest = path[path.index(node) + 1 :] if node in path else path
        return rest[0] if rest else "select"

    return route


def _after_selection(nodes: Nodes, state: TutoringState) -> str:
    """An example comes first; without a next task the session is over."""
    if state["example"] is not None:
        return "worked_example"
    return "close" if state["task"] is None else _after_task(nodes, state)


def _after_task(nodes: Nodes, state: TutoringState) -> str:
    """The first task of a session is shown without words."""
    return "feedback" if state.get("event") is not None else "await_answer"


def _after_feedback(nodes: Nodes, state: TutoringState) -> str:
    feedback, event = given(state["feedback"]), given(state["event"])
    if feedback["feedback_text"]:
        return "record"
    return "ask_feedback" if nodes.models is not None or event.get("llm") else "say_safe"


def _after_record(nodes: Nodes, state: TutoringState) -> str:
    """An ended session still waits while the child may choose one of the offered trainings."""
    return END if state["current_step"] == "ended" and not state["offered"] else "await_answer"


EDGES: Final[dict[str, str | Choice]] = {
    START: Choice(_enter, ("begin", "diagnose", "await_answer", END)),
    "begin": "select",
    "await_answer": Choice(_accept, ("diagnose", "await_answer")),
    "diagnose": Choice(_after_diagnosis, ("probe", "ask_diagnosis", "adapt")),
    "ask_diagnosis": Choice(_after_asking, ("probe", "adapt")),
    "probe": "adapt",
    "adapt": Choice(_next_on_path("adapt"), (*transitions.NODES, "select")),
    "route_a": "recovery_loop",
    "route_b": Choice(_next_on_path("route_b"), ("recovery_loop", "training")),
    "recovery_loop": "select",
    "bridge_loop": "select",
    "white_out": "select",
    "refocus": "select",
    "diagnostic_question": "select",
    "training": "select",
    "select": Choice(_after_selection, ("worked_example", "feedback", "close", "await_answer")),
    "worked_example": Choice(_after_task, ("feedback", "await_answer")),
    "close": "feedback",
    "feedback": Choice(_after_feedback, ("record", "ask_feedback", "say_safe")),
    "ask_feedback": "record",
    "say_safe": "record",
    "record": Choice(_after_record, ("await_answer", END)),
}

AGENTS: Final[dict[str, Agent]] = {
    "begin": "analysis",
    "await_answer": "orchestrator",
    "diagnose": "diagnostic",
    "ask_diagnosis": "diagnostic",
    "probe": "diagnostic",
    "adapt": "analysis",
    **dict.fromkeys(transitions.NODES, "analysis"),
    "select": "analysis",
    "worked_example": "analysis",
    "close": "analysis",
    "feedback": "tutor",
    "ask_feedback": "tutor",
    "say_safe": "tutor",
    "record": "orchestrator",
}


def pure_nodes(nodes: Nodes) -> dict[str, Callable[[TutoringState], Update]]:
    """Every node that only computes, each under the learned procedures that its session names."""
    plain = _functions(nodes)

    def run(name: str, state: TutoringState) -> Update:
        own = nodes.under(state)
        return plain[name](state) if own is nodes else _functions(own)[name](state)

    return {name: partial(run, name) for name in plain}


def _functions(nodes: Nodes) -> dict[str, Callable[[TutoringState], Update]]:
    return {
        "begin": nodes.begin,
        "diagnose": nodes.diagnose,
        "probe": nodes.probe,
        "adapt": nodes.adapt,
        **{name: partial(nodes.apply_row, name) for name in transitions.NODES},
        "select": nodes.select,
        "worked_example": nodes.worked_example,
        "close": nodes.close,
        "feedback": nodes.feedback,
        "say_safe": nodes.safe_feedback,
    }


async def await_answer(nodes: Nodes, state: TutoringState, _: Runtime[TurnContext]) -> Update:
    """Waits for the learner's event. Studio sends whatever a person types: invalid input becomes None, and a session
    begun there counts no turns."""
    event = event_of_input(interrupt(state["task"]), nodes.rules.catalogue.observations.keys())
    return {"event": event, "turn": state.get("turn", 0), "last_turn": state.get("last_turn")}


def build(nodes: Nodes) -> StateGraph[TutoringState, TurnContext, TutoringState, TutoringState]:
    """The graph, not compiled yet: the caller brings the checkpointer.

    A node before a `Choice` names its successor itself: LangGraph would copy every channel for a router of its own.
    """
    graph = StateGraph(TutoringState, context_schema=TurnContext)
    actions: dict[str, Action] = {
        **{name: _measured(name, function) for name, function in pure_nodes(nodes).items()},
        "await_answer": partial(await_answer, nodes),
        "ask_diagnosis": partial(ask_diagnosis, nodes),
        "ask_feedback": partial(ask_feedback, nodes),
        "record": partial(record, nodes),
    }
    for name, agent in AGENTS.items():
        target = EDGES[name]
        if isinstance(target, Choice):
            action = _routed(actions[name], target.route, nodes)
            graph.add_node(name, action, metadata={"agent": agent}, destinations=target.targets)
        else:
            graph.add_node(name, actions[name], metadata={"agent": agent})
            graph.add_edge(name, target)
    entry = cast("Choice", EDGES[START])
    graph.add_conditional_edges(START, _in_loop(entry.route, nodes), list(entry.targets))
    return graph


def _routed(action: Action, route: Route, nodes: Nodes) -> Callable[..., Awaitable[Command[str]]]:
    """A node that also returns its successor, chosen by the state after its update."""

    async def node(state: TutoringState, runtime: Runtime[TurnContext]) -> Command[str]:
        update = await action(state, runtime)
        return Command(update=update, goto=route(nodes, cast("TutoringState", {**state, **update})))

    return node


def _in_loop(route: Route, nodes: Nodes) -> Callable[[TutoringState], Awaitable[str]]:
    """An async router: LangGraph would run a plain function in a thread, at 0.3 ms each."""

    async def router(state: TutoringState) -> str:
        return route(nodes, state)

    return router


def _measured(name: str, function: Callable[[TutoringState], Update]) -> Action:
    """A pure function as a node: its time goes into the turn's trace."""

    async def node(state: TutoringState, runtime: Runtime[TurnContext]) -> Update:
        context: Any = runtime.context
        if context is None:
            return function(state)
        with context.stage(name):
            return function(state)

    return node
