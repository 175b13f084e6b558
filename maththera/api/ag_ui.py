"""The chat for clients that speak AG-UI 1.0, such as `HttpAgent` of `@ag-ui/client`."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Final

import orjson
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from sse_starlette import ServerSentEvent

from maththera.api.ag_ui_events import AgUiEvent, AgUiFrame, Translation
from maththera.api.chat import Sender
from maththera.api.chat_turns import (
    LARGEST_BODY,
    ClientMessage,
    StartedTurn,
    conversation_of,
    start_turn,
    student,
    thread_name,
)
from maththera.api.http_layer.json_body import ApiRoute, FromJson
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.sse import EventStream
from maththera.chat.service import NewTurn
from maththera.json_types import JsonObject
from maththera.store.conversations import Profile

router = APIRouter(tags=["chat"], route_class=ApiRoute)

Name = Annotated[str, Field(min_length=1, max_length=256)]
_EXAMPLE: Final[JsonObject] = {
    "threadId": "0d9a4f4e-2a6c-4c0f-8e3b-7a5d1c2e9f60",
    "runId": "run-1",
    "messages": [{"id": "m1", "role": "user", "content": "내 약점 보여줘"}],
    "tools": [],
    "context": [],
    "state": {},
    "forwardedProps": {"student_id": "s1"},
}


class ForwardedProps(BaseModel):
    """Our fields of `forwardedProps`; as in `POST /api/v1/chat`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    profile: Profile = "coach"
    student_id: str | None = None
    difficulty: Annotated[str, Field(max_length=32)] | None = None


class RunAgentInput(BaseModel):
    """`RunAgentInput` of the protocol. `state`, `tools`, `context` and other members are ignored."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, alias_generator=to_camel, json_schema_extra={"examples": [_EXAMPLE]}
    )

    thread_id: Name = Field(description="The conversation. Known here, what was said in it is known, too.")
    run_id: Name
    messages: list[ClientMessage] = Field(min_length=1, description="The last one is what the user says.")
    forwarded_props: ForwardedProps | None = None


@router.post(
    "/api/v1/ag-ui",
    summary="Run the chat as an AG-UI agent",
    status_code=200,
    response_class=EventStream,
    responses=errors("not_found", "thread_busy")
    | {
        200: {
            "model": AgUiFrame,
            "description": "The events of the run; X-Run-Id and X-Thread-Id are its names in the rest of this "
            "interface.",
        }
    },
)
async def run_agent(
    request: Request, who: Sender, sent: Annotated[RunAgentInput, FromJson(largest=LARGEST_BODY)]
) -> EventStream:
    """The events of one run. A conversation that is known here goes on from its record; of one that is not, the
    messages before the last are what was said so far."""
    props = sent.forwarded_props or ForwardedProps()
    wanted = NewTurn(
        "",
        props.profile,
        thread_name(sent.thread_id),
        student("forwardedProps.student_id", props.student_id),
        props.difficulty,
    )
    said = conversation_of(sent.messages)
    begun = await start_turn(request, who, said, replace(wanted, number=len(said)))
    frames = _frames(begun, Translation(sent.thread_id, sent.run_id, begun.run_id))
    return EventStream(frames, begun.headers, sep="\n", plain=True)


async def _frames(begun: StartedTurn, translation: Translation) -> AsyncGenerator[ServerSentEvent, None]:
    async with aclosing(begun.events) as events:
        yield _frame(translation.begin())
        async for _, event in events:
            for told in translation.of(event):
                yield _frame(told)


def _frame(event: AgUiEvent) -> ServerSentEvent:
    return ServerSentEvent(orjson.dumps(event).decode(), sep="\n")
