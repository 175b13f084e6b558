"""The events that a lesson's stream tells, as the documentation describes them."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, RootModel

from maththera.api.http_layer.response_models import Answer, SafetyView
from maththera.api.http_layer.sse import Frame, JsonOf, StreamClosing
from maththera.json_types import JsonObject
from maththera.lessons.courses.course import QuestionType
from maththera.lessons.state import Agent, GradedBy, Stage, TutorState, UiMode


class _LessonEvent(Answer):
    request_id: str


class AgentEvent(_LessonEvent):
    """An agent begins to work."""

    type: Literal["agent"]
    agent: Agent
    title: str


class StageEvent(_LessonEvent):
    type: Literal["stage"]
    stage: Stage


class UiModeEvent(_LessonEvent):
    type: Literal["ui_mode"]
    ui_mode: UiMode


class LessonSafetyEvent(_LessonEvent, SafetyView):
    """The answer to words that tell of danger. The words themselves also come as `token`."""

    type: Literal["safety"]


class LessonTokenEvent(_LessonEvent):
    """A piece of what the tutor says."""

    type: Literal["token"]
    text: str


class QuizChoice(Answer):
    number: int
    text: str


class Quiz(Answer):
    """`choices`: of multiple choice. `task`: of the others, its form and what belongs to it. `hints`: how many were
    taken."""

    number: int
    type: QuestionType
    question: str
    choices: list[QuizChoice] | None = None
    task: JsonObject | None = None
    hints: int


class QuizEvent(_LessonEvent):
    type: Literal["quiz"]
    quiz: Quiz


class LessonEvaluation(Answer):
    """`score`: of multiple choice 1 or 0, else 0 to 100, as `rule_score`, which the rules alone give. `step`: the task
    itself, or the explanation behind it. `met`, `missed`: points of the rubric."""

    question_type: QuestionType
    step: Literal["task", "answer"]
    score: int
    graded_by: GradedBy
    rule_score: int
    met: list[str]
    missed: list[str]


class EvaluationEvent(_LessonEvent):
    type: Literal["evaluation"]
    evaluation: LessonEvaluation


class LessonErrorEvent(_LessonEvent):
    """The turn has ended without `final`. The same `request_id` may be sent again."""

    type: Literal["error"]
    code: Literal["store_unavailable", "not_found", "lost", "internal"]


class LessonFinalEvent(_LessonEvent):
    """The end of the turn. `state`: where the lesson stands now."""

    type: Literal["final"]
    state: TutorState


LessonEventKind: TypeAlias = Annotated[
    AgentEvent
    | StageEvent
    | UiModeEvent
    | LessonSafetyEvent
    | LessonTokenEvent
    | QuizEvent
    | EvaluationEvent
    | LessonErrorEvent
    | LessonFinalEvent
    | StreamClosing,
    Field(discriminator="type"),
]


class LessonEvent(RootModel[LessonEventKind]):
    """One event of a lesson's stream."""


class LessonFrame(Frame):
    data: Annotated[str, JsonOf(LessonEvent)]
