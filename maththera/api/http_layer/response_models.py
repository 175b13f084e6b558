"""Base of all response models, and the models that several nouns share."""

from datetime import datetime
from typing import Annotated, Literal, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from maththera.json_types import JsonObject
from maththera.tutoring.content.trainings import Training
from maththera.tutoring.state import Kind, Presentation, Visual, VisualMode, Widget
from maththera.words.danger.danger_detection import Category, Tier

Moment: TypeAlias = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A time as `2026-11-22T01:10:00+00:00`."""


class Answer(BaseModel):
    """A response body. It can be made from a row of the store: `Model.model_validate(row)`."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


AnyAnswer = TypeVar("AnyAnswer", bound=Answer)


def example(*values: JsonObject) -> ConfigDict:
    """The `model_config` that adds these examples to the documentation of a model."""
    return ConfigDict(json_schema_extra={"examples": list(values)})


def example_of(model: type[BaseModel]) -> JsonObject:
    """The first example in the documentation of a model."""
    shown = cast("JsonObject", model.model_config["json_schema_extra"])
    found: JsonObject = shown["examples"][0]
    return found


def from_row(model: type[AnyAnswer], row: object, **others: object) -> AnyAnswer:
    """An answer from a row, whose attributes are called like its members; `others`: the members that are not there, or
    not as they are shown."""
    names = [name for name in model.model_fields if name not in others and hasattr(row, name)]
    return model.model_validate({**{name: getattr(row, name) for name in names}, **others})


class Position(Answer):
    """On the curriculum ladder (1..15; 0: number sense, below it) and in working-memory load (0..9.5)."""

    c: int
    w: float


class StrandPosition(Position):
    """A position in a strand: the operation at work (+ - x /), the same for a whole session, or N for number sense;
    None where it is not known."""

    strand: Literal["N", "+", "-", "x", "/"] | None = None


class ProblemView(Answer):
    """`a op b = result`; null is the number that is asked for. `c_level`, `w_total`: not for a student."""

    problem_id: str
    expression: str
    layout: Literal["horizontal", "vertical"]
    a: int
    op: Literal["+", "-", "x", "/"]
    b: int | None
    result: int | None
    c_level: int | None = None
    w_total: float | None = None


class TaskView(Answer):
    """`widget`: of a task of the kind widget, what to draw; its answer is a number: the one of a choice where there are
    some (1 left, 2 right), the marked place on a line. `words`: said beside it, where choices are new to the child."""

    task_id: str
    kind: Kind
    prompt: str
    answer_format: Literal["integer", "training"]
    problem: ProblemView | None
    choices: list[int]
    visual_mode: VisualMode
    visual: Visual | None
    presentation: Presentation
    widget: Widget | None = None
    training: Training | None = None
    words: list[str] | None = None


class HelplineView(Answer):
    name: str
    number: str
    hours: str


class SafetyView(Answer):
    """The answer to words that tell of danger: lines, and the numbers that they name. `choices`: possible answers to
    the question whether the child is all right, where that is asked. `category` and `tier`: for adults only."""

    text: list[str]
    numbers: list[HelplineView]
    choices: list[str] | None = None
    category: Category | None = None
    tier: Tier | None = None


class FieldError(Answer):
    """`msg` in English; `korean` is for the people who use the service."""

    loc: str
    msg: str
    korean: str | None = None


class ProblemDocument(BaseModel):
    """RFC 9457. `task`, with `stale_task`: the task that is current now."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] | None = None
    task: TaskView | None = None
