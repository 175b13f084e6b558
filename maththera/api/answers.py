"""What the service answers, for the documentation and for tests. A turn is not validated again on its way out."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from maththera.tutoring.state import Kind, Pattern, Phase, VisualMode
from maththera.words.danger import Category, Tier


class Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Position(Answer):
    """On the curriculum ladder (1..15) and in working-memory load (0..9.5)."""

    c: int
    w: float


class ProblemView(Answer):
    problem_id: str
    expression: str
    layout: Literal["horizontal", "vertical"]
    c_level: int
    w_total: float


class TaskView(Answer):
    task_id: str
    kind: Kind
    prompt: str
    answer_format: Literal["integer", "training"]
    problem: ProblemView | None
    choices: list[int]
    visual_mode: VisualMode
    training: dict[str, Any] | None = None


class CauseName(Answer):
    cause_tag: str
    name: str


class Summary(Answer):
    """`answered` and `right` count every task; `closed` the session's own problems that are over, `solved` those that
    got the right answer. `causes` (only those stated with confidence high) is not in a student's answer."""

    answered: int
    right: int
    closed: int
    solved: int
    median_rt_ms: int | None
    causes: list[CauseName] | None = None
    trainings: list[str]
    trainings_done: list[str]
    position_before: Position
    position_after: Position
    parked: list[str]
    unlearnt: list[str]
    ended_because: str
    words: list[str]


class SessionView(Answer):
    session_id: str
    student_id: str
    phase: Phase
    turn: int
    remaining: int
    position: Position
    task: TaskView | None


class Diagnosis(Answer):
    cause_tag: str | None
    cause_domain: str | None
    confidence: Literal["high", "medium", "low"] | None
    candidates: list[str]
    training_ids: list[str]
    probe_needed: bool
    source: Literal["rule", "probe", "llm", "default"]
    reasoning: str


class Adaptation(Answer):
    route: Literal[
        "A", "B", "fluency_drill", "refocus", "advance", "recovery", "bridge_loop", "white_out", "probe", "none"
    ]
    c_adjustment: int
    w_adjustment: float
    downscaling_strategy: str | None
    widened: bool


class Feedback(Answer):
    feedback_text: list[str]
    hint_text: str | None
    visual_mode: VisualMode
    tone_check_passed: bool


class Turn(Answer):
    """`diagnosis` and `adaptation` are not in a student's answer."""

    request_id: str
    turn: int
    correct: bool | None
    response_pattern: Pattern | None
    diagnosis: Diagnosis | None = None
    adaptation: Adaptation | None = None
    feedback: Feedback
    phase: Phase
    position: Position
    training: list[str]
    degraded: bool
    task: TaskView | None
    summary: Summary | None


class HelplineView(Answer):
    name: str
    number: str
    hours: str


class SafetyView(Answer):
    """What is answered to danger: lines, and the numbers that they name. `choices`: what answers the question whether
    it is all right, where that is asked. `category` and `tier` are not in a student's answer."""

    text: list[str]
    numbers: list[HelplineView]
    choices: list[str] | None = None
    category: Category | None = None
    tier: Tier | None = None


class Waiting(Answer):
    """In place of a turn, where the child's words tell of danger: nothing was used up, and the task waits. While the
    learner records cannot be reached, only `safety` and the two ids are there."""

    request_id: str
    session_id: str
    safety: SafetyView
    student_id: str | None = None
    phase: Phase | None = None
    turn: int | None = None
    remaining: int | None = None
    position: Position | None = None
    task: TaskView | None = None


class Health(Answer):
    status: Literal["ok"]


class Dependency(Answer):
    state: Literal["up", "down"]
    ms: float


class Readiness(Answer):
    """degraded: sessions go on, without what is down."""

    status: Literal["ok", "degraded", "down"]
    dependencies: dict[str, Dependency]


class Trace(BaseModel):
    session_id: str
    turns: list[dict[str, Any]]


class ReplayReport(BaseModel):
    session_id: str
    identical: bool
    turns: list[dict[str, Any]]


class FieldError(Answer):
    loc: str
    msg: str


class ProblemDocument(BaseModel):
    """RFC 9457. `task` comes with `stale_task`: the task that is current now."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] | None = None
    task: TaskView | None = None
