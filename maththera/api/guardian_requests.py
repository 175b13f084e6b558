"""What guardians ask the school for: a correction, or an erasure; and what the school has done about it."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request

from maththera.api.http_layer.admission import StudentExporter
from maththera.api.http_layer.auth import Services, authorize, caller_with, log_access, log_reads
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.store.access.authorization import Principal, is_allowed, visible_students
from maththera.store.guardian_requests import GuardianRequest, RequestKind, Subject
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1", tags=["students"], route_class=ApiRoute)

_SHOWN: Final = {
    "request_id": "9b1c6f0de0a94a7d8a55b6f0a4c2e713",
    "student_id": "s1",
    "called": "하늘",
    "kind": "correction",
    "about": "name",
    "created_at": "2026-11-22T01:10:00+00:00",
    "done_at": None,
}
_Adult = Annotated[Principal, Depends(caller_with("guardian", "teacher", "admin"))]


class RequestBody(Strict):
    """`POST /api/v1/students/{student_id}/requests`. `about`: which of the child's records; `everything` belongs to an
    erasure."""

    model_config = example({"kind": "correction", "about": "name"}, {"kind": "erasure", "about": "everything"})

    kind: RequestKind
    about: Subject


class RequestView(Answer):
    """`called`: what adults call the child. `done_at`: when the school said that it was done; null while it is open."""

    model_config = example(_SHOWN)

    request_id: str
    student_id: str
    called: str
    kind: RequestKind
    about: Subject
    created_at: Moment
    done_at: Moment | None


class RequestList(Answer):
    """The newest first."""

    model_config = example({"requests": [_SHOWN]})

    requests: list[RequestView]


@router.get("/requests", summary="What guardians have asked for", response_description="Of the caller's students")
async def list_requests(
    request: Request,
    who: _Adult,
    services: Services,
    done: Annotated[bool, Query(description="Also those that are done.")] = False,
) -> RequestList:
    found = await services.learners.requests.of_students(visible_students(who), open_only=not done)
    await log_reads(request, who, "request", [one.student_id for one in found])
    return RequestList(requests=await _shown(services, who, *found))


@router.post(
    "/students/{student_id}/requests",
    status_code=201,
    summary="Ask for a correction or an erasure",
    response_description="The request",
)
async def ask_school(
    request: Request, who: StudentExporter, services: Services, student_id: StudentPath, sent: JsonBody[RequestBody]
) -> RequestView:
    """The same request while it is open is the one that is there already. Nothing is changed by it: a teacher or an
    admin does that, and says so."""
    await log_access(request, who, "request", student_id)
    made = await services.learners.requests.add(student_id, sent.kind, sent.about, who.token_id)
    (shown,) = await _shown(services, who, made)
    return shown


@router.post("/requests/{request_id}/done", summary="Say that a request is done", response_description="The request")
async def finish_request(
    request: Request, who: _Adult, services: Services, request_id: Annotated[str, Path(description="Of the list.")]
) -> RequestView:
    """For teachers and admins. Done stays done."""
    found = await services.learners.requests.find(request_id)
    if found is None or not is_allowed(who, "read", found.student_id):
        raise ApiProblem("not_found", "There is no such request.")
    authorize(who, "review", found.student_id)
    await log_access(request, who, "request", found.student_id, "change")
    await services.learners.requests.done(request_id, who.token_id)
    (shown,) = await _shown(services, who, await services.learners.requests.find(request_id) or found)
    return shown


async def _shown(services: Services, who: Principal, *found: GuardianRequest) -> list[RequestView]:
    called = await services.learners.records.called({one.student_id for one in found}, visible_students(who))
    return [from_row(RequestView, one, called=called[one.student_id]) for one in found]
