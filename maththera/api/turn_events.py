"""The events that a turn's stream tells, as the documentation describes them."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, RootModel

from maththera.api.http_layer.response_models import Answer, SafetyView, TaskView
from maththera.api.http_layer.sse import Frame, JsonOf, StreamClosing
from maththera.api.turns import Adaptation, Diagnosis, Feedback, Turn, Waiting


class _TurnEvent(Answer):
    request_id: str


class TurnSafetyEvent(_TurnEvent):
    """The answer to words that tell of danger."""

    type: Literal["safety"]
    payload: SafetyView


class DiagnosticResultEvent(_TurnEvent):
    """Not told to students, as `AdaptationResultEvent`."""

    type: Literal["diagnostic_result"]
    payload: Diagnosis


class AdaptationResultEvent(_TurnEvent):
    type: Literal["adaptation_result"]
    payload: Adaptation


class FeedbackResultEvent(_TurnEvent):
    type: Literal["feedback_result"]
    payload: Feedback


class TaskEvent(_TurnEvent):
    """The next task; null at the end of the session."""

    type: Literal["task"]
    payload: TaskView | None


class TurnFinalEvent(_TurnEvent):
    """The whole answer, as without a stream."""

    type: Literal["final"]
    payload: Turn | Waiting


TurnEventKind: TypeAlias = Annotated[
    TurnSafetyEvent
    | DiagnosticResultEvent
    | AdaptationResultEvent
    | FeedbackResultEvent
    | TaskEvent
    | TurnFinalEvent
    | StreamClosing,
    Field(discriminator="type"),
]


class TurnEvent(RootModel[TurnEventKind]):
    """One event of a turn's stream."""


class TurnFrame(Frame):
    data: Annotated[str, JsonOf(TurnEvent)]
