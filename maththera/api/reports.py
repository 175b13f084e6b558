"""Reports: made for a student or its class, listed, and opened by a signed link until it expires."""

from datetime import date
from pathlib import Path as FilePath
from typing import Annotated, Final, Self

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from pydantic import Field, model_validator

from maththera.api.http_layer.admission import StudentExporter
from maththera.api.http_layer.auth import Services, authorize, forbidden, log_access, log_reads
from maththera.api.http_layer.identifiers import StudentId, StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import PDF, PUBLIC, errors
from maththera.api.http_layer.problem_details import ApiProblem, invalid_field
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.api.services import OpenServices
from maththera.json_types import JsonObject
from maththera.reports.pdf_rendering import Kind
from maththera.reports.report_maker import CLASS_MOST, MadeReport, ReportLost, span_until_today
from maththera.reports.signed_links import LinkRefused, report_file
from maththera.reports.teacher_report import Person
from maththera.store.access.authorization import Principal, may_review, visible_students
from maththera.store.reports import ReportRow
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1", tags=["reports"], route_class=ApiRoute)


class PdfResponse(FileResponse):
    media_type = "application/pdf"


ReportPath = Annotated[str, Path(max_length=64, description="Of the list of reports.")]


@router.get(
    "/reports/{report_id}.pdf",
    summary="Open a report",
    response_description="The PDF",
    response_class=PdfResponse,
    responses=PDF,
    openapi_extra=PUBLIC,
)
async def open_report(
    request: Request,
    services: Services,
    report_id: ReportPath,
    link: Annotated[str, Query(description="Of the link, as it is.")] = "",
    signature: Annotated[str, Query(description="Of the link, as it is.")] = "",
) -> Response:
    """No token: guardians open it from a letter. A refused link answers 404, as a report that does not exist; in a
    browser with a page that says what to do. Each opening is in the access log."""
    try:
        path, students = await _opened(services, report_id, link, signature)
    except ApiProblem:
        if "text/html" in request.headers.get("accept", ""):
            return HTMLResponse(_REFUSED, 404, {"Cache-Control": "no-store"})
        raise
    await services.learners.access_log.opened(report_id, students)
    request.scope["state"]["access_logged"] = True
    return PdfResponse(path, headers={"Cache-Control": "private, no-store"}, content_disposition_type="inline")


async def _opened(services: OpenServices, report_id: str, link: str, signature: str) -> tuple[FilePath, list[str]]:
    """The file of a report, whose link is now marked as opened, and the students that it is about. Problem 404 for a
    link that opens nothing."""
    try:
        services.reports.check(report_id, link, signature)
    except LinkRefused:
        raise _no_report() from None
    row, path = await services.learners.reports.find(report_id), report_file(services.data_dir, report_id)
    if row is None or not path.is_file():
        raise _no_report()
    if not await services.learners.reports.open_link(report_id, link):
        raise ApiProblem("not_found", "The link has expired or was ended; ask for a new one.")
    return path, row.student_ids


_REFUSED: Final = """\
<!doctype html>
<html lang="ko">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>열 수 없는 링크</title>
<h1>이 링크로는 열 수 없어요.</h1>
<p>기간이 지났거나 학교에서 끝낸 링크예요. 보내 주신 선생님께 새 링크를 부탁해 주세요.</p>
</html>
"""

