"""Name → graph: what Studio, the API and flows know graphs by. None has a checkpointer; who runs one brings it."""

from typing import Any

from langgraph.graph.state import CompiledStateGraph

from maththera.settings import home
from maththera.tutoring.graph import build
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.rules import load_rules


def tutoring() -> CompiledStateGraph[Any, Any, Any, Any]:
    """The tutoring session, without a model and without records."""
    return build(Nodes(load_rules(home()))).compile(name="tutoring")
