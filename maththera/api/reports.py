"""Reports: made for a student or its class, listed, and opened by a signed link until it expires."""

from datetime import date
from typing import Annotated, Any, Final, Self

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import FileResponse
from pydantic import Field, model_validator

from maththera.api.http_layer.admission import StudentExporter
from maththera.api.http_layer.auth import Services, authorize, forbidden, log_access, log_reads
from maththera.api.http_layer.identifiers import StudentId, StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import PUBLIC, errors
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.reports.pdf_rendering import Kind
from maththera.reports.report_maker import CLASS_MOST, MadeReport, ReportLost, span_until_today
from maththera.reports.signed_links import LinkRefused, report_file
from maththera.reports.teacher_report import Person
from maththera.store.access.authorization import Principal, may_review, visible_students
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1", tags=["reports"], route_class=ApiRoute)


_PDF: Final[dict[int | str, Any]] = {
    200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}, "example": "%PDF-1.7 …"}}}
}


class PdfResponse(FileResponse):
    media_type = "application/pdf"


@router.get(
    "/reports/{report_id}.pdf",
    summary="Open a report",
    response_description="The PDF",
    response_class=PdfResponse,
    responses=_PDF | errors("not_found"),
    openapi_extra=PUBLIC,
)
async def open_report(
    request: Request,
    services: Services,
    report_id: Annotated[str, Path(description="Of the link that a tool gave.")],
    expires: Annotated[str, Query(description="Seconds since 1970.")] = "",
    signature: Annotated[str, Query(description="Of the link, as it is.")] = "",
) -> PdfResponse:
    """No token: guardians open it from a letter. A refused link answers 404, as a report that does not exist. Each
    opening is in the access log."""
    try:
        path = report_file(services.data_dir, services.reports.check_parts(report_id, expires, signature))
    except LinkRefused as refused:
        why = "The link has expired; ask for a new one." if refused.expired else "There is no such report."
        raise ApiProblem("not_found", why) from None
    row = await services.learners.reports.find(report_id)
    if row is None or not path.is_file():
        raise ApiProblem("not_found", "There is no such report.")
    await services.learners.access_log.opened(report_id, row.student_ids)
    request.scope["state"]["access_logged"] = True
    return PdfResponse(path, headers={"Cache-Control": "private, no-store"}, content_disposition_type="inline")


_REPORT: Final[dict[str, Any]] = {
    "report_id": "0123456789abcdef01234567",
    "kind": "teacher",
    "title": "학습 진단 보고서",
    "student_ids": ["s1"],
    "since": "2026-10-22",
    "until": "2026-11-21",
    "pages": 4,
    "created_at": "2026-11-21T02:00:00+00:00",
    "url": "http://127.0.0.1:8000/api/v1/reports/0123456789abcdef01234567.pdf?expires=1795744800&signature=…",
    "expires_at": "2026-11-28T02:00:00+00:00",
}

Words = Annotated[str, Field(min_length=1, max_length=60)]


class ReportBody(Strict):
    """`POST /api/v1/students/{student_id}/reports`. `from` to `to`, both included: the last thirty days unless given.
    `name`, `grade` and `teacher` are printed; without them there is a line to write on. `class_name` and `student_ids`
    belong to the kind class; without the latter it is on all children of the caller."""

    model_config = example(
        {"kind": "teacher", "from": "2026-03-02", "to": "2026-07-17", "name": "김지우", "grade": "3학년 2반"},
        {"kind": "guardian"},
    )

    kind: Kind
    since: date | None = Field(None, alias="from")
    until: date | None = Field(None, alias="to")
    name: Words | None = None
    grade: Words | None = None
    teacher: Words | None = None
    class_name: Words | None = None
    student_ids: Annotated[list[StudentId], Field(min_length=1, max_length=CLASS_MOST)] | None = None

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if self.kind != "class" and (self.class_name is not None or self.student_ids is not None):
            raise ValueError("class_name and student_ids belong to the kind class")
        return self


class StudentReport(Answer):
    """`url` opens it without a token until `expires_at`. A class's report is in the list of each of its children."""

    model_config = example(_REPORT)

    report_id: str
    kind: Kind
    title: str
    student_ids: list[str]
    since: date
    until: date
    pages: int
    created_at: Moment
    url: str
    expires_at: Moment


class StudentReports(Answer):
    """The newest first."""

    model_config = example({"reports": [_REPORT]})

    reports: list[StudentReport]


@router.get(
    "/students/{student_id}/reports",
    summary="The reports on a student",
    response_description="The reports, the newest first",
    responses=errors("not_found"),
)
async def list_reports(
    request: Request,
    who: StudentExporter,
    services: Services,
    student_id: StudentPath,
    limit: Annotated[int, Query(ge=1, le=100, description="How many at most.")] = 20,
) -> StudentReports:
    """Each report comes with a fresh link. A guardian sees only letters; other people's children are 404."""
    await log_access(request, who, "reports", student_id)
    found = await services.report_maker.of_student(student_id, limit)
    reach = visible_students(who)
    own = [one for one in found if reach is None or reach.issuperset(one.student_ids)]
    return StudentReports(reports=[_shown(one) for one in own if _is_for(who, one.kind)])


@router.post(
    "/students/{student_id}/reports",
    status_code=201,
    summary="Make a report on a student, or on its class",
    response_description="The report",
    responses=errors("not_found"),
)
async def make_report(
    request: Request, who: StudentExporter, services: Services, student_id: StudentPath, sent: JsonBody[ReportBody]
) -> StudentReport:
    """`teacher` for a support plan, `guardian` a letter, `class` who needs what today. Guardians can have the letter.
    The same records make the same report, with the same id."""
    if not _is_for(who, sent.kind):
        raise forbidden(who)
    students = await _students(services, who, student_id, sent)
    await log_reads(request, who, "reports", students)
    try:
        span = span_until_today(sent.since, sent.until)
    except ValueError as error:
        raise _bad("body.from", str(error)) from None
    person = Person(sent.name, sent.grade, sent.teacher)
    try:
        made = await services.report_maker.make(sent.kind, students, span, title=sent.class_name, person=person)
    except ReportLost:
        raise ApiProblem("not_found", "There is no such student.") from None
    return _shown(made)


def _is_for(who: Principal, kind: Kind) -> bool:
    return kind == "guardian" or may_review(who)


async def _students(services: Services, who: Principal, student_id: str, sent: ReportBody) -> list[str]:
    if sent.kind != "class":
        return [student_id]
    if sent.student_ids is not None:
        for one in sent.student_ids:
            authorize(who, "export", one, what="student")
        return sorted({student_id, *sent.student_ids})
    students = sorted(who.subject) or await services.learners.profiles.history.classmates(student_id)
    if len(students) > CLASS_MOST:
        raise _bad("body.student_ids", f"{len(students)} children are more than {CLASS_MOST}; name some")
    return students


def _bad(loc: str, reason: str) -> ApiProblem:
    return ApiProblem("invalid_input", f"{loc}: {reason}", errors=[{"loc": loc, "msg": reason}])


def _shown(made: MadeReport) -> StudentReport:
    shown = {name: getattr(made, name) for name in StudentReport.model_fields}
    days = {"since": date.fromisoformat(made.since), "until": date.fromisoformat(made.until)}
    return StudentReport(**shown | days)
