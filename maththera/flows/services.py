"""What steps need from outside: tools, sandbox, models, other graphs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver

from maththera.flows.flow import Flow
from maththera.flows.sandbox import Sandbox
from maththera.flows.shelves import MemoryShelf, Shelf
from maththera.runtime.tools import Tools

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph


class Ask(Protocol):
    """A prompt file, answered by a model as JSON that fits `schema`. Whatever it raises fails the step."""

    async def __call__(
        self, prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]
    ) -> dict[str, Any]: ...


@dataclass(slots=True)
class Services:
    """`graphs` are built-in ones by name, `flows` other flows that a graph step may run."""

    tools: Tools
    sandbox: Sandbox = field(default_factory=Sandbox)
    shelf: Shelf = field(default_factory=MemoryShelf)
    graphs: "Mapping[str, Callable[[], CompiledStateGraph[Any, Any, Any, Any]]]" = field(default_factory=dict)
    flows: Mapping[str, Flow] = field(default_factory=dict)
    ask: Ask | None = None
    checkpointer: BaseCheckpointSaver[Any] | None = None
