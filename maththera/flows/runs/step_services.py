"""The services that steps call: tools, sandbox, models, other graphs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import BaseModel, ConfigDict

from maththera.flows.flow import Flow
from maththera.flows.runs.blob_store import BlobStore, MemoryBlobs
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.run_store import MemoryRunStores
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import ToolCaller

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from maththera.llm.model_client import Models


class AskModel(Protocol):
    """Answers a prompt file by a model, with JSON that fits `schema`. An exception fails the step."""

    async def __call__(self, prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]) -> JsonObject: ...


@dataclass(slots=True)
class StepServices:
    """`graphs`: built-in graphs by name; `flows`: other flows that a graph step may run; `memory`: stores of runs
    without Redis."""

    tools: ToolCaller
    sandbox: Sandbox = field(default_factory=Sandbox)
    blobs: BlobStore = field(default_factory=MemoryBlobs)
    graphs: "Mapping[str, Callable[[], CompiledStateGraph[Any, Any, Any, Any]]]" = field(default_factory=dict)
    flows: Mapping[str, Flow] = field(default_factory=dict)
    ask: AskModel | None = None
    memory: MemoryRunStores = field(default_factory=MemoryRunStores)


class _AnyObject(BaseModel):
    model_config = ConfigDict(extra="allow")


def ask_with_models(models: "Models") -> AskModel | None:
    """Asks the configured models for any JSON object; the step checks it by its own schema. None without a model. The
    budgets are those of `llm.yaml`, a step's own `timeout` beside them."""
    if not models.available:
        return None

    async def ask(prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]) -> JsonObject:  # noqa: ARG001
        reply = await models.ask(prompt, variables, _AnyObject, models.budget())
        return reply.value.model_dump()

    return ask
