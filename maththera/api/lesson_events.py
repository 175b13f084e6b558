"""The events that a lesson's stream tells, as the documentation describes them, and the frames that carry them."""

from collections.abc import AsyncGenerator
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, RootModel
from sse_starlette import ServerSentEvent

from maththera.api.http_layer.response_models import Answer, SafetyView
from maththera.api.http_layer.sse import Frame, JsonOf, StreamClosing, json_frame
from maththera.json_types import JsonObject
from maththera.lessons.courses.course import QuestionType
from maththera.lessons.lesson_turn import LessonTurn
from maththera.lessons.service import LessonService
from maththera.lessons.state import Agent, GradedBy, Stage, TutorState, UiMode
from maththera.store.access.authorization import Role
from maththera.words.danger.message_safety import SafetyResult


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


class LessonPicture(Answer):
    """What is drawn beside the words, as the picture of a task."""

    mode: Literal["ten_frame", "number_line", "base_ten", "coin", "array"]
    model: Literal["join", "take", "gap", "groups", "share"]
    shown: list[int]
    movable: bool


class PictureEvent(_LessonEvent):
    """Ahead of the words that it belongs to."""

    type: Literal["picture"]
    picture: LessonPicture


class LessonCheck(Answer):
    """What is asked after a piece of the explanation, also the end of its words. `turn` `of`: where in this session's
    explanation it stands. `choices`: null where a number is asked for. □ in `ask` is what is sought. `drawn`: the
    picture is of what is asked; else it is of an example with other numbers, and misleads beside the question."""

    turn: int
    of: int
    ask: str
    choices: list[str] | None
    drawn: bool = False


class CheckEvent(_LessonEvent):
    """Answered by a message, or by `answer`: a text, or the number of a choice."""

    type: Literal["check"]
    check: LessonCheck


class QuizChoice(Answer):
    number: int
    text: str


class Quiz(Answer):
    """`choices`: of multiple choice. `task`: of the others, its form and what belongs to it. `hints`: how many were
    taken. `step`: whether the question itself or an explanation in own words is awaited. Shown again for each try."""

    number: int
    type: QuestionType
    question: str
    choices: list[QuizChoice] | None = None
    task: JsonObject | None = None
    hints: int
    step: Literal["answer", "explain"]


class QuizEvent(_LessonEvent):
    type: Literal["quiz"]
    quiz: Quiz


class LessonEvaluation(Answer):
    """`score`: of multiple choice 1 or 0, else 0 to 100, as `rule_score`, which the rules alone give. `step`: a first
    try after which there is another, the task itself, or the end of the question. `met`, `missed`: points of the
    rubric."""

    question_type: QuestionType
    step: Literal["try", "task", "answer"]
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
    | PictureEvent
    | CheckEvent
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


async def safety_frames(
    heard: SafetyResult, role: Role, request_id: str, state: TutorState | None
) -> AsyncGenerator[ServerSentEvent, None]:
    """The answer to danger where the lesson cannot take a turn: it is at its end, or a store is down, and then its
    `state` is not known."""
    said = {"type": "token", "text": heard.answer}
    last = {"type": "final", "state": state} if state else {"type": "error", "code": "store_unavailable"}
    for event in ({"type": "safety", **heard.shown(role)}, said, last):
        yield json_frame({**event, "request_id": request_id})


async def event_frames(
    lessons: LessonService, turn: LessonTurn, last_id: str | None
) -> AsyncGenerator[ServerSentEvent, None]:
    """The events of a turn, or those after `last_id`, under their numbers in the lesson's log."""
    async for number, event in lessons.events(turn, last_id):
        yield json_frame(event, number)
