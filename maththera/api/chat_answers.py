"""What the service answers about conversations, for the documentation and for tests."""

from typing import Any, Literal

from pydantic import Field

from maththera.api.answers import Answer
from maththera.chat.intent import IntentType
from maththera.learners.conversations import Profile, Speaker


class Ending(Answer):
    run_id: str


class Intent(Answer):
    """`confidence` 0 to 1."""

    intent_type: IntentType
    intent_name: str
    confidence: float
    reasoning: str
    key_indicators: list[str]


class ToolResult(Answer):
    """`error`: why there is no result. `left_out`: so many texts of it gave orders to a model."""

    tool: str
    arguments: dict[str, Any]
    result: dict[str, Any]
    error: str | None
    cached: bool
    left_out: int | None = None


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
    """Also in the event `chart_data`."""

    chart_type: Literal["bar", "line", "radar", "progress", "table"]
    title: str
    data: Plot | Table


class MessageDetail(Answer):
    """What came with an answer, as far as there was anything. `final_answers`: level → text."""

    intent: Intent | None = None
    steps: list[ToolResult] = Field(default_factory=list)
    chart: Chart | None = None
    tool_pipeline: list[str] = Field(default_factory=list)
    final_answers: dict[str, str] = Field(default_factory=dict)
    errors: list[str] = Field(default_factory=list)


class Message(Answer):
    """`detail`: of an answer; null with a question."""

    number: int
    role: Speaker
    text: str
    run_id: str
    at: str
    detail: MessageDetail | None


class ChatThread(Answer):
    """`run_id`: the turn under way, null where there is none. `turns` counts all, `messages` are the last ones."""

    thread_id: str
    profile: Profile
    student_id: str | None
    turns: int
    run_id: str | None
    messages: list[Message]
