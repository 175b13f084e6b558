"""The chat for clients that speak AG-UI 1.0, such as `HttpAgent` of `@ag-ui/client`, and its events in that form."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Final, Literal, TypeAlias

import orjson
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, RootModel
from pydantic.alias_generators import to_camel
from sse_starlette import ServerSentEvent

from maththera.api.chat import Sender
from maththera.api.chat_turns import (
    FATAL_CODES,
    LARGEST_BODY,
    WHO_READS,
    ClientMessage,
    StartedTurn,
    conversation_of,
    start_turn,
    student,
    thread_name,
)
from maththera.api.http_layer.json_body import ApiRoute, FromJson
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.sse import EventStream, JsonOf, plain_frame
from maththera.chat.config import ErrorCode
from maththera.chat.service import NewTurn
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event
from maththera.store.conversations import Profile

AgUiEvent: TypeAlias = JsonObject

PROTOCOL_VERSION: Final = "1.0"
_CUSTOM: Final = frozenset({"intent_detected", "safety", "chart_data", "route", "fallback", WHO_READS})


class _Event(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel)


class RunStarted(_Event):
    type: Literal["RUN_STARTED"]
    thread_id: str
    run_id: str
    protocol_version: str


class RunFinished(_Event):
    type: Literal["RUN_FINISHED"]
    thread_id: str
    run_id: str


class AgUiRunError(_Event):
    type: Literal["RUN_ERROR"]
    message: str
    code: ErrorCode


class StepStarted(_Event):
    type: Literal["STEP_STARTED"]
    step_name: str


class StepFinished(_Event):
    type: Literal["STEP_FINISHED"]
    step_name: str


class ToolCallStart(_Event):
    type: Literal["TOOL_CALL_START"]
    tool_call_id: str
    tool_call_name: str


class ToolCallArgs(_Event):
    """`delta`: JSON."""

    type: Literal["TOOL_CALL_ARGS"]
    tool_call_id: str
    delta: str


class ToolCallEnd(_Event):
    type: Literal["TOOL_CALL_END"]
    tool_call_id: str


class ToolCallResult(_Event):
    """`content`: JSON."""

    type: Literal["TOOL_CALL_RESULT"]
    message_id: str
    tool_call_id: str
    role: Literal["tool"]
    content: str


class TextMessageStart(_Event):
    """`name`: the level, of the assistant's two messages."""

    type: Literal["TEXT_MESSAGE_START"]
    message_id: str
    role: Literal["assistant"]
    name: str | None = None


class TextMessageContent(_Event):
    type: Literal["TEXT_MESSAGE_CONTENT"]
    message_id: str
    delta: str


class TextMessageEnd(_Event):
    type: Literal["TEXT_MESSAGE_END"]
    message_id: str


class CustomEvent(_Event):
    """An event of `POST /api/v1/chat` that AG-UI has no word for. `value`: its members without `type`."""

    type: Literal["CUSTOM"]
    name: Literal["intent_detected", "safety", "chart_data", "route", "fallback", "who_reads", "error"]
    value: JsonObject


AgUiEventKind: TypeAlias = Annotated[
    RunStarted
    | RunFinished
    | AgUiRunError
    | StepStarted
    | StepFinished
    | ToolCallStart
    | ToolCallArgs
    | ToolCallEnd
    | ToolCallResult
    | TextMessageStart
    | TextMessageContent
    | TextMessageEnd
    | CustomEvent,
    Field(discriminator="type"),
]


class AgUiRunEvent(RootModel[AgUiEventKind]):
    """One event of a run, as AG-UI 1.0 has it."""


class AgUiFrame(BaseModel):
    """A server-sent event."""

    data: Annotated[str, JsonOf(AgUiRunEvent)]


