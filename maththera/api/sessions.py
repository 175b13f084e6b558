"""A child's tutoring sessions: begin one, and see where it stands."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from maththera.api.http_layer import role_redaction
from maththera.api.http_layer.admission import session_reader
from maththera.api.http_layer.auth import FreshCaller, Services, authorize, log_access, require_consents
from maththera.api.http_layer.identifiers import SessionId, StudentId
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import Responses, errors
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, StrandPosition, TaskView, example
from maththera.arithmetic.problem import EXPRESSION
from maththera.json_types import JsonObject
from maththera.knowledge.skills import Strand
from maththera.store.access.authorization import Principal
from maththera.tutoring.number_sense.screening_profile import NumberSenseProfile
from maththera.tutoring.session.session_start import Capabilities, NewSession
from maththera.tutoring.state import Mode, Phase
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/sessions", tags=["tutoring"], route_class=ApiRoute)

_LARGEST_SEED: Final = 2**53 - 1  # every JSON reader keeps it exactly
_MAY_SET_FIRST_PROBLEM: Final = frozenset({"teacher", "admin"})
EXAMPLE_SESSION: Final[JsonObject] = {
    "session_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11",
    "student_id": "s1",
    "phase": "normal",
    "turn": 0,
    "remaining": 15,
    "position": {"c": 7, "w": 4.5},
    "task": {
        "task_id": "t1",
        "kind": "problem",
        "prompt": "8+6=□",
        "answer_format": "integer",
        "problem": {
            "problem_id": "P-00847",
            "expression": "8+6",
            "layout": "vertical",
            "a": 8,
            "op": "+",
            "b": 6,
            "result": None,
            "c_level": 7,
            "w_total": 4.5,
        },
        "choices": [12, 13, 14, 15],
        "visual_mode": "none",
        "visual": None,
        "presentation": {"emphasis": None, "grid": False, "steps": None, "story": None},
    },
    "stones": {"done": 0, "of": 15},
    "summary": None,
    "who_reads": "여기서 나눈 이야기는 선생님과 보호자가 볼 수 있어.",
}

FirstProblem = Annotated[
    # The pattern is for readers of the schema: the service refuses another text with a sentence of its own.
    str, Field(min_length=1, max_length=32, json_schema_extra={"pattern": f"^{EXPRESSION.pattern}$"})
]


class NewSessionBody(Strict):
    """`POST /api/v1/sessions`."""

    model_config = example(
        {"student_id": "s1"},
        {
            "student_id": "s1",
            "c_position": 8,
            "w_position": 7.0,
            "problem_count": 15,
            "first_problem": "98+90",
            "seed": 7,
        },
    )

    student_id: StudentId
    c_position: Annotated[int, Field(ge=1, le=15)] | None = Field(
        None, description="Where to start on the ladder. Default: where the learner stands."
    )
    w_position: Annotated[float, Field(allow_inf_nan=False)] | None = Field(
        None, description="Working-memory load to start with; clamped to what the bank has at that C."
    )
    problem_count: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Default and maximum: those of `configs/tutoring/session_rules.yaml`."
    )
    first_problem: FirstProblem | None = Field(
        None, description='Such as "98+90"; any problem of the ladder. Teachers and admins only.'
    )
    mode: Mode | None = Field(
        None,
        description="placement: 10 to 12 problems that find out what the child knows; with `c_position`, from near "
        "there. number_sense: items on widgets for about four minutes, whose profile is for adults; needs "
        "`capabilities.widgets`. Default: placement for a new child without `c_position` or `first_problem`, else "
        "practice.",
    )
    capabilities: Capabilities = Field(default_factory=Capabilities, description="What the client can do.")
    seed: Annotated[int, Field(ge=0, le=_LARGEST_SEED)] | None = Field(
        None, description="The same seed and the same answers give the same session."
    )
    resume: bool = Field(
        False, description="Go on with the student's open session, whatever else is said here; a new one without it."
    )


class CauseName(Answer):
    """`cause_tags`: the cause, and those that nothing tells apart from it; old sessions have none."""

    cause_tag: str
    cause_tags: list[str] | None = None
    name: str


class Summary(Answer):
    """At the end of a session. `answered` and `right` count every task; `closed` the session's own problems that are
    over, `solved` those that got the right answer. `placed`: after a placement, for each operation the lowest level not
    known. `number_sense`: what a whole screening found. `causes` (confidence high alone), `placed`, `number_sense` and
    the positions: not in a student's answer."""

    answered: int
    right: int
    closed: int
    solved: int
    median_rt_ms: int | None
    causes: list[CauseName] | None = None
    trainings: list[str]
    trainings_done: list[str]
    position_before: StrandPosition | None = None
    position_after: StrandPosition | None = None
    again: list[str]
    unlearnt: list[str]
    ended_because: str
    placed: dict[Strand, int] | None = None
    number_sense: NumberSenseProfile | None = None
    words: list[str]


class Stones(Answer):
    """How far the session is: its own problems that are over, of how many."""

    done: int
    of: int


class SessionView(Answer):
    """Where a session stands; once it has ended, `task` is null and `summary` says what was done. `position`: not for a
    student. `who_reads` tells a child who can read what it writes,
    adults that they are logged. `words`: what the child is told before a placement."""

    model_config = example(EXAMPLE_SESSION)

    session_id: str
    student_id: str
    phase: Phase
    turn: int
    remaining: int
    position: StrandPosition | None = None
    task: TaskView | None
    stones: Stones | None = None
    summary: Summary | None = None
    words: list[str] | None = None
    who_reads: str


_RESUMED: Final[Responses] = {200: {"model": SessionView, "description": "The open session, with `resume`"}}


@router.post(
    "",
    status_code=201,
    summary="Begin a session, or go on with the open one",
    response_description="The session with its first task",
    response_model_exclude_unset=True,
    responses=_RESUMED | errors("not_found"),
)
async def create_session(
    request: Request, response: Response, who: FreshCaller, services: Services, sent: JsonBody[NewSessionBody]
) -> SessionView:
    authorize(who, "write", sent.student_id)
    if sent.first_problem is not None and who.role not in _MAY_SET_FIRST_PROBLEM:
        error = {"loc": "body.first_problem", "msg": "only a teacher or an admin may set it"}
        raise ApiProblem("forbidden", "The first problem is the teacher's choice.", errors=[error])
    await require_consents(request, sent.student_id, fresh=True)
    await log_access(request, who, "session", sent.student_id)
    view = await services.tutoring.open_session(sent.student_id, sent.capabilities) if sent.resume else None
    if view is None:
        wanted = {name: value for name, value in dict(sent).items() if name != "resume"}
        known = await services.learners.records.profiles([sent.student_id])
        view = await services.tutoring.create(NewSession(**wanted, grade=known[sent.student_id].grade))
        services.metrics.session()
    else:
        response.status_code = 200
    response.headers["Location"] = f"{router.prefix}/{view['session_id']}"
    return _shown(services, who, view)


@router.get(
    "/{session_id}",
    summary="Where the session stands",
    response_description="The session",
    response_model_exclude_unset=True,
)
async def view_session(
    who: Annotated[Principal, Depends(session_reader())], services: Services, session_id: SessionId
) -> SessionView:
    return _shown(services, who, await services.tutoring.view(session_id))


def _shown(services: Services, who: Principal, view: Mapping[str, Any]) -> SessionView:
    told = services.learners.privacy.who_reads.to(who.role)
    return SessionView.model_validate({**role_redaction.redact_session(who.role, view), "who_reads": told})
