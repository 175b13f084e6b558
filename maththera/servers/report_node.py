"""`report-node-mcp`: reports as PDF, made from the records, opened by links that expire."""

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final, Literal, cast
from uuid import uuid4

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from maththera.json_types import JsonObject
from maththera.reports.contents import Sources, Span, class_report, student_report
from maththera.reports.pdf_rendering import Kind, Renderer
from maththera.reports.signed_links import LIFETIME_S, ReportLinks, report_file
from maththera.servers.toolkit.server_base import (
    KOREA,
    WRITES,
    EndDate,
    ServerResources,
    StartDate,
    StudentId,
    in_korea,
    make_server,
    period,
    serve,
    tool,
)
from maththera.store.answer_history import Answer
from maththera.store.reports import ReportRecords, ReportRow

_DAYS: Final = 30
"""The period of a report for which none is given."""

_CLASS_MOST: Final = 60
_TITLES: Final[dict[Kind, str]] = {"diagnostic": "진단 보고서", "guardian": "가정 통신", "class": "학급 보고서"}


class Report(BaseModel):
    """`pdf_url` opens without a token until `expires_at`; it begins with MATHTHERA_PUBLIC_URL."""

    pdf_url: str
    expires_at: str
    report_id: str
    report_type: Kind
    title: str
    student_ids: list[str]
    start_date: str
    end_date: str
    pages: int
    created_at: str
    message: str | None = None


class Reports(BaseModel):
    """The newest first, each with a fresh link."""

    reports: list[Report]
    message: str | None = None


class _ReportMaker:
    """The tools' common ground: records, renderer, links."""

    def __init__(self, world: ServerResources) -> None:
        self.world = world
        self.records = ReportRecords(world.database)
        self._renderer = Renderer()

    async def make(self, kind: Kind, title: str, students: Sequence[str], span: Span) -> Report:
        """Renders the report unless the same one is there already: the same children, days and records."""
        found = await self._answers(students, span)
        data = self._data(kind, title, span, found)
        text = json.dumps([kind, [*students], data], ensure_ascii=False, sort_keys=True)
        report_id = hashlib.sha256(text.encode()).hexdigest()[:24]
        if (row := await self.records.find(report_id)) is None or not self._file(report_id).exists():
            midnight = datetime.combine(span.until, datetime.min.time(), KOREA)
            pdf = await asyncio.to_thread(self._renderer.pdf, kind, data, midnight)
            await asyncio.to_thread(_write, self._file(report_id), pdf.content)
            await self.records.save(
                report_id,
                kind=kind,
                title=title,
                student_ids=students,
                since=span.since.isoformat(),
                until=span.until.isoformat(),
                pages=pdf.pages,
                told=[student_id for student_id, own in found.items() if own],
            )
            row = await self.records.find(report_id)
        if row is None:
            self._file(report_id).unlink(missing_ok=True)
            raise ToolError("보고서를 저장하지 못했습니다. 다시 시도해 주세요.")
        empty = not data["totals"]["answered"]
        return self.shown(row, "이 기간에는 풀이 기록이 없어 빈 보고서를 만들었습니다." if empty else None)

    def shown(self, row: ReportRow, message: str | None = None) -> Report:
        """A report as tools tell it, with a fresh link."""
        settings, expires = self.world.settings, datetime.now(UTC) + timedelta(seconds=LIFETIME_S)
        return Report(
            pdf_url=f"{settings.public_url}{ReportLinks.of(settings.data_dir).sign(row.report_id)}",
            expires_at=in_korea(expires),
            report_id=row.report_id,
            report_type=cast("Kind", row.kind),
            title=row.title,
            student_ids=row.student_ids,
            start_date=row.since,
            end_date=row.until,
            pages=row.pages,
            created_at=in_korea(row.created_at),
            message=message,
        )

    async def _answers(self, students: Sequence[str], span: Span) -> dict[str, list[Answer]]:
        after = datetime.combine(span.until + timedelta(days=1), datetime.min.time(), KOREA)
        return await self.world.history.answers_of(students, until=after)

    def _data(self, kind: Kind, title: str, span: Span, found: Mapping[str, list[Answer]]) -> JsonObject:
        world = self.world
        sources = Sources(world.graph, world.model, world.texts, world.bank)
        first = datetime.combine(span.since, datetime.min.time(), KOREA)
        if kind == "class":
            named = f"학생 {len(found)}명" if title == _TITLES[kind] else title
            return class_report(named, found, span, sources)
        ((student_id, own),) = found.items()
        earlier = [answer for answer in own if answer.created_at < first]
        return student_report(student_id, own[len(earlier) :], earlier, span, sources)

    def _file(self, report_id: str) -> Path:
        return report_file(self.world.settings.data_dir, report_id)


