"""The lesson as one LangGraph StateGraph: six agents, the learner, and what becomes of a completed session."""

from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from maththera.lessons.agents.agent_nodes import Agents
from maththera.lessons.agents.model_drafts import DraftWriter
from maththera.lessons.agents.session_nodes import SessionNodes, conversation_record
from maththera.lessons.agents.supervisor import Supervisor
from maththera.lessons.content import LessonContent
from maththera.lessons.state import LessonState, waits_for_learner
from maththera.lessons.turn_context import LessonContext
from maththera.words.danger.message_safety import MessageSafety


def build(
    content: LessonContent, safety: MessageSafety, writer: DraftWriter
) -> StateGraph[LessonState, LessonContext, LessonState, LessonState]:
    """The graph, not compiled yet: who runs it brings the checkpointer."""
    agents, sessions = Agents(content, writer), SessionNodes(content, safety)

    async def session_manager(
        state: LessonState, runtime: Runtime[LessonContext]
    ) -> Command[Literal["learning_supervisor", "save_session"]]:
        update = agents.session_manager(state, runtime)
        return Command(update=update, goto="save_session" if "completing" in update else "learning_supervisor")

    graph = StateGraph(LessonState, context_schema=LessonContext)
    graph.add_node(session_manager)
    graph.add_node("learning_supervisor", Supervisor(content))
    graph.add_node("theory_educator", agents.theory_educator)
    graph.add_node("quiz_generator", agents.quiz_generator)
    graph.add_node("evaluation_feedback_agent", agents.evaluation_feedback_agent)
    graph.add_node("qna_resolver", agents.qna_resolver)
    for name in ("theory_educator", "quiz_generator", "evaluation_feedback_agent", "qna_resolver"):
        graph.add_edge(name, "learning_supervisor")
    graph.add_node(conversation_record)
    graph.add_node("learner", sessions.learner)
    graph.add_node("save_session", sessions.save_session)
    graph.add_node("summarise_session", sessions.summarise_session)
    graph.add_node("reset_session", sessions.reset_session)
    graph.add_conditional_edges(START, _opened)
    graph.add_edge("learner", "learning_supervisor")
    graph.add_edge("save_session", "summarise_session")
    graph.add_edge("summarise_session", "reset_session")
    graph.add_edge("reset_session", "session_manager")
    return graph


def _opened(state: LessonState) -> Literal["session_manager", "learner"]:
    """Where a lesson begins: one restored from the records waits where it stood."""
    return "learner" if waits_for_learner(state) else "session_manager"
