"""How a tutoring session came to its answers: each turn's envelopes, and the session computed again."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter
from pydantic import Field

from maththera.api.http_layer import role_redaction
from maththera.api.http_layer.admission import SessionAdult
from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.identifiers import SessionId
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.session_turns import EXAMPLE_TURN, Adaptation, Diagnosis, Feedback
from maththera.api.sessions import EXAMPLE_SESSION, CauseName
from maththera.json_types import JsonObject
from maththera.knowledge.knowledge import Word
from maththera.knowledge.skills import Strand
from maththera.store.task_observations import Seen
from maththera.tutoring.state import Pattern, Phase

router = APIRouter(prefix="/api/v1/sessions", tags=["tutoring"], route_class=ApiRoute)

_SESSION_ID: Final = EXAMPLE_SESSION["session_id"]


class SessionContext(Answer):
    """As it was when the answer came."""

    w_position: float
    c_position: int
    strand: Strand | None = None
    current_step: Phase | None = None
    loop_state: JsonObject | None = None


class DiagnosticRequest(Answer):
    """`item_id`: of an item of number sense, which is no problem. `step`: of a worked example, the equation that
    was asked for. `steps`: of a task in steps that were answered, which were right."""

    item_id: str | None = None
    step: str | None = None
    steps: list[bool] | None = None
    problem_id: str | None
    problem: str | None
    correct_answer: int | None
    student_answer: int | None
    rt_ms: int | None
    behavior_tags: list[str]
    session_context: SessionContext


class DiagnosticResult(Diagnosis):
    """`norm`: the response-time norm that judged the answer. `probe`: the next probe, if there is one."""

    norm: JsonObject
    malrules: list[str]
    probe: JsonObject | None


class AdaptationRequest(Answer):
    diagnostic_result: Diagnosis
    response_pattern: Pattern | None
    current_w: float
    current_c: int


class NextProblem(Answer):
    problem_id: str
    problem: str
    w_total: float
    c_level: int


class SkillChange(Answer):
    """What the answer changed of a skill: `chance` of a right answer and `word`, before and after."""

    skill_id: str
    chance: Annotated[list[float], Field(min_length=2, max_length=2)]
    word: Annotated[list[Word], Field(min_length=2, max_length=2)]


class NextTime(Answer):
    """What an adult may plan: the skill that the next session is about, and a training to go before it; `says`: both in
    words."""

    skill_id: str | None
    training_id: str | None
    says: str | None = None


class AdaptationResult(Adaptation):
    """`row`: of the transition table. `loop_state_update`: the open recovery loop, null outside of one. `knowledge`:
    the skills that were asked or are to blame; absent in turns recorded before skills were known. `next_time`: at the
    end, and where a cause is stated."""

    row: str
    next_problem: NextProblem | None
    loop_state_update: JsonObject | None
    knowledge: list[SkillChange] | None = None
    next_time: NextTime | None = None


class FeedbackRequest(Answer):
    situation: str
    problem: str | None
    student_answer: int | None
    cause_tag: str | None
    training_context: str | None


class _Envelope(Answer):
    request_id: str


class DiagnosticRequestEnvelope(_Envelope):
    type: Literal["diagnostic_request"]
    payload: DiagnosticRequest


class DiagnosticResultEnvelope(_Envelope):
    type: Literal["diagnostic_result"]
    payload: DiagnosticResult


class AdaptationRequestEnvelope(_Envelope):
    type: Literal["adaptation_request"]
    payload: AdaptationRequest


class AdaptationResultEnvelope(_Envelope):
    type: Literal["adaptation_result"]
    payload: AdaptationResult


class FeedbackRequestEnvelope(_Envelope):
    type: Literal["feedback_request"]
    payload: FeedbackRequest


class FeedbackResultEnvelope(_Envelope):
    type: Literal["feedback_result"]
    payload: Feedback


class StagesEnvelope(_Envelope):
    """Microseconds by stage."""

    type: Literal["stages"]
    payload: dict[str, int]


Envelope = Annotated[
    DiagnosticRequestEnvelope
    | DiagnosticResultEnvelope
    | AdaptationRequestEnvelope
    | AdaptationResultEnvelope
    | FeedbackRequestEnvelope
    | FeedbackResultEnvelope
    | StagesEnvelope,
    Field(discriminator="type"),
]


class Observations(Answer):
    """`seen`: tag → who said so."""

    seen: dict[str, Seen]
    cause: CauseName | None


class TracedTurn(Answer):
    """`event`: as the client sent it, with the tags that were `observed` before. `llm`: the model's recorded outputs.
    `observations`: what was seen at the task, and the cause that the tags named which came after the answer."""

    turn: int
    request_id: str
    event: JsonObject
    llm: list[JsonObject]
    envelopes: list[Envelope]
    observations: Observations | None


class Trace(Answer):
    model_config = example(
        {
            "session_id": _SESSION_ID,
            "turns": [
                {
                    "turn": 1,
                    "request_id": "r-1",
                    "event": {"type": "timeout", "request_id": "r-1", "task_id": "t1"},
                    "llm": [],
                    "envelopes": [
                        {"type": "feedback_result", "request_id": "r-1", "payload": EXAMPLE_TURN["feedback"]},
                        {"type": "stages", "request_id": "r-1", "payload": {"observe": 41}},
                    ],
                    "observations": None,
                }
            ],
        }
    )

    session_id: str
    turns: list[TracedTurn]


class ReplayedTurn(Answer):
    """`differs`: the members of the turn and the envelopes that came out differently."""

    turn: int
    identical: bool
    differs: list[str]


class ReplayReport(Answer):
    """`engine`: the one that played the session. One of an earlier engine cannot be recomputed: `identical` is null.
    `procedures_version`: the version of the learned procedures that it was played and recomputed under."""

    model_config = example(
        {
            "session_id": _SESSION_ID,
            "engine": 2,
            "procedures_version": 0,
            "identical": True,
            "turns": [{"turn": 1, "identical": True, "differs": []}],
        }
    )

    session_id: str
    engine: int
    procedures_version: int
    identical: bool | None
    turns: list[ReplayedTurn]


@router.get(
    "/{session_id}/trace",
    summary="Every turn's envelopes",
    response_description="Each turn with its envelopes",
    response_model_exclude_unset=True,
)
async def trace_session(who: SessionAdult, services: Services, session_id: SessionId) -> Trace:
    trace = await services.tutoring.trace(session_id)
    return Trace.model_validate(role_redaction.redact_session(who.role, trace))


@router.post(
    "/{session_id}/replay",
    summary="Recompute the session from its recorded events",
    response_description="Whether each turn is identical",
)
async def replay_session(who: SessionAdult, services: Services, session_id: SessionId) -> ReplayReport:
    report = await services.tutoring.replay(session_id)
    return ReplayReport.model_validate(role_redaction.redact_session(who.role, report))