_LINK: Final[JsonObject] = {
    "link_id": "89abcdef01234567",
    "url": "http://127.0.0.1:8000/api/v1/reports/0123456789abcdef01234567.pdf?link=89abcdef01234567&signature=…",
    "made_at": "2026-11-21T02:00:00+00:00",
    "expires_at": "2026-11-28T02:00:00+00:00",
    "opened_at": None,
}
_REPORT: Final[JsonObject] = {
    "report_id": "0123456789abcdef01234567",
    "kind": "teacher",
    "title": "학습 진단 보고서",
    "student_ids": ["s1"],
    "since": "2026-10-23",
    "until": "2026-11-21",
    "pages": 4,
    "created_at": "2026-11-21T02:00:00+00:00",
    "url": _LINK["url"],
    "expires_at": _LINK["expires_at"],
    "links": [_LINK],
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


class ReportLink(Answer):
    """`url` opens the report without a token until `expires_at`, unless it is ended before; `opened_at`: when it last
    did."""

    model_config = example(_LINK)

    link_id: str
    url: str
    made_at: Moment
    expires_at: Moment
    opened_at: Moment | None


class StudentReport(Answer):
    """`links` are those that open it now, the newest first; `url` and `expires_at` are the newest one's, null without
    one. A class's report is in the list of each of its children."""

    model_config = example(_REPORT)

    report_id: str
    kind: Kind
    title: str
    student_ids: list[str]
    since: date
    until: date
    pages: int
    created_at: Moment
    url: str | None
    expires_at: Moment | None
    links: list[ReportLink]


class StudentReports(Answer):
    """The newest first."""

    model_config = example({"reports": [_REPORT]})

    reports: list[StudentReport]


@router.get(
    "/students/{student_id}/reports",
    summary="The reports on a student",
    response_description="The reports, the newest first",
)
async def list_reports(
    request: Request,
    who: StudentExporter,
    services: Services,
    student_id: StudentPath,
    limit: Annotated[int, Query(ge=1, le=100, description="How many at most.")] = 20,
) -> StudentReports:
    """A guardian sees only letters; other people's children are 404."""
    await log_access(request, who, "reports", student_id)
    found = await services.report_maker.of_student(student_id, limit)
    return StudentReports(reports=[StudentReport.model_validate(one) for one in found if _may_have(who, one)])


@router.post(
    "/students/{student_id}/reports",
    status_code=201,
    summary="Make a report on a student, or on its class",
    response_description="The report",
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
        raise invalid_field("body.from", str(error)) from None
    person = Person(sent.name, sent.grade, sent.teacher)
    try:
        made = await services.report_maker.make(sent.kind, students, span, title=sent.class_name, person=person)
    except ReportLost:
        raise ApiProblem("not_found", "There is no such student.") from None
    return StudentReport.model_validate(made)


@router.post(
    "/students/{student_id}/reports/{report_id}/links",
    status_code=201,
    summary="Give another link to a report",
    response_description="The link",
    responses=errors("invalid_input"),
)
async def give_link(
    request: Request, who: StudentExporter, services: Services, student_id: StudentPath, report_id: ReportPath
) -> ReportLink:
    """Whoever has the link opens the report without a token: give each person its own, and end the one that went
    astray."""
    await _own_report(request, who, services, student_id, report_id)
    link = await services.report_maker.new_link(report_id)
    if link is None:
        raise _no_report()
    return ReportLink.model_validate(link)


@router.delete(
    "/students/{student_id}/reports/{report_id}/links/{link_id}",
    status_code=204,
    summary="End a link to a report",
    response_description="It opens nothing any more",
    responses=errors("invalid_input"),
)
async def end_link(
    request: Request,
    who: StudentExporter,
    services: Services,
    student_id: StudentPath,
    report_id: ReportPath,
    link_id: Annotated[str, Path(min_length=1, max_length=32, description="Of the list of reports.")],
) -> None:
    """At once, everywhere. The other links to the report stay as they are."""
    await _own_report(request, who, services, student_id, report_id)
    if not await services.report_maker.end_link(report_id, link_id):
        raise ApiProblem("not_found", "There is no such link.")


async def _own_report(
    request: Request, who: Principal, services: OpenServices, student_id: str, report_id: str
) -> None:
    """Problem 404 unless this is a report on the child that the caller may have."""
    row = await services.learners.reports.find(report_id)
    if row is None or student_id not in row.student_ids or not _may_have(who, row):
        raise _no_report()
    await log_reads(request, who, "reports", row.student_ids, "change")


def _may_have(who: Principal, report: MadeReport | ReportRow) -> bool:
    reach = visible_students(who)
    return _is_for(who, report.kind) and (reach is None or reach.issuperset(report.student_ids))


def _is_for(who: Principal, kind: str) -> bool:
    return kind == "guardian" or may_review(who)


def _no_report() -> ApiProblem:
    return ApiProblem("not_found", "There is no such report.")


async def _students(services: Services, who: Principal, student_id: str, sent: ReportBody) -> list[str]:
    if sent.kind != "class":
        return [student_id]
    if sent.student_ids is not None:
        for one in sent.student_ids:
            authorize(who, "export", one, what="student")
        return sorted({student_id, *sent.student_ids})
    students = sorted(who.subject) or await services.learners.profiles.history.classmates(student_id)
    if len(students) > CLASS_MOST:
        raise invalid_field("body.student_ids", f"{len(students)} children are more than {CLASS_MOST}; name some")
    return students
