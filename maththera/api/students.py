"""What is known of the children, for those who may know it: look, take out, agree, erase."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import ValidationError

from maththera.api import projection
from maththera.api import student_docs as docs
from maththera.api.auth import authorize, caller, resources
from maththera.api.bodies import read
from maththera.api.executions import answer
from maththera.api.problems import Problem
from maththera.api.schemas import student_id as known_id
from maththera.api.student_bodies import consent
from maththera.learners.access import Action, Principal, reviews, within_reach
from maththera.learners.consents import current

router = APIRouter(prefix="/api/v1/students", tags=["students"])

StudentId = Annotated[str, Path(description="As the sessions name the child.")]
Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
_NO_STORE: Final = {"Cache-Control": "no-store"}


@router.get("", summary="The students that the caller may see", **docs.STUDENTS)
async def students(
    request: Request,
    after: Annotated[str, Query(max_length=64, description="`next` of the page before.")] = "",
    limit: Limit = 100,
) -> Response:
    """In the order of their ids. An admin sees everybody of whom something is kept. `alerts`, the safety alerts that
    nobody has opened, are for teachers and admins."""
    who = await caller(request)
    roster = resources(request).learners.roster
    reach = within_reach(who)
    if reach is None:
        found = await roster.everybody(after, limit)
    else:
        found = await roster.these([one for one in sorted(reach) if one > after][:limit])
    alerts = await _unopened(request, who, [one.student_id for one in found])
    shown = [
        {
            "student_id": one.student_id,
            "sessions": one.sessions,
            "last_session_at": one.last_session_at.isoformat() if one.last_session_at else None,
            **({} if alerts is None else {"alerts": alerts.get(one.student_id, 0)}),
        }
        for one in found
    ]
    return answer({"students": shown, "next": found[-1].student_id if len(found) == limit else None})


@router.get("/{student_id}/summary", summary="A student at a glance", **docs.SUMMARY)
async def student_summary(request: Request, student_id: StudentId) -> Response:
    """A student's own token sees neither `patterns` nor `causes`."""
    who = await admit(request, student_id, "read")
    found = await resources(request).learners.profiles.summary(student_id)
    return answer(projection.of_student(who.role, found))


@router.get("/{student_id}/heatmap", summary="How surely each concept is known", **docs.HEATMAP)
async def student_heatmap(request: Request, student_id: StudentId) -> Response:
    """Computed from the answers as they are now."""
    await admit(request, student_id, "read")
    return answer(await resources(request).learners.profiles.heatmap(student_id))


@router.get("/{student_id}/sessions", summary="A student's sessions", **docs.SESSIONS)
async def student_sessions(
    request: Request,
    student_id: StudentId,
    before: Annotated[str | None, Query(max_length=64, description="`next` of the page before.")] = None,
    limit: Limit = 20,
) -> Response:
    who = await admit(request, student_id, "read")
    found = await resources(request).learners.profiles.sessions(student_id, limit, before)
    shown = [projection.of_student(who.role, one) for one in found]
    return answer({"sessions": shown, "next": found[-1]["session_id"] if len(found) == limit else None})


@router.get("/{student_id}/export", summary="Everything that is kept of a student", **docs.EXPORT)
async def export_student(request: Request, student_id: StudentId) -> Response:
    """Table by table, as a stream. Of reports and runs about several children, and of the tokens of adults who may see
    this child, only the outline; what another adult asked about the child is in an admin's export only, and what the
    child told of danger in no guardian's."""
    who = await admit(request, student_id, "export")
    document = resources(request).learners.export.document(student_id, who)
    headers = _NO_STORE | {"Content-Disposition": 'attachment; filename="export.json"'}
    return StreamingResponse(document, headers=headers, media_type="application/json")


@router.delete("/{student_id}", summary="Erase everything of a student", **docs.ERASE)
async def erase_student(request: Request, student_id: StudentId) -> Response:
    """Records, runs, reports and their files, working state, tokens: all of it, at once and for good."""
    await admit(request, student_id, "erase")
    found = resources(request)
    receipt = await found.learners.keeping.erase(student_id)
    found.tokens.forget()
    return answer(receipt.shown())


@router.get("/{student_id}/consents", summary="What has been agreed to", **docs.CONSENTS)
async def student_consents(request: Request, student_id: StudentId) -> Response:
    await admit(request, student_id, "read")
    return answer(await _consents(request, student_id))


@router.post("/{student_id}/consents", status_code=201, summary="Record a consent, or that it ends", **docs.CONSENT)
async def record_consent(request: Request, student_id: StudentId) -> Response:
    """Nothing is overwritten: the last word on each purpose counts."""
    who = await admit(request, student_id, "consent", known=False)
    sent = await read(request, consent)
    await resources(request).learners.consents.record(student_id, **sent.model_dump(), recorded_by=who.token_id)
    return answer(await _consents(request, student_id), 201)


async def admit(request: Request, student_id: str, action: Action, *, known: bool = True) -> Principal:
    """The caller, if they may do that with this student; `known`: only if anything is kept of the student.

    To those who may read of a student, one without records yet is there all the same."""
    who = await caller(request, fresh=True)
    try:
        known_id.validate_python(student_id)
    except ValidationError:
        raise Problem("not_found", "There is no such student.") from None
    authorize(who, action, student_id, what="student")
    if known and within_reach(who) is None and not await resources(request).learners.roster.known(student_id):
        raise Problem("not_found", "There is no such student.")
    return who


async def _unopened(request: Request, who: Principal, students: list[str]) -> Mapping[str | None, int] | None:
    """None for those who have nothing to do with alerts."""
    return await resources(request).learners.alerts.unopened(students) if reviews(who) else None


async def _consents(request: Request, student_id: str) -> Mapping[str, Any]:
    history = await resources(request).learners.consents.history(student_id)
    return {
        "student_id": student_id,
        "current": current(history),
        "history": [
            {
                "purpose": one.purpose,
                "granted": one.granted,
                "given_by": one.given_by,
                "note": one.note,
                "created_at": one.created_at.isoformat(),
            }
            for one in history
        ],
    }
