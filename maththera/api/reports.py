"""Finished reports, for whoever holds a link that was signed and has not expired."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse

from maththera.api import flow_docs as docs
from maththera.api.auth import resources
from maththera.api.problems import Problem
from maththera.reports.links import LinkRefused, report_file

router = APIRouter(prefix="/api/v1/reports", tags=["reports"])


@router.get("/{report_id}.pdf", summary="Open a report", **docs.REPORT)
async def report(
    request: Request,
    report_id: Annotated[str, Path(description="Of the link that a tool gave.")],
    expires: Annotated[str, Query(description="Seconds since 1970.")] = "",
    signature: Annotated[str, Query(description="Of the link, as it is.")] = "",
) -> Response:
    """No token: guardians open it from a letter. Refused links answer 404 like reports that there are not."""
    found = resources(request)
    try:
        path = report_file(found.data_dir, found.reports.check_parts(report_id, expires, signature))
    except LinkRefused as refused:
        why = "The link has expired; ask for a new one." if refused.expired else "There is no such report."
        raise Problem("not_found", why) from None
    if not path.is_file():
        raise Problem("not_found", "There is no such report.")
    headers = {"Cache-Control": "private, no-store"}
    return FileResponse(path, media_type="application/pdf", headers=headers, content_disposition_type="inline")
