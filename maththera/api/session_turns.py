"""The turns of a tutoring session: the child answers, and gets feedback and the next task."""

import time
from typing import Annotated, Final, Literal, TypeAlias

from fastapi import APIRouter, Body, Depends, Request, Response
from pydantic import Field, RootModel

from maththera.api.http_layer import role_redaction, sse
from maththera.api.http_layer.admission import session_speaker
from maththera.api.http_layer.auth import Services, deferred_error, log_access
from maththera.api.http_layer.identifiers import SessionId
from maththera.api.http_layer.json_body import ApiRoute, FromJson
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, Position, SafetyView, StrandPosition, TaskView, example
from maththera.api.http_layer.sse import Frame, JsonOf, StreamClosing
from maththera.api.sessions import EXAMPLE_SESSION, Stones, Summary
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal
from maththera.tutoring.session.service import StaleTask
from maththera.tutoring.state import Pattern, Phase, TaskStep, VisualMode
from maththera.tutoring.turns import events

router = APIRouter(prefix="/api/v1/sessions", tags=["tutoring"], route_class=ApiRoute)

_NEXT_TASK: Final = EXAMPLE_SESSION["task"] | {
    "task_id": "t2",
    "prompt": "9+7=□",
    "problem": EXAMPLE_SESSION["task"]["problem"] | {"problem_id": "P-00861", "expression": "9+7", "a": 9, "b": 7},
    "choices": [15, 16, 17, 26],
}
EXAMPLE_TURN: Final[JsonObject] = {
    "request_id": "r-1",
    "turn": 1,
    "correct": True,
    "response_pattern": "correct_slow",
    "diagnosis": {
        "cause_tag": "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK",
        "cause_domain": "STRATEGY",
        "confidence": "high",
        "cause_tags": ["MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"],
        "candidates": ["MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK"],
        "training_ids": ["T12", "T17"],
        "probe_needed": False,
        "source": "rule",
        "reasoning": "10 만들기 대신 세어서 답했다.",
    },
    "adaptation": {
        "route": "fluency_drill",
        "c_adjustment": 0,
        "w_adjustment": 0,
        "downscaling_strategy": None,
        "widened": False,
    },
    "feedback": {
        "situation": "correct_slow",
        "lines": [{"text": "정답이야!", "about": "answer"}],
        "feedback_text": ["정답이야!"],
        "hint_text": None,
        "visual_mode": "none",
        "tone_check_passed": True,
    },
    "phase": "normal",
    "position": {"c": 7, "w": 4.5},
    "training": ["T12", "T17"],
    "degraded": False,
    "task": _NEXT_TASK,
    "solution": None,
    "summary": None,
    "stones": {"done": 1, "of": 15},
}
_EVENTS: Final[JsonObject] = {
    "An answer": {
        "value": {
            "type": "answer_submitted",
            "request_id": "r-1",
            "task_id": "t1",
            "answer": 14,
            "rt_ms": 12000,
            "behavior_tags": ["OBS_OVERRELIANCE_COUNTING"],
            "telemetry": {"first_input_ms": 11200, "edits": 1, "focus_losses": 0},
        }
    },
    "No answer in time": {"value": {"type": "timeout", "request_id": "r-2", "task_id": "t1"}},
    "The child doesn't know": {"value": {"type": "timeout", "request_id": "r-2", "task_id": "t1", "said": True}},
    "A training is done": {
        "value": {
            "type": "training_done",
            "request_id": "r-3",
            "training_id": "T12",
            "results": {"items": 6, "right": 5},
        }
    },
    "How it was found": {"value": {"type": "strategy_told", "request_id": "r-5", "task_id": "t1", "how": "fingers"}},
    "Enough for today": {"value": {"type": "stop", "request_id": "r-4"}},
}


class SessionEvent(RootModel[Annotated[events.AnyEvent | events.StrategyTold, Field(discriminator="type")]]):
    """`POST /api/v1/sessions/{session_id}/events`: what happened, by its `type`."""


class Diagnosis(Answer):
    """`cause_tags`: the cause, and those that are stated together with it because nothing tells them apart; old turns
    have none."""

    cause_tag: str | None
    cause_tags: list[str] | None = None
    cause_domain: str | None
    confidence: Literal["high", "medium", "low"] | None
    candidates: list[str]
    training_ids: list[str]
    probe_needed: bool
    source: Literal["rule", "probe", "llm", "default"]
    reasoning: str


class Adaptation(Answer):
    route: Literal[
        "A",
        "B",
        "fluency_drill",
        "refocus",
        "advance",
        "recovery",
        "bridge_loop",
        "white_out",
        "worked_example",
        "probe",
        "none",
    ]
    c_adjustment: int
    w_adjustment: float
    downscaling_strategy: str | None
    widened: bool


