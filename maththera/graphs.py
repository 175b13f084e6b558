"""The built-in graphs by name: what Studio, the API and flows know them by.

None has a checkpointer; who runs one brings it. Each imports what it needs when it is made, so that its name alone
costs nothing.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from maththera.settings import home

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

Made: TypeAlias = "CompiledStateGraph[Any, Any, Any, Any]"


def tutoring() -> Made:
    """The tutoring session, without a model and without records."""
    from maththera.tutoring.graph import build
    from maththera.tutoring.nodes import Nodes
    from maththera.tutoring.rules import load_rules

    return build(Nodes(load_rules(home()))).compile(name="tutoring")


def chat() -> Made:
    """Coach and assistant, without a model and about no learner."""
    from maththera.arithmetic.bank import Bank
    from maththera.chat.opening import drawn
    from maththera.learners.database import Database
    from maththera.settings import Settings
    from maththera.words.safety import Safety

    settings, bank = Settings.from_environment(), Bank.load(home() / "configs" / "problem_bank.csv")
    safety = Safety.alone(home(), settings.country)
    return drawn(home(), safety, bank, Database(settings.database_url)).compile(name="chat")


def lesson() -> Made:
    """The six-agent lesson, without a model and without records."""
    from maththera.lessons.content import LessonContent
    from maththera.lessons.graph import build
    from maththera.lessons.writing import Writer
    from maththera.settings import Settings
    from maththera.words.gate import load_gate
    from maththera.words.safety import Safety

    content, safety = LessonContent.load(home()), Safety.alone(home(), Settings.from_environment().country)
    writer = Writer(None, content.config.models, load_gate(home()))
    return build(content, safety, writer).compile(name="lesson")


GRAPHS: Final[Mapping[str, Callable[[], Made]]] = {"tutoring": tutoring, "chat": chat, "lesson": lesson}
