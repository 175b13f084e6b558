"""Dependencies of routes about one session or one student: the caller, if they may see or change it."""

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeAlias

from fastapi import Depends, Request
from pydantic import ValidationError

from maththera.api.http_layer import identifiers
from maththera.api.http_layer.auth import (
    authorize,
    caller,
    forbidden,
    log_access,
    message_sender,
    require_consents,
    services_of,
)
from maththera.api.http_layer.identifiers import NAME, SessionId, StudentPath
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.store.access.authorization import Action, Principal, visible_students


def session_reader(*, adults_only: bool = False) -> Callable[..., Awaitable[Principal]]:
    """A dependency of routes with a `session_id`: the caller, if they may see this session. It logs the access."""

    async def admitted(request: Request, session_id: SessionId) -> Principal:
        who = await caller(request)
        student_id = await _owner(request, session_id)
        authorize(who, "read", student_id)
        await log_access(request, who, "session", student_id)
        if adults_only and who.role == "student":
            raise forbidden(who)
        return who

    return admitted


async def session_speaker(request: Request, session_id: SessionId) -> Principal:
    """A dependency as `session_reader`: the caller, if they may answer in this session. Other refusals, such as a
    missing consent, are left to `deferred_error`, as danger in the words is answered first."""
    who = await message_sender(request)
    student_id = await _owner(request, session_id)
    authorize(who, "write", student_id)
    await require_consents(request, student_id, speaks=True)
    return who


async def _owner(request: Request, session_id: str) -> str:
    if not NAME.fullmatch(session_id):
        raise ApiProblem("not_found", "There is no such session.")
    return await services_of(request).tutoring.owner(session_id)


def student_admission(
    action: Action, *, known: bool = True, adults_only: bool = False
) -> Callable[..., Awaitable[Principal]]:
    """A dependency of routes with a `student_id`: the caller, if they may do that with this student. `known`: 404 for
    an admin if there is no record of the student; for others their own students exist before the first record."""

    async def admitted(request: Request, student_id: StudentPath) -> Principal:
        who = await caller(request, fresh=True)
        try:
            identifiers.student_id.validate_python(student_id)
        except ValidationError:
            raise ApiProblem("not_found", "There is no such student.") from None
        authorize(who, action, student_id, what="student")
        if adults_only and who.role == "student":
            raise forbidden(who)
        roster = services_of(request).learners.roster
        if known and visible_students(who) is None and not await roster.known(student_id):
            raise ApiProblem("not_found", "There is no such student.")
        return who

    return admitted


SessionAdult: TypeAlias = Annotated[Principal, Depends(session_reader(adults_only=True))]
StudentReader: TypeAlias = Annotated[Principal, Depends(student_admission("read"))]
AdultReader: TypeAlias = Annotated[Principal, Depends(student_admission("read", adults_only=True))]
StudentTeacher: TypeAlias = Annotated[Principal, Depends(student_admission("review"))]
StudentExporter: TypeAlias = Annotated[Principal, Depends(student_admission("export"))]
StudentEraser: TypeAlias = Annotated[Principal, Depends(student_admission("erase"))]
ConsentGiver: TypeAlias = Annotated[Principal, Depends(student_admission("consent"))]
StudentRegistrar: TypeAlias = Annotated[Principal, Depends(student_admission("consent", known=False))]
StudentManager: TypeAlias = Annotated[Principal, Depends(student_admission("manage"))]
