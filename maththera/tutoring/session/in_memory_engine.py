"""Runs the nodes and edges of the graph in a plain loop: for replays, rebuilds and simulations.

It has no checkpointer and never waits: one call is one turn. A model's replies come from the event (`event["llm"]`).
"""

from typing import Any, cast

from langgraph.graph import START

from maththera.tutoring.graph import EDGES, Choice, pure_nodes
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.state import Event, TutoringState
from maththera.tutoring.turns.model_requests import SuspectedCauses, WrittenFeedback, reply_from_record
from maththera.tutoring.turns.turn import (
    TurnContext,
    diagnosis_update,
    feedback_update,
    finish_turn,
    recorded_model_call,
)


class InMemoryEngine:
    """Runs sessions in memory."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._pure = pure_nodes(nodes)

    def begin(self, start: dict[str, Any]) -> TutoringState:
        """The state of a new session, with its first task shown."""
        state = cast("TutoringState", {"start": start, "event": None, "turn": 0, "last_turn": None})
        return self._run(state, TurnContext())

    def turn(self, state: TutoringState, event: Event, context: TurnContext | None = None) -> TutoringState:
        """The state after `event`, which must fit the state; the finished turn is left in `context`."""
        return self._run({**state, "event": event}, context or TurnContext())

    def _run(self, state: TutoringState, context: TurnContext) -> TutoringState:
        node = self._next(START, state)
        while node in self._pure or node in ("record", "ask_diagnosis", "ask_feedback"):
            state = cast("TutoringState", {**state, **self._visit(node, state, context)})
            node = self._next(node, state)
        return state

    def _visit(self, node: str, state: TutoringState, context: TurnContext) -> Update:
        if node in self._pure:
            return self._pure[node](state)
        if node == "record":
            return finish_turn(self._nodes, state, context)
        if node == "ask_diagnosis":
            said = recorded_model_call(state, "diagnosis")
            return (
                diagnosis_update(self._nodes, state, reply_from_record(said, SuspectedCauses), context) if said else {}
            )
        said = recorded_model_call(state, "feedback")
        if said is None:
            return self._nodes.safe_feedback(state)
        return feedback_update(self._nodes, state, reply_from_record(said, WrittenFeedback), context)

    def _next(self, node: str, state: TutoringState) -> str:
        edge = EDGES[node]
        return edge.route(self._nodes, state) if isinstance(edge, Choice) else edge
