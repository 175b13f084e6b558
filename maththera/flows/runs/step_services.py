"""The services that steps call: tools, sandbox, models, other graphs, and a store of cached results."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from pydantic import BaseModel, ConfigDict
from redis.asyncio import Redis

from maththera.flows.flow import Flow
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.run_store import MemoryRunStores
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import ToolCaller

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

    from maththera.llm.model_client import Models

BLOB_PREFIX: Final = "maththera:flow:"
_MOST: Final = 2_000  # entries of a store in memory


class BlobStore(Protocol):
    """Bytes by name, kept for a number of seconds."""

    async def get(self, name: str) -> bytes | None: ...

    async def put(self, name: str, value: bytes, seconds: int) -> None: ...


class MemoryBlobs:
    """A store in memory: for runs on the command line, and tests."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[float, bytes]] = {}

    async def get(self, name: str) -> bytes | None:
        until, value = self._held.get(name, (0.0, b""))
        return value if until > time.monotonic() else None

    async def put(self, name: str, value: bytes, seconds: int) -> None:
        self._held.pop(name, None)
        self._held[name] = (time.monotonic() + seconds, value)
        while len(self._held) > _MOST:
            del self._held[next(iter(self._held))]


class RedisBlobs:
    """A store in Redis, for the service: keys `maththera:flow:…` with a TTL."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def get(self, name: str) -> bytes | None:
        found = await self._redis.get(BLOB_PREFIX + name)
        return found.encode() if isinstance(found, str) else found

    async def put(self, name: str, value: bytes, seconds: int) -> None:
        await self._redis.set(BLOB_PREFIX + name, value, ex=seconds)


class AskModel(Protocol):
    """Answers a prompt file by a model, with JSON that fits `schema`. An exception fails the step."""

    async def __call__(self, prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]) -> JsonObject: ...


class CalledGraph(Protocol):
    """A compiled graph that a step runs."""

    async def ainvoke(self, given: Any, /) -> Any: ...


def _not_compiled(name: str) -> CalledGraph:
    raise LookupError(f"'{name}' is called by a step of a flow that was not compiled")


@dataclass(slots=True)
class StepServices:
    """`graphs`: built-in graphs by name; `flows`: other flows that a graph step may run; `memory`: stores of runs
    without Redis. `called`: what compiles one of these graphs, given by the compiler of the flow that calls it."""

    tools: ToolCaller
    sandbox: Sandbox = field(default_factory=Sandbox)
    blobs: BlobStore = field(default_factory=MemoryBlobs)
    graphs: "Mapping[str, Callable[[], CompiledStateGraph[Any, Any, Any, Any]]]" = field(default_factory=dict)
    flows: Mapping[str, Flow] = field(default_factory=dict)
    ask: AskModel | None = None
    memory: MemoryRunStores = field(default_factory=MemoryRunStores)
    called: Callable[[str], CalledGraph] = _not_compiled


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
