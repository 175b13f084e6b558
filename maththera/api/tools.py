"""The tools that flows may call."""

from fastapi import APIRouter, Request, Response

from maththera.api import flow_docs as docs
from maththera.api.auth import resources
from maththera.api.executions import answer, worker

router = APIRouter(prefix="/api/v1/tools", tags=["flows"])


@router.get("", summary="All tools of all MCP servers", **docs.TOOLS)
async def tools(request: Request) -> Response:
    """As the servers describe them now, and how each server is."""
    await worker(request)
    files = resources(request).executions.runner.files
    await files.catalog()
    found = [
        {
            "server": spec.server,
            "name": spec.name,
            "description": spec.description,
            "input_schema": spec.input_schema,
            "output_schema": spec.output_schema,
            "writes": spec.writes,
            "idempotent": spec.idempotent,
        }
        for specs in files.tools().values()
        for spec in specs.values()
    ]
    return answer({"tools": found, "servers": files.health()})