class Translation:
    """One run. `thread_id` and `client_run_id` are the client's names; `run_id` makes ids that no other run has.

    The coach's answer is one message, the assistant's are two, one for each level, named by it. Each thought is a step
    that lasts until the next one or until the answer begins. What AG-UI has no event for is CUSTOM, as it stands.
    """

    def __init__(self, thread_id: str, client_run_id: str, run_id: str) -> None:
        self._names = {"threadId": thread_id, "runId": client_run_id}
        self._run_id = run_id
        self._step: str | None = None
        self._messages: dict[str, str] = {}
        self._calls: list[tuple[str, str]] = []  # (tool, id) of those without a result
        self._called = 0
        self._fatal: Event | None = None

    def begin(self) -> AgUiEvent:
        return {"type": "RUN_STARTED", **self._names, "protocolVersion": PROTOCOL_VERSION}

    def of(self, event: Event) -> Iterator[AgUiEvent]:
        """The events of AG-UI that stand for one event of a chat."""
        kind = event["type"]
        if kind == "token":
            yield from self._token(event)
        elif kind == "thinking":
            yield from self._finish_step()
            self._step = event["message"]
            yield {"type": "STEP_STARTED", "stepName": self._step}
        elif kind == "step_start":
            yield from self._call(event)
        elif kind == "step_result":
            yield from self._result(event)
        elif kind == "error":
            yield from self._error(event)
        elif kind == "final":
            yield from self._end()
        elif kind in _CUSTOM:
            yield _custom(kind, {name: value for name, value in event.items() if name != "type"})

    def _token(self, event: Event) -> Iterator[AgUiEvent]:
        yield from self._finish_step()
        level = event.get("level", "")
        if level not in self._messages:
            self._messages[level] = f"{self._run_id}-{level or 'answer'}"
            name = {"name": level} if level else {}
            start = {"type": "TEXT_MESSAGE_START", "messageId": self._messages[level], "role": "assistant"}
            yield {**start, **name}
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": self._messages[level], "delta": event["token"]}

    def _call(self, event: Event) -> Iterator[AgUiEvent]:
        self._called += 1
        call_id = f"{self._run_id}-call-{self._called}"
        self._calls.append((event["tool"], call_id))
        yield {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": event["tool"]}
        yield {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": orjson.dumps(event["arguments"]).decode()}
        yield {"type": "TOOL_CALL_END", "toolCallId": call_id}

    def _result(self, event: Event) -> Iterator[AgUiEvent]:
        """Results of one tool come in the order of its calls."""
        found = next((call for call in self._calls if call[0] == event["tool"]), None)
        if found is None:
            return
        self._calls.remove(found)
        yield {
            "type": "TOOL_CALL_RESULT",
            "messageId": f"{found[1]}-result",
            "toolCallId": found[1],
            "role": "tool",
            "content": orjson.dumps(event["result"]).decode(),
        }

    def _error(self, event: Event) -> Iterator[AgUiEvent]:
        answered = event["code"] == "store_unavailable" and self._messages
        if event["code"] in FATAL_CODES and not answered:
            self._fatal = event
        else:
            yield _custom("error", {"code": event["code"], "message": event["message"]})

    def _end(self) -> Iterator[AgUiEvent]:
        yield from self._finish_step()
        for message_id in self._messages.values():
            yield {"type": "TEXT_MESSAGE_END", "messageId": message_id}
        if self._fatal is not None:
            yield {"type": "RUN_ERROR", "message": self._fatal["message"], "code": self._fatal["code"]}
        else:
            yield {"type": "RUN_FINISHED", **self._names}

    def _finish_step(self) -> Iterator[AgUiEvent]:
        if self._step is not None:
            yield {"type": "STEP_FINISHED", "stepName": self._step}
            self._step = None


def _custom(name: str, value: object) -> AgUiEvent:
    return {"type": "CUSTOM", "name": name, "value": value}


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
        yield plain_frame(translation.begin())
        async for _, event in events:
            for told in translation.of(event):
                yield plain_frame(told)
