"""The built-in graphs by name: what Studio, the API and flows know them by.

None has a checkpointer; who runs one brings it. Each imports what it needs when it is made, so that its name alone
costs nothing.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from maththera.flows.checker.call_checks import Callee
from maththera.settings import home

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from maththera.runtime.graph_input import GraphInput

CompiledGraph: TypeAlias = "CompiledStateGraph[Any, Any, Any, Any]"


def tutoring() -> CompiledGraph:
    """The tutoring session, without a model and without records."""
    from maththera.runtime.graph_input import validate_input
    from maththera.tutoring.content.session_rules import load_rules
    from maththera.tutoring.graph import build
    from maththera.tutoring.graph_input import SessionInput, first_state
    from maththera.tutoring.nodes import Nodes

    rules = load_rules(home())
    graph = build(Nodes(rules)).compile(name="tutoring")
    return validate_input(graph, SessionInput, lambda wanted: first_state(wanted, rules))


def chat() -> CompiledGraph:
    """Coach and assistant, without a model and about no learner."""
    from maththera.arithmetic.problem_bank import Bank
    from maththera.chat.composition import studio_chat_graph
    from maththera.chat.graph_input import ChatInput, initial_state
    from maththera.runtime.graph_input import validate_input
    from maththera.settings import Settings
    from maththera.store.database import Database
    from maththera.words.danger.message_safety import MessageSafety

    settings, bank = Settings.from_environment(), Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")
    safety = MessageSafety.alone(home(), settings.country)
    graph = studio_chat_graph(home(), safety, bank, Database(settings.database_url)).compile(name="chat")
    return validate_input(graph, ChatInput, initial_state)


def lesson() -> CompiledGraph:
    """The six-agent lesson, without a model and without records."""
    from maththera.lessons.agents.model_drafts import DraftWriter
    from maththera.lessons.content import LessonContent
    from maththera.lessons.graph import build
    from maththera.lessons.lesson_requests import LessonInput, opened_lesson
    from maththera.runtime.graph_input import validate_input
    from maththera.settings import Settings
    from maththera.words.danger.message_safety import MessageSafety
    from maththera.words.output_gate.text_gate import load_gate

    content, safety = LessonContent.load(home()), MessageSafety.alone(home(), Settings.from_environment().country)
    writer = DraftWriter(None, content.config.models, load_gate(home()))
    return validate_input(
        build(content, safety, writer).compile(name="lesson"),
        LessonInput,
        lambda wanted: opened_lesson(wanted, content),
    )


GRAPHS: Final[Mapping[str, Callable[[], CompiledGraph]]] = {"tutoring": tutoring, "chat": chat, "lesson": lesson}


@cache
def callees() -> Mapping[str, Callee]:
    """What the built-in graphs take from the flows that call them."""
    from maththera.chat.graph_input import ChatInput
    from maththera.lessons.lesson_requests import LessonInput
    from maththera.tutoring.graph_input import SessionInput

    models: dict[str, type[GraphInput]] = {"tutoring": SessionInput, "chat": ChatInput, "lesson": LessonInput}
    return {
        name: Callee(model.model_json_schema(), kind="graph", one_of=model.one_of) for name, model in models.items()
    }
