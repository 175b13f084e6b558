"""The same nodes and edges as the graph, driven by a plain loop: replays, rebuilds and simulations.

No checkpointer, no waiting: one call is one turn. What a model said comes from the event's record (`event["llm"]`).
"""

from typing import Any, cast

from langgraph.graph import START

from maththera.tutoring.assistant import SuspectedCauses, WrittenFeedback, from_record
from maththera.tutoring.graph import EDGES, Choice, pure_nodes
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.state import Event, TutoringState
from maththera.tutoring.turn import TurnContext, recorded, settle, suspect, written


class Engine:
    """Runs sessions in memory."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._pure = pure_nodes(nodes)

    def begin(self, start: dict[str, Any]) -> TutoringState:
        """A session with its first task shown."""
        state = cast("TutoringState", {"start": start, "event": None, "turn": 0, "last_turn": None})
        return self._run(state, TurnContext())

    def turn(self, state: TutoringState, event: Event, context: TurnContext | None = None) -> TutoringState:
        """The state after `event`, which must not be refused; the finished turn is left in `context`."""
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
            return settle(self._nodes, state, context)
        if node == "ask_diagnosis":
            said = recorded(state, "diagnosis")
            return suspect(self._nodes, state, from_record(said, SuspectedCauses), context) if said else {}
        said = recorded(state, "feedback")
        if said is None:
            return self._nodes.say_safe(state)
        return written(self._nodes, state, from_record(said, WrittenFeedback), context)

    def _next(self, node: str, state: TutoringState) -> str:
        edge = EDGES[node]
        return edge.route(self._nodes, state) if isinstance(edge, Choice) else edge
