"""Answers of the assistant that were saved as files."""

from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response

from maththera.api.http_layer.auth import Caller, Services, log_access
from maththera.api.http_layer.identifiers import HEX_ID
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.openapi_document import Responses
from maththera.api.http_layer.problem_details import ApiProblem

router = APIRouter(prefix="/api/v1/files", tags=["papers"], route_class=ApiRoute)

_CONTENT: Final[Responses] = {
    200: {
        "content": {
            "text/markdown": {"schema": {"type": "string"}, "example": "# 받아올림이 뭐야?\n\n…"},
            "text/csv": {"schema": {"type": "string"}, "example": "학생,푼 문제\n하늘,60\n"},
        }
    }
}


class MarkdownResponse(Response):
    media_type = "text/markdown"


@router.get(
    "/{file_id}",
    summary="Download a saved answer",
    response_description="The file",
    response_class=MarkdownResponse,
    responses=_CONTENT,
)
async def download_file(
    request: Request,
    who: Caller,
    services: Services,
    file_id: Annotated[str, Path(description="As the answer's link has it.")],
) -> MarkdownResponse:
    """Only for the person who saved it, and for some time."""
    found = await services.assistant.files.find(who, file_id) if HEX_ID.fullmatch(file_id) else None
    if found is None:
        raise ApiProblem("not_found", "There is no such file.")
    await log_access(request, who, "file", found.student_id)
    kind = "csv" if found.name.endswith(".csv") else "md"
    headers = {
        "Cache-Control": "private, no-store",
        "Content-Disposition": f"attachment; filename=\"answer.{kind}\"; filename*=UTF-8''{quote(found.name)}",
    }
    return MarkdownResponse(found.text, headers=headers, media_type="text/csv" if kind == "csv" else None)
