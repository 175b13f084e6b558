"""The lesson as one LangGraph StateGraph: six agents, the learner, and what becomes of a completed session."""

from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from maththera.lessons.agents import Agents
from maththera.lessons.content import LessonContent
from maththera.lessons.context import LessonContext
from maththera.lessons.sessions import Sessions, conversation_record
from maththera.lessons.state import LessonState
from maththera.lessons.supervisor import Supervisor
from maththera.lessons.writing import Writer
from maththera.words.safety import Safety


def build(
    content: LessonContent, safety: Safety, writer: Writer
) -> StateGraph[LessonState, LessonContext, LessonState, LessonState]:
    """The graph, not compiled yet: who runs it brings the checkpointer."""
    agents, sessions = Agents(content, writer), Sessions(content, safety)

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
    graph.add_node("open_lesson", sessions.open_lesson)
    graph.add_node("save_session", sessions.save_session)
    graph.add_node("summarise_session", sessions.summarise_session)
    graph.add_node("reset_session", sessions.reset_session)
    graph.add_edge(START, "open_lesson")
    graph.add_edge("open_lesson", "session_manager")
    graph.add_edge("learner", "learning_supervisor")
    graph.add_edge("save_session", "summarise_session")
    graph.add_edge("summarise_session", "reset_session")
    graph.add_edge("reset_session", "session_manager")
    return graph
