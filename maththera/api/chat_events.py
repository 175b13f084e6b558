"""The events that a turn of the chat tells, as the documentation describes them."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, RootModel

from maththera.api.http_layer.response_models import Answer, SafetyView, example
from maththera.api.http_layer.sse import Frame, JsonOf, StreamClosing
from maththera.chat.coach.intent_registry import IntentLetter
from maththera.chat.config import ErrorCode
from maththera.chat.state import FailureReason
from maththera.json_types import JsonObject


class Intent(Answer):
    """What the coach takes a message for. `confidence` 0 to 1."""

    intent_type: IntentLetter
    intent_name: str
    confidence: float
    reasoning: str
    key_indicators: list[str]


class Series(Answer):
    name: str
    values: list[int]


class Plot(Answer):
    """One value of each series for each label."""

    labels: list[str]
    series: list[Series]
    max: int


class Table(Answer):
    columns: list[str]
    rows: list[list[int | str]]


class Chart(Answer):
    chart_type: Literal["bar", "line", "radar", "progress", "table"]
    title: str
    data: Plot | Table


class WhoReadsEvent(Answer):
    """The first event of a conversation about a child: it tells the child who can read what it writes, adults that they
    are logged."""

    model_config = example({"type": "who_reads", "text": "여기서 나눈 이야기는 선생님과 보호자가 볼 수 있어."})

    type: Literal["who_reads"]
    text: str


class IntentEvent(Intent):
    """The first event of a coach's turn itself."""

    type: Literal["intent_detected"]


class ChatSafetyEvent(SafetyView):
    """The answer to words that tell of danger. The words themselves also come as `token`."""

    type: Literal["safety"]


class RouteEvent(Answer):
    """The assistant's first event: the tools that are to answer, and what chose them."""

    type: Literal["route"]
    tool_choice: str
    tool_pipeline: list[str]
    source: str


class ThinkingEvent(Answer):
    """A text to show meanwhile."""

    type: Literal["thinking"]
    message: str


class StepStartEvent(Answer):
    """A tool is called."""

    type: Literal["step_start"]
    tool: str
    arguments: JsonObject


class StepResultEvent(Answer):
    """What a tool gave. Results of one tool come in the order of its calls. `left_out`: so many texts of it gave orders
    to a model."""

    type: Literal["step_result"]
    tool: str
    result: JsonObject
    cached: bool
    left_out: int | None = None


class FallbackEvent(Answer):
    """Another tool stands in for one that failed."""

    type: Literal["fallback"]
    failed: str = Field(alias="from")
    to: str
    reason: FailureReason
    message: str


class ChartEvent(Answer):
    """Comes before the first token."""

    type: Literal["chart_data"]
    chart: Chart


class ChatTokenEvent(Answer):
    """A piece of the answer. `level`: of the assistant's, whose two levels come at the same time."""

    type: Literal["token"]
    token: str
    level: str | None = None


class ChatErrorEvent(Answer):
    """`message`: a sentence to show. The turn goes on by rules, or ends with the next event."""

    type: Literal["error"]
    code: ErrorCode
    message: str


class ChatFinalEvent(Answer):
    """The end of the turn, always."""

    type: Literal["final"]


ChatEventKind: TypeAlias = Annotated[
    WhoReadsEvent
    | IntentEvent
    | ChatSafetyEvent
    | RouteEvent
    | ThinkingEvent
    | StepStartEvent
    | StepResultEvent
    | FallbackEvent
    | ChartEvent
    | ChatTokenEvent
    | ChatErrorEvent
    | ChatFinalEvent
    | StreamClosing,
    Field(discriminator="type"),
]


class ChatEvent(RootModel[ChatEventKind]):
    """One event of a turn of the chat."""


class ChatFrame(Frame):
    """The last frame is `[DONE]`, without an id: there is nothing to come back to."""

    data: Annotated[str, JsonOf(ChatEvent)] | Literal["[DONE]"]
