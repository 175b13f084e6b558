"""Finished reports: a signed link opens them until it expires."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import FileResponse

from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.openapi_document import PUBLIC, errors
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.reports.signed_links import LinkRefused, report_file

router = APIRouter(prefix="/api/v1/reports", tags=["reports"], route_class=ApiRoute)


_PDF: Final[dict[int | str, Any]] = {
    200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}, "example": "%PDF-1.7 …"}}}
}


class PdfResponse(FileResponse):
    media_type = "application/pdf"


@router.get(
    "/{report_id}.pdf",
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
