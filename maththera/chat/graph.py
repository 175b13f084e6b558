"""The chat as one LangGraph StateGraph: nodes and edges, nothing else. The profile decides after the guard.

Coach: guard → intent → act ⇄ tools → chart → answer. Assistant: guard → route → run_tool ⇄ fallback → levels, which may
lead to the next tool of a pipeline. Out of scope, both decline.
"""

from typing import TypeAlias

from langgraph.graph import END, START, StateGraph

from maththera.chat.assistant.assistant_nodes import AssistantNodes
from maththera.chat.coach.coach_nodes import CoachNodes
from maththera.chat.messages.shared_nodes import SharedNodes
from maththera.chat.messages.turn_context import TurnContext
from maththera.chat.state import ChatState

Graph: TypeAlias = StateGraph[ChatState, TurnContext, ChatState, ChatState]


def build(nodes: SharedNodes, coach: CoachNodes, assistant: AssistantNodes) -> Graph:
    """To be compiled with a checkpointer or without."""
    graph = StateGraph(ChatState, TurnContext)
    for node in (nodes.recall, nodes.guard, coach.decline, nodes.remember):
        graph.add_node(node.__name__, node)
    for node in (coach.intent, coach.act, coach.tools, coach.chart, coach.answer):
        graph.add_node(node.__name__, node)
    for node in (assistant.route, assistant.run_tool, assistant.fallback, assistant.levels):
        graph.add_node(node.__name__, node)

    graph.add_edge(START, "recall")
    graph.add_edge("recall", "guard")
    graph.add_conditional_edges("guard", nodes.after_guard)
    graph.add_edge("decline", "remember")

    graph.add_conditional_edges("intent", coach.after_intent)
    graph.add_conditional_edges("act", coach.after_act)
    graph.add_edge("tools", "act")
    graph.add_edge("chart", "answer")
    graph.add_edge("answer", "remember")

    graph.add_edge("route", "run_tool")
    graph.add_conditional_edges("run_tool", assistant.after_tool)
    graph.add_conditional_edges("fallback", assistant.after_fallback)
    graph.add_conditional_edges("levels", assistant.after_levels)

    graph.add_edge("remember", END)
    return graph
