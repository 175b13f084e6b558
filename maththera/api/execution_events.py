"""The events that a run of a flow tells, as the documentation describes them."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, RootModel

from maththera.api.http_layer.response_models import Answer
from maththera.api.http_layer.sse import Frame, JsonOf, StreamClosing
from maththera.json_types import JsonObject


class RunStartedEvent(Answer):
    type: Literal["started"]
    flow: str
    version: str


class _StepEvent(Answer):
    """`step`: its path, `outer/inner` in a called flow, `loop[3].inner` in a foreach."""

    step: str
    name: str


class StepStartedEvent(_StepEvent):
    type: Literal["step_started"]
    kind: str


class _StepEnded(_StepEvent):
    """A value over 4 kB is `{"$cut": its beginning as JSON, "bytes": of all}`. `prints`: of Python steps."""

    ms: int
    attempts: int
    inputs: Any
    output: Any
    prints: Any


class StepFinishedEvent(_StepEnded):
    """`to`: where it led."""

    type: Literal["step_finished"]
    to: str | None


class StepFailedEvent(_StepEnded):
    """`action`: what its author has put down for a failure."""

    type: Literal["step_failed"]
    message: str
    code: str
    tool: str | None
    action: str


class StepSkippedEvent(_StepEvent):
    type: Literal["step_skipped"]
    reason: str


class RetryEvent(_StepEvent):
    """The step is tried again `in` so many seconds, for the `attempt`th time `of` so many."""

    type: Literal["retry"]
    tool: str | None
    attempt: int
    of: int
    delay: float = Field(alias="in")
    message: str


class WaitingEvent(Answer):
    """A step asks a person. `expires_at`: seconds since 1970, null for ever. `form`: fields of the answer. `errors`:
    why the last answer does not fit."""

    type: Literal["waiting"]
    step: str
    name: str | None = None
    question: Any
    form: Any
    expires_at: float | None
    errors: list[str] | None = None


class AnsweredEvent(Answer):
    type: Literal["answered"]
    steps: list[str]


class ExpiredEvent(Answer):
    """The time to answer these steps is over. The run goes on as soon as its other running steps have ended."""

    type: Literal["expired"]
    steps: list[str]


class RepairedEvent(Answer):
    """An adult decided how the run goes on."""

    type: Literal["repaired"]
    what: Literal["retry", "mark_done", "skip"]
    step: str


class ProgressEvent(Answer):
    """`done` items `of` a foreach have ended."""

    type: Literal["progress"]
    step: str
    done: int
    of: int


class WarningEvent(Answer):
    type: Literal["warning"]
    step: str
    message: str


class ExecutionError(Answer):
    """The step at which the run failed, its tool as `server.tool`, and why."""

    step: str
    tool: str | None
    code: str
    message: str


class RunFinalEvent(Answer):
    """The end of the run. `closing`: a sentence for people."""

    type: Literal["final"]
    status: Literal["completed", "failed", "cancelled"]
    result: JsonObject | None
    closing: str | None
    error: ExecutionError | None


ExecutionEventKind: TypeAlias = Annotated[
    RunStartedEvent
    | StepStartedEvent
    | StepFinishedEvent
    | StepFailedEvent
    | StepSkippedEvent
    | RetryEvent
    | WaitingEvent
    | AnsweredEvent
    | ExpiredEvent
    | RepairedEvent
    | ProgressEvent
    | WarningEvent
    | RunFinalEvent
    | StreamClosing,
    Field(discriminator="type"),
]


class ExecutionEvent(RootModel[ExecutionEventKind]):
    """One event of a run."""


class ExecutionFrame(Frame):
    data: Annotated[str, JsonOf(ExecutionEvent)]