class FeedbackLine(Answer):
    """`about`: a line about the answer is shown with it; one about what comes next stays beside the next task."""

    text: str
    about: Literal["answer", "next"]


class Feedback(Answer):
    """`situation`: what the words are for, such as correct, wrong or probe. `lines`: `feedback_text`, line by line. Old
    turns have neither."""

    situation: str | None = None
    lines: list[FeedbackLine] | None = None
    feedback_text: list[str]
    hint_text: str | None
    visual_mode: VisualMode
    tone_check_passed: bool


class Solution(Answer):
    """A problem that was worked through together, every step with its numbers. `equation`: the problem with its answer;
    None in sessions that were recorded without it."""

    problem: str
    steps: list[TaskStep]
    equation: str | None = None


class Turn(Answer):
    """`solution`: of the problem whose last step was closed by this answer. `diagnosis`, `adaptation`,
    `response_pattern` and `position`: not in a student's answer."""

    model_config = example(EXAMPLE_TURN)

    request_id: str
    turn: int
    correct: bool | None
    response_pattern: Pattern | None = None
    diagnosis: Diagnosis | None = None
    adaptation: Adaptation | None = None
    feedback: Feedback
    phase: Phase
    position: Position | None = None
    training: list[str]
    degraded: bool
    task: TaskView | None
    solution: Solution | None = None
    summary: Summary | None
    stones: Stones | None = None


class Waiting(Answer):
    """In place of a turn, where the child's words tell of danger: no attempt was used up, and the task waits. While
    the learner records cannot be reached, only `safety` and the two ids are there."""

    request_id: str
    session_id: str
    safety: SafetyView
    student_id: str | None = None
    phase: Phase | None = None
    turn: int | None = None
    remaining: int | None = None
    position: StrandPosition | None = None
    task: TaskView | None = None
    words: list[str] | None = None
    stones: Stones | None = None
    summary: Summary | None = None


class StrategyRecorded(Answer):
    """The child's own word is kept."""

    request_id: str
    task_id: str


@router.post(
    "/{session_id}/events",
    summary="Answer the task, or say what else happened",
    response_description="The turn and the next task; or, in `safety`, the answer to danger",
    response_model_exclude_unset=True,
    response_model=Turn | Waiting | StrategyRecorded,
    responses=errors("stale_task")
    | {200: {"content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/TurnFrame"}}}}},
)
async def take_turn(
    request: Request,
    response: Response,
    who: Annotated[Principal, Depends(session_speaker)],
    services: Services,
    session_id: SessionId,
    sent: Annotated[SessionEvent, FromJson(tags=events.TYPES, forms=events.FORMS), Body(openapi_examples=_EVENTS)],
) -> Turn | Waiting | StrategyRecorded | sse.EventStream:
    """One turn. The same `request_id` again gives the same answer and changes nothing. Two events at once on one
    session are taken one after the other. `Accept: text/event-stream` gets the turn as its envelopes. Words that tell
    of danger are no turn: they are answered in `safety`, and the task waits. Nor is `strategy_told`."""
    started, event, unfit = time.perf_counter(), sent.root, deferred_error(request)
    if isinstance(event, events.StrategyTold):
        if unfit is not None:
            raise unfit
        await services.tutoring.observe(session_id, event.task_id, [events.STRATEGY_TAGS[event.how]], "child")
        return StrategyRecorded(request_id=event.request_id, task_id=event.task_id)
    if who.role == "student" and isinstance(event, events.AnswerSubmitted) and event.behavior_tags:
        error = {"loc": "body.behavior_tags", "msg": "only an adult may say what was seen"}
        unfit = unfit or ApiProblem("forbidden", "Observations are the adult's.", errors=[error])
    try:
        outcome = await services.event_screening.handle(session_id, event, who.role, unfit)
    except StaleTask as stale:
        raise ApiProblem(
            "stale_task",
            "`task` is the one to answer now.",
            task=role_redaction.redact_task(who.role, stale.current_task),
        ) from None
    if outcome.replayed:
        services.metrics.replayed_turn()
    elif "safety" not in outcome.body:
        services.metrics.turn(outcome.body, time.perf_counter() - started)
    if "safety" not in outcome.body:  # the answer to danger tells nothing of the records, and waits for no store
        await log_access(request, who, "session", await services.tutoring.owner(session_id))
    body = role_redaction.redact_session(who.role, outcome.body)
    headers = sse.REPLAYED if outcome.replayed else {}
    if "text/event-stream" in request.headers.get("accept", ""):
        return sse.turn_stream(body, headers)
    response.headers.update(headers)
    return Waiting.model_validate(body) if "safety" in body else Turn.model_validate(body)


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
