"""The lesson as one LangGraph StateGraph: six agents, the learner, and what becomes of a completed session."""

from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from maththera.lessons.agents import Agents
from maththera.lessons.content import LessonContent
from maththera.lessons.context import LessonContext
from maththera.lessons.sessions import Sessions, conversation_record, learner
from maththera.lessons.state import LessonState
from maththera.lessons.supervisor import Supervisor
from maththera.lessons.writing import Writer


def build(content: LessonContent, writer: Writer) -> StateGraph[LessonState, LessonContext, LessonState, LessonState]:
    """The graph, not compiled yet: who runs it brings the checkpointer."""
    agents, sessions = Agents(content, writer), Sessions(content)

    async def session_manager(
        state: LessonState, runtime: Runtime[LessonContext]
    ) -> Command[Literal["learning_supervisor", "save_session"]]:
        update = agents.session_manager(state, runtime)
        return Command(update=update, goto="save_session" if "completing" in update else "learning_supervisor")

    graph = StateGraph(LessonState, context_schema=LessonContext)
    graph.add_node(session_manager)
    graph.add_node("learning_supervisor", Supervisor(content))
    for name in ("theory_educator", "quiz_generator", "evaluation_feedback_agent", "qna_resolver"):
        graph.add_node(name, getattr(agents, name))
        graph.add_edge(name, "learning_supervisor")
    graph.add_node(conversation_record)
    graph.add_node(learner)
    for name in ("open_lesson", "save_session", "summarise_session", "reset_session"):
        graph.add_node(name, getattr(sessions, name))
    graph.add_edge(START, "open_lesson")
    graph.add_edge("open_lesson", "session_manager")
    graph.add_edge("learner", "learning_supervisor")
    graph.add_edge("save_session", "summarise_session")
    graph.add_edge("summarise_session", "reset_session")
    graph.add_edge("reset_session", "session_manager")
    return graph
