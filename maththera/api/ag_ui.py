"""The chat for clients that speak AG-UI 1.0, such as `HttpAgent` of `@ag-ui/client`."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace

import orjson
from fastapi import APIRouter, Request
from sse_starlette import EventSourceResponse, ServerSentEvent

from maththera.api import client_docs as docs
from maththera.api.ag_ui_bodies import ForwardedProps, run_agent_input
from maththera.api.ag_ui_events import AgUiEvent, Translation
from maththera.api.auth import speaker
from maththera.api.bodies import read
from maththera.api.client_turns import LARGEST_BODY, Begun, begin, spoken, student, thread_name
from maththera.api.executions import HEARTBEAT_SECONDS
from maththera.chat.service import NewTurn

router = APIRouter(tags=["chat"])


@router.post("/api/v1/ag-ui", summary="Run the chat as an AG-UI agent", **docs.AG_UI)
async def run_agent(request: Request) -> EventSourceResponse:
    """The events of one run. A conversation that is known here goes on from its record; of one that is not, the
    messages before the last are what was said so far."""
    who = await speaker(request, fresh=True)
    sent = await read(request, run_agent_input, largest=LARGEST_BODY)
    props = sent.forwarded_props or ForwardedProps()
    wanted = NewTurn(
        "",
        props.profile,
        thread_name(sent.thread_id),
        student("forwardedProps.student_id", props.student_id),
        props.difficulty,
    )
    said = spoken(sent.messages)
    begun = await begin(request, who, said, replace(wanted, number=len(said)))
    frames = _frames(begun, Translation(sent.thread_id, sent.run_id, begun.run_id))
    return EventSourceResponse(frames, headers=begun.headers, ping=HEARTBEAT_SECONDS, sep="\n")


async def _frames(begun: Begun, translation: Translation) -> AsyncIterator[ServerSentEvent]:
    async with aclosing(begun.events) as events:
        yield _frame(translation.begin())
        async for _, event in events:
            for told in translation.of(event):
                yield _frame(told)


def _frame(event: AgUiEvent) -> ServerSentEvent:
    return ServerSentEvent(orjson.dumps(event).decode(), sep="\n")