def build(world: ServerResources) -> MCPServer[None]:
    server = make_server("report-node-mcp", world)
    node = _ReportMaker(world)

    @tool(
        server,
        "학생의 진단 보고서(diagnostic), 가정 통신(guardian), 학급 보고서(class)를 PDF로 만들고 링크를 돌려줍니다.",
        WRITES,
    )
    async def generate_typst_report(  # noqa: PLR0913 - one argument of the tool each
        student_id: StudentId,
        report_type: Literal["diagnostic", "guardian", "class"],
        start_date: StartDate = None,
        end_date: EndDate = None,
        student_ids: Annotated[
            list[StudentId] | None,
            Field(min_length=1, max_length=_CLASS_MOST, description="학급 보고서의 학생들. 없으면 같은 반 학생들"),
        ] = None,
        class_name: Annotated[str | None, Field(max_length=60, description="학급 보고서의 이름")] = None,
    ) -> Report:
        span = _span(start_date, end_date)
        if report_type != "class":
            if student_ids is not None:
                raise ToolError("student_ids: report_type이 class일 때만 쓸 수 있습니다.")
            return await node.make(report_type, _TITLES[report_type], [student_id], span)
        students = sorted(set(student_ids)) if student_ids else await world.history.classmates(student_id)
        if len(students) > _CLASS_MOST:
            raise ToolError(f"student_id: 이 학생의 반은 {len(students)}명으로, {_CLASS_MOST}명을 넘습니다.")
        return await node.make("class", class_name or _TITLES["class"], students, span)

    @tool(server, "학생에 대해 지금까지 만든 보고서의 목록을 새것부터 보여 줍니다.")
    async def list_reports(
        student_id: StudentId, limit: Annotated[int, Field(ge=1, le=100, description="몇 개까지")] = 20
    ) -> Reports:
        found = [node.shown(row) for row in await node.records.of_student(student_id, limit)]
        return Reports(reports=found, message=None if found else "이 학생의 보고서는 아직 없습니다.")

    @tool(server, "보고서 하나를 찾아 새 링크와 함께 알려 줍니다.")
    async def get_report(
        report_id: Annotated[str, Field(min_length=1, max_length=64, description="보고서 ID")],
    ) -> Report:
        row = await node.records.find(report_id)
        if row is None:
            raise ToolError(f"report_id: '{report_id}'라는 보고서는 없습니다.")
        return node.shown(row)

    return server


def _span(start_date: str | None, end_date: str | None) -> Span:
    """The days of a report, both included; the last is today and the first thirty days before it, unless given."""
    chosen = period(start_date, end_date)
    # A moment's own day; the end of a whole day is the start of the next.
    last = chosen.until - timedelta(microseconds=1) if chosen.until else datetime.now(KOREA)
    until = last.astimezone(KOREA).date()
    since = chosen.since.astimezone(KOREA).date() if chosen.since else until - timedelta(days=_DAYS)
    if since > until:
        raise ToolError(f"start_date: {start_date}은 보고서의 마지막 날({until})보다 뒤입니다.")
    return Span(since, until)


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{uuid4().hex}")
    fresh.write_bytes(content)
    fresh.replace(path)


if __name__ == "__main__":
    serve(build)
