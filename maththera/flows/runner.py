"""Running a flow from its inputs to its result, with its events, over crashes and questions to people."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
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
    services = tools if isinstance(tools, Services) else None
    if services is None:
        async with Sandbox() as sandbox:
            return await run(
                flow,
                inputs,
                Services(tools, sandbox),  # type: ignore[arg-type]
                checkpointer=checkpointer,
                execution_id=execution_id,
                on_event=on_event,
                answer=answer,
                now=now,
                inner_events=inner_events,
            )
    execution_id = execution_id or uuid.uuid4().hex
    services = replace(services, checkpointer=checkpointer)
    queue: asyncio.Queue[Any] = asyncio.Queue()
    graph = build(flow, services).compile(checkpointer=checkpointer)
    config: Any = {"configurable": {"thread_id": execution_id}}
    given = await _given(flow, inputs, graph, config, execution_id, answer, checkpointer)
    if now is not None and isinstance(given, dict):
        given["started_at"] = now.isoformat()
    await services.shelf.put(f"text:{flow.hash}", flow.text.encode(), KEPT)

    def emit(event: Event) -> None:
        if not event.pop("inner", False) or inner_events:
            queue.put_nowait(event)

    context = RunContext(await Journal.open(checkpointer, execution_id), emit)
    telling = asyncio.create_task(_tell(queue, on_event))
    try:
        state = await graph.ainvoke(given, config, context=context, durability="sync" if checkpointer else None)
        outcome = await _outcome(state, services)
        queue.put_nowait({"type": "final", "status": outcome.status, "result": outcome.result, "error": outcome.error})
    finally:
        queue.put_nowait(_END)
        await telling
    return outcome


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


async def _tell(queue: asyncio.Queue[Any], on_event: OnEvent | None) -> None:
    """Events one after the other, without any step waiting for whoever hears them. A hearer that fails hears no more,
    and the run goes on."""
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
