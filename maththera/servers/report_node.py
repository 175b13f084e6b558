"""`report-node-mcp`: reports as PDF, made from the records, opened by links that expire."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Final, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from maththera.korean.dates import in_korea
from maththera.learner_model.recorded_knowledge import school_date, today
from maththera.reports.pdf_rendering import Kind
from maththera.reports.records import Sources, Span
from maththera.reports.report_maker import CLASS_MOST, MadeReport, ReportLost, ReportMaker, span_until_today
from maththera.servers.toolkit.server_base import (
    WRITES,
    EndDate,
    ServerResources,
    StartDate,
    StudentId,
    make_server,
    period,
    serve,
    tool,
)

ReportType = Literal["diagnostic", "guardian", "class"]
"""As flows name the kinds: diagnostic is the teacher's."""

_KIND_OF_TYPE: Final[Mapping[ReportType, Kind]] = {"diagnostic": "teacher", "guardian": "guardian", "class": "class"}
_TYPE_OF_KIND: Final = {kind: report_type for report_type, kind in _KIND_OF_TYPE.items()}


class Report(BaseModel):
    """`pdf_url` opens without a token until `expires_at`; it begins with MATHTHERA_PUBLIC_URL. Both are null where no
    link opens the report any more."""

    pdf_url: str | None
    expires_at: str | None
    report_id: str
    report_type: ReportType
    title: str
    student_ids: list[str]
    start_date: str
    end_date: str
    pages: int
    created_at: str
    message: str | None = None


class Reports(BaseModel):
    """The newest first."""

    reports: list[Report]
    message: str | None = None


def _report(made: MadeReport) -> Report:
    """A report as tools tell it."""
    return Report(
        pdf_url=made.url,
        expires_at=in_korea(made.expires_at) if made.expires_at else None,
        report_id=made.report_id,
        report_type=_TYPE_OF_KIND[made.kind],
        title=made.title,
        student_ids=made.student_ids,
        start_date=made.since,
        end_date=made.until,
        pages=made.pages,
        created_at=in_korea(made.created_at),
        message="이 기간에는 풀이 기록이 없어 빈 보고서를 만들었습니다." if made.is_empty else None,
    )


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("report-node-mcp", world)
    maker = ReportMaker(world.database, world.settings, lambda: Sources.load(world.configs, world.bank, world.model))

    async def make(report_type: ReportType, title: str | None, students: Sequence[str], span: Span) -> Report:
        try:
            return _report(await maker.make(_KIND_OF_TYPE[report_type], students, span, title=title))
        except ReportLost:
            raise ToolError("보고서를 저장하지 못했습니다. 다시 시도해 주세요.") from None

    @tool(
        server,
        "학생의 진단 보고서(diagnostic), 가정 통신(guardian), 학급 보고서(class)를 PDF로 만들고 링크를 돌려줍니다.",
        WRITES,
    )
    async def generate_typst_report(  # noqa: PLR0913 - one argument of the tool each
        student_id: StudentId,
        report_type: ReportType,
        start_date: StartDate = None,
        end_date: EndDate = None,
        student_ids: Annotated[
            list[StudentId] | None,
            Field(min_length=1, max_length=CLASS_MOST, description="학급 보고서의 학생들. 없으면 같은 반 학생들"),
        ] = None,
        class_name: Annotated[str | None, Field(max_length=60, description="학급 보고서의 이름")] = None,
    ) -> Report:
        span = _span(start_date, end_date)
        if report_type != "class":
            if student_ids is not None:
                raise ToolError("student_ids: report_type이 class일 때만 쓸 수 있습니다.")
            return await make(report_type, None, [student_id], span)
        return await make("class", class_name, await _class_of(world, student_id, student_ids), span)

    @tool(server, "학생에 대해 지금까지 만든 보고서의 목록을 새것부터 보여 줍니다.")
    async def list_reports(
        student_id: StudentId, limit: Annotated[int, Field(ge=1, le=100, description="몇 개까지")] = 20
    ) -> Reports:
        found = [_report(one) for one in await maker.of_student(student_id, limit)]
        return Reports(reports=found, message=None if found else "이 학생의 보고서는 아직 없습니다.")

    @tool(server, "보고서 하나를 찾아 여는 링크와 함께 알려 줍니다.")
    async def get_report(
        report_id: Annotated[str, Field(min_length=1, max_length=64, description="보고서 ID")],
    ) -> Report:
        made = await maker.find(report_id)
        if made is None:
            raise ToolError(f"report_id: '{report_id}'라는 보고서는 없습니다.")
        return _report(made)

    return server


async def _class_of(world: ServerResources, student_id: str, named: Sequence[str] | None) -> list[str]:
    """The students of a class report: those that were named, or the classmates in the records."""
    students = sorted(set(named)) if named else await world.history.classmates(student_id)
    if len(students) > CLASS_MOST:
        raise ToolError(f"student_id: 이 학생의 반은 {len(students)}명으로, {CLASS_MOST}명을 넘습니다.")
    return students


def _span(start_date: str | None, end_date: str | None) -> Span:
    """The days of a report, both included; the last is today, and they are thirty, unless given."""
    chosen = period(start_date, end_date)
    # A moment's own day; the end of a whole day is the start of the next.
    until = school_date(chosen.until - timedelta(microseconds=1)) if chosen.until else today()
    try:
        return span_until_today(school_date(chosen.since) if chosen.since else None, until)
    except ValueError:
        raise ToolError(f"start_date: {start_date}은 보고서의 마지막 날({until})보다 뒤입니다.") from None


if __name__ == "__main__":
    serve(build)
