"""The servers' tools for any MCP client: `/mcp/{server}` over streamable HTTP, with the token and the rights of its
holder. Every request stands alone, so any worker may answer it.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import orjson
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.types import Receive, Scope, Send

from maththera.api.auth import resources
from maththera.api.executions import worker
from maththera.api.hearing import danger_in
from maththera.api.problems import Problem
from maththera.executions.guard import GuardedTools
from maththera.runtime.tools import ToolError, Tools, ToolSpec
from maththera.words.safety import Place

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

router = APIRouter(include_in_schema=False)


def install(app: FastAPI) -> None:
    app.include_router(router)
    logging.getLogger("mcp.server").setLevel(logging.WARNING)  # it tells of each request three times


@router.post("/mcp/{server}")
async def message(request: Request, server: str) -> Response:
    """Only POST: there is no session to end, and nothing to tell without being asked."""
    who = await worker(request, fresh=True)
    runner = resources(request).executions.runner
    await runner.files.catalog()
    specs = runner.files.tools().get(server)
    if specs is None:
        raise Problem("not_found", f"There is no server {server}.")

    async def danger(arguments: object) -> str | None:
        heard = await danger_in(request, who, arguments, Place("flow", f"mcp/{server}"))
        return heard.answer if heard else None

    return _Answer(_server(server, specs, GuardedTools(runner.tools, who), danger))


class _Answer(Response):
    """The library's, which reads the request and writes the response itself."""

    def __init__(self, server: "Server[Any]") -> None:
        super().__init__()
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        sessions = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with sessions.run():
            await sessions.handle_request(scope, receive, send)


def _server(
    name: str, specs: Mapping[str, ToolSpec], tools: Tools, danger: Callable[[object], Awaitable[str | None]]
) -> "Server[Any]":
    """`danger`: what is answered to arguments that tell of danger, in place of the tool's result."""
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent

    async def listed(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_described(spec) for spec in specs.values()])

    async def called(_: object, wanted: CallToolRequestParams) -> CallToolResult:
        if answer := await danger(wanted.arguments):
            return CallToolResult(content=[TextContent(type="text", text=answer)], is_error=True)
        try:
            result = await tools.call(name, wanted.name, wanted.arguments or {})
        except ToolError as error:
            return CallToolResult(content=[TextContent(type="text", text=error.message)], is_error=True)
        text = TextContent(type="text", text=orjson.dumps(result).decode())
        return CallToolResult(content=[text], structured_content=result)

    return Server(name, on_list_tools=listed, on_call_tool=called)


def _described(spec: ToolSpec) -> Any:
    from mcp_types import Tool, ToolAnnotations

    return Tool(
        name=spec.name,
        description=spec.description,
        input_schema=dict(spec.input_schema),
        output_schema=dict(spec.output_schema),
        annotations=ToolAnnotations(read_only_hint=not spec.writes, idempotent_hint=spec.idempotent),
    )
