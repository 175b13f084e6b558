"""Running a flow from its inputs to its result, with its events, over crashes and questions to people."""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from maththera.flows.compiler import RunContext, build
from maththera.flows.flow import Flow
from maththera.flows.journal import Journal
from maththera.flows.outcomes import unpack
from maththera.flows.sandbox import Sandbox
from maththera.flows.services import Services
from maththera.flows.shelves import KEPT
from maththera.runtime.tools import Tools

logger = logging.getLogger(__name__)

Event = dict[str, Any]
OnEvent = Callable[[Event], Awaitable[None]]
Status = Literal["completed", "failed", "waiting"]

_END: Final = object()


class FlowChanged(Exception):
    """A run goes on only with the version that began it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`result` by output name, when completed. `waiting`: step → question, form, expires_at. `error`: step, tool, code,
    message. `outputs`: step → value, of all that finished."""

    status: Status
    result: dict[str, Any] | None
    completed_steps: list[str]
    error_log: list[str]
    outputs: dict[str, Any] = field(default_factory=dict)
    waiting: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None


async def run(  # noqa: PLR0913
    flow: Flow,
    inputs: Mapping[str, Any] | None,
    tools: Tools | Services,
    *,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    execution_id: str | None = None,
    on_event: OnEvent | None = None,
    answer: Any = None,
    now: datetime | None = None,
    inner_events: bool = False,
) -> Outcome:
    """Start a run, or go on with one: an `execution_id` that the checkpointer knows continues where it was, `answer`
    being what a person said (step → answer, or the answer itself when one is asked). `now` is what `$date_utils` takes
    for the beginning; `inner_events`: tell also of each step inside of a foreach.

    Raises InputError before anything has run, FlowChanged for a run of another version, and what the checkpointer
    raises. A step that fails is no exception but an Outcome.
    """
    execution_id = execution_id or uuid.uuid4().hex
    async with _with_sandbox(tools) as found:
        services = replace(found, checkpointer=checkpointer)
        graph = build(flow, services).compile(checkpointer=checkpointer)
        config: Any = {"configurable": {"thread_id": execution_id}}
        given = await _given(flow, inputs, graph, config, execution_id, answer, checkpointer)
        if now is not None and isinstance(given, dict):
            given["started_at"] = now.isoformat()
        await services.shelf.put(f"text:{flow.hash}", flow.text.encode(), KEPT)
        async with _telling(on_event, inner=inner_events) as emit:
            context = RunContext(await Journal.open(checkpointer, execution_id), emit)
            state = await graph.ainvoke(given, config, context=context, durability="sync" if checkpointer else None)
            outcome = await _outcome(state, services)
            emit({"type": "final", "status": outcome.status, "result": outcome.result, "error": outcome.error})
    return outcome


@asynccontextmanager
async def _with_sandbox(tools: Tools | Services) -> AsyncIterator[Services]:
    """What is given, or tools with a sandbox for this run."""
    if isinstance(tools, Services):
        yield tools
        return
    async with Sandbox() as sandbox:
        yield Services(tools, sandbox)


async def _given(  # noqa: PLR0913
    flow: Flow,
    inputs: Mapping[str, Any] | None,
    graph: Any,
    config: Any,
    execution_id: str,
    answer: Any,
    checkpointer: BaseCheckpointSaver[Any] | None,
) -> Any:
    """What LangGraph is started with: a new state, an answer, or nothing for a run that broke off."""
    known = (await graph.aget_state(config)).values if checkpointer is not None else {}
    if not known:
        return {"inputs": flow.given(inputs or {}), "execution_id": execution_id, "flow_hash": flow.hash}
    if known.get("flow_hash") not in (None, flow.hash):
        raise FlowChanged(f"run {execution_id} began with another version of '{flow.name}'")
    return Command(resume=answer) if answer is not None else None


@asynccontextmanager
async def _telling(on_event: OnEvent | None, *, inner: bool) -> AsyncIterator[Callable[[Event], None]]:
    """Events one after the other, without any step waiting for whoever hears them; all are told at the end."""
    queue: asyncio.Queue[Any] = asyncio.Queue()

    def emit(event: Event) -> None:
        if not event.pop("inner", False) or inner:
            queue.put_nowait(event)

    telling = asyncio.create_task(_tell(queue, on_event))
    try:
        yield emit
    finally:
        queue.put_nowait(_END)
        await telling


async def _tell(queue: asyncio.Queue[Any], on_event: OnEvent | None) -> None:
    """A hearer that fails hears no more, and the run goes on."""
    hears = on_event is not None
    while (event := await queue.get()) is not _END:
        if hears and on_event is not None:
            try:
                await on_event(event)
            except Exception:
                logger.exception("whoever hears the events of a run failed")
                hears = False


async def _outcome(state: Mapping[str, Any], services: Services) -> Outcome:
    return Outcome(
        state["status"],
        await unpack(state.get("result"), services.shelf),
        list(state.get("completed_steps", ())),
        list(state.get("error_log", ())),
        dict(state.get("outputs", {})),
        dict(state.get("waiting", {})) if state["status"] == "waiting" else {},
        state.get("error"),
    )
