"""A tutoring session step by step: what the child saw beside what was seen of it, why, what followed and what was
said; and what an adult may say that was seen."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from maththera.api.http_layer import role_redaction
from maththera.api.http_layer.admission import SessionAdult, session_speaker
from maththera.api.http_layer.auth import Services, caller_with, deferred_error, forbidden, log_access
from maththera.api.http_layer.identifiers import SessionId
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.response_models import Answer, Moment, TaskView, example
from maththera.api.session_turns import Solution
from maththera.api.sessions import EXAMPLE_SESSION, CauseName
from maththera.store.access.authorization import Principal
from maththera.tutoring.state import Phase
from maththera.tutoring.turns.events import Strict, TaskId

router = APIRouter(prefix="/api/v1", tags=["tutoring"], route_class=ApiRoute)

_TAG: Final = "OBS_FINGER_COUNTING"


class PlayedItem(Answer):
    """An item of a training that the child came to: its last answer to each step, how many tries that took, and whether
    the solution was shown."""

    item_id: str
    answers: list[int | str | None]
    tries: list[int]
    shown: bool


class SessionStep(Answer):
    """A turn. `task`: what the child saw, with `words` beside it; null where it is not known. `given`: its number,
    `input`: how it gave it; `found`: what it found at each step of the task; `aid`: it opened the picture; `played`: of
    a training. `solution`: what was solved together, shown after the answer. `seen`, `why`, `follows`: sentences for
    adults; `said`: the lines that the child was told then. `row`: of the transitions, by which the session went on."""

    turn: int
    phase: Phase | None
    task: TaskView | None
    words: list[str]
    given: int | None
    input: Literal["tap", "typed", "voice", "widget"] | None
    found: list[int | None]
    aid: bool
    played: list[PlayedItem]
    solution: Solution | None
    correct: bool | None
    seen: list[str]
    why: list[str]
    follows: list[str]
    said: list[str]
    row: str | None


class OpenTask(Answer):
    """What the child has before it now, and the tags that adults have seen at it."""

    phase: Phase
    task: TaskView
    words: list[str]
    observed: list[str]


class SessionSteps(Answer):
    """`open`: null once the session has ended."""

    model_config = example(
        {
            "session_id": EXAMPLE_SESSION["session_id"],
            "student_id": "s1",
            "started_at": "2026-11-21T01:12:00+00:00",
            "steps": [
                {
                    "turn": 1,
                    "phase": "normal",
                    "task": EXAMPLE_SESSION["task"],
                    "words": [],
                    "given": 14,
                    "input": "typed",
                    "found": [],
                    "aid": False,
                    "played": [],
                    "solution": None,
                    "correct": True,
                    "seen": ["14라고 답했어요.", "맞았어요."],
                    "why": [],
                    "follows": ["다음 단계로 나아가요."],
                    "said": ["정답이야!"],
                    "row": "1",
                }
            ],
            "open": {"phase": "normal", "task": EXAMPLE_SESSION["task"], "words": [], "observed": [_TAG]},
        }
    )

    session_id: str
    student_id: str
    started_at: Moment
    steps: list[SessionStep]
    open: OpenTask | None


class ObservationBody(Strict):
    """`POST /api/v1/sessions/{session_id}/observations`."""

    model_config = example({"task_id": "t1", "tags": [_TAG]})

    task_id: TaskId
    tags: Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(min_length=1, max_length=20)]


class TaskObservation(Answer):
    """`tags`: all that were seen at the task. `answered`: the task had its answer already. `cause`: what the tags that
    came after the answer say of it, where it was right and slow."""

    model_config = example(
        {
            "task_id": "t1",
            "tags": [_TAG],
            "answered": True,
            "cause": {"cause_tag": "MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK", "name": "10 만들기 대신 세기"},
        }
    )

    task_id: str
    tags: list[str]
    answered: bool
    cause: CauseName | None


class ObservationTag(Answer):
    tag: str
    description: str


class ObservationTags(Answer):
    model_config = example({"tags": [{"tag": _TAG, "description": "손가락을 하나씩 펴거나 접으며 센다"}]})

    tags: list[ObservationTag]


@router.get(
    "/sessions/{session_id}/steps",
    summary="A session step by step",
    response_description="Each turn, and the task that waits",
    response_model_exclude_unset=True,
)
async def list_steps(who: SessionAdult, services: Services, session_id: SessionId) -> SessionSteps:
    """For adults, also while the session goes on."""
    steps = await services.tutoring.steps(session_id)
    return SessionSteps.model_validate(role_redaction.redact_session(who.role, steps))


@router.get(
    "/observations",
    summary="What an adult may say that was seen",
    response_description="The tags",
    dependencies=[Depends(caller_with("guardian", "teacher", "author", "admin"))],
)
async def list_observations(services: Services) -> ObservationTags:
    """The tags of `POST /api/v1/sessions/{session_id}/observations`."""
    return ObservationTags(
        tags=[ObservationTag(tag=tag, description=one) for tag, one in services.tutoring.observations().items()]
    )


@router.post("/sessions/{session_id}/observations", summary="Tell what was seen at a task", response_description="Kept")
async def observe_task(
    request: Request,
    who: Annotated[Principal, Depends(session_speaker)],
    services: Services,
    session_id: SessionId,
    sent: JsonBody[ObservationBody],
) -> TaskObservation:
    """Tags sent before the task is answered become part of the answer. Tags sent later stand beside it in the trace;
    they may name a cause, but they change no task. The same tags again change nothing."""
    if (error := deferred_error(request)) is not None:
        raise error
    if who.role == "student":
        raise forbidden(who)
    found = await services.tutoring.observe(session_id, sent.task_id, sent.tags, "adult")
    await log_access(request, who, "session", await services.tutoring.owner(session_id))
    return TaskObservation.model_validate(found)
