"""What an adult beside the child saw at a task."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from maththera.api.http_layer.admission import session_speaker
from maththera.api.http_layer.auth import Services, deferred_error, forbidden, log_access
from maththera.api.http_layer.identifiers import SessionId
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.sessions import CauseName
from maththera.store.access.authorization import Principal
from maththera.tutoring.turns.events import Strict, TaskId

router = APIRouter(prefix="/api/v1/sessions", tags=["tutoring"], route_class=ApiRoute)

_TAG = "OBS_FINGER_COUNTING"


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


@router.post("/{session_id}/observations", summary="Tell what was seen at a task", response_description="Kept")
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
