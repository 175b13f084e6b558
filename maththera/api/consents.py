"""What has been agreed to for a student."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from maththera.api.http_layer.admission import ConsentGiver, StudentReader
from maththera.api.http_layer.auth import Services, log_access
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.store.access.consents import Purpose, current_consents
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/students/{student_id}/consents", tags=["students"], route_class=ApiRoute)

_CONSENT = {"purpose": "records", "granted": True, "given_by": "보호자", "note": "2026-03-02 동의서"}


class ConsentBody(Strict):
    """`POST /api/v1/students/{student_id}/consents`. A withdrawal is recorded as well: `granted` false."""

    model_config = example(_CONSENT)

    purpose: Purpose
    granted: bool
    given_by: Annotated[str, Field(min_length=1, max_length=60, description="In which capacity, such as 보호자.")]
    note: Annotated[str, Field(min_length=1, max_length=500)] | None = None


class Consent(Answer):
    purpose: Purpose
    granted: bool
    given_by: str
    note: str | None
    created_at: Moment


class Consents(Answer):
    """`current`: the last entry of each purpose that has one; `history`: the newest first."""

    model_config = example(
        {
            "student_id": "s1",
            "current": {"records": True},
            "history": [{**_CONSENT, "created_at": "2026-03-02T01:00:00+00:00"}],
        }
    )

    student_id: str
    current: dict[Purpose, bool]
    history: list[Consent]


@router.get("", summary="What has been agreed to", response_description="What counts now, and the history")
async def list_consents(request: Request, who: StudentReader, services: Services, student_id: StudentPath) -> Consents:
    await log_access(request, who, "consents", student_id)
    return await _consents(services, student_id)


@router.post("", status_code=201, summary="Record a consent, or that it ends", response_description="Recorded")
async def record_consent(
    request: Request, who: ConsentGiver, services: Services, student_id: StudentPath, sent: JsonBody[ConsentBody]
) -> Consents:
    """Nothing is overwritten: the last entry of each purpose counts. Without `learning`, for a child below the age, no
    session begins; without `model` nothing of the child goes to a language model."""
    await log_access(request, who, "consents", student_id, "consent")
    await services.learners.consents.record(student_id, **sent.model_dump(), recorded_by=who.token_id)
    services.learners.consent_standings.forget(student_id)
    return await _consents(services, student_id)


async def _consents(services: Services, student_id: str) -> Consents:
    history = await services.learners.consents.history(student_id)
    shown = [Consent.model_validate(one) for one in history]
    return Consents.model_validate({"student_id": student_id, "current": current_consents(history), "history": shown})
