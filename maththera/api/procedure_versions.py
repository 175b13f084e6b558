"""Versions of the learned procedures, and the sessions that began under each."""

from typing import Annotated

from fastapi import APIRouter, Path, Request

from maththera.api.http_layer.auth import Services, log_reads
from maththera.api.http_layer.identifiers import ROW_LIMIT, Limit
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.api.procedures import Adult
from maththera.store.access.authorization import visible_students

router = APIRouter(prefix="/api/v1/procedures/versions", tags=["reviews"], route_class=ApiRoute)


class ProcedureVersion(Answer):
    """`names`: the procedures in force. `sessions`: how many began under it, of how many `children`.
    Nobody made version 0."""

    version: int
    names: list[str]
    changed_by: str | None
    changed_name: str | None
    created_at: Moment | None
    sessions: int
    children: int


class ProcedureVersions(Answer):
    """The newest first."""

    model_config = example(
        {
            "versions": [
                {
                    "version": 1,
                    "names": ["learned_5f0c9be2a14c4b8f"],
                    "changed_by": "7be41a90",
                    "changed_name": "박 선생님",
                    "created_at": "2026-11-22T02:00:00+00:00",
                    "sessions": 31,
                    "children": 12,
                },
                {
                    "version": 0,
                    "names": [],
                    "changed_by": None,
                    "changed_name": None,
                    "created_at": None,
                    "sessions": 240,
                    "children": 60,
                },
            ]
        }
    )

    versions: list[ProcedureVersion]


class SessionOfVersion(Answer):
    session_id: str
    student_id: str
    created_at: Moment


class SessionsOfVersion(Answer):
    """The newest first."""

    model_config = example(
        {
            "sessions": [
                {
                    "session_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11",
                    "student_id": "s1",
                    "created_at": "2026-11-22T03:00:00+00:00",
                }
            ]
        }
    )

    sessions: list[SessionOfVersion]


@router.get("", summary="Versions of the learned procedures", response_description="The newest first")
async def list_procedure_versions(_: Adult, services: Services) -> ProcedureVersions:
    """Every approval and every switching off makes one; a session keeps to the one under which it began."""
    rows = await services.learners.procedures.versions()
    return ProcedureVersions(versions=[ProcedureVersion.model_validate(row) for row in rows])


@router.get(
    "/{version}/sessions",
    summary="Sessions that began under a version",
    response_description="The newest first",
)
async def list_version_sessions(
    request: Request,
    who: Adult,
    services: Services,
    version: Annotated[int, Path(ge=0, lt=ROW_LIMIT, description="As the list of versions shows it.")],
    limit: Limit = 50,
) -> SessionsOfVersion:
    """Those of the caller's students."""
    rows = await services.learners.procedures.sessions_of(version, visible_students(who), limit)
    await log_reads(request, who, "sessions", [row.student_id for row in rows])
    return SessionsOfVersion(sessions=[SessionOfVersion.model_validate(row) for row in rows])
