"""The servers' tools for any MCP client: `/mcp/{server}` over streamable HTTP, with the token and the rights of its
holder. Every request stands alone, so any worker may answer it.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import orjson
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from starlette.types import Receive, Scope, Send

from maththera.api.http_layer.auth import Services, caller_who, log_reads
from maththera.api.http_layer.danger_screening import danger_in
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.executions.tool_access import GuardedTools, named_students
from maththera.runtime.tool_interface import ToolCaller, ToolError, ToolSpec
from maththera.servers.toolkit.server_identity import TITLES, VERSION, failure
from maththera.store.access.authorization import Principal, may_run_flows
from maththera.words.danger.message_safety import Place

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

router = APIRouter(include_in_schema=False)


def install(app: FastAPI) -> None:
    app.include_router(router)
    logging.getLogger("mcp.server").setLevel(logging.WARNING)  # it tells of each request three times


@router.post("/mcp/{server}")
async def answer_mcp_message(
    request: Request,
    who: Annotated[Principal, Depends(caller_who(may_run_flows, fresh=True))],
    services: Services,
    server: str,
) -> Response:
    """Only POST: there is no session to end, and the server sends nothing by itself."""
    runner = services.executions.runner
    await runner.files.catalog()
    specs = runner.files.tools().get(server)
    if specs is None:
        raise ApiProblem("not_found", f"There is no server {server}.")

    async def danger(arguments: object) -> str | None:
        heard = await danger_in(request, who, arguments, Place("flow", f"mcp/{server}"))
        return heard.answer if heard else None

    async def told(arguments: object, result: object) -> None:
        await log_reads(request, who, "tool", named_students(arguments) | named_students(result))

    return _Answer(_server(server, specs, GuardedTools(runner.tools, who, runner.permissions), danger, told))


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
    name: str,
    specs: Mapping[str, ToolSpec],
    tools: ToolCaller,
    danger: Callable[[object], Awaitable[str | None]],
    told: Callable[[object, object], Awaitable[None]],
) -> "Server[Any]":
    """`danger`: what is answered to arguments that tell of danger, in place of the tool's result. `told` hears the
    arguments and the result before the caller does."""
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
            return CallToolResult(content=[TextContent(type="text", text=failure(error, specs))], is_error=True)
        await told(wanted.arguments or {}, result)
        text = TextContent(type="text", text=orjson.dumps(result).decode())
        return CallToolResult(content=[text], structured_content=result)

    title = TITLES.get(name)
    return Server(name, version=VERSION, title=title, on_list_tools=listed, on_call_tool=called)


def _described(spec: ToolSpec) -> Any:
    from mcp_types import Tool, ToolAnnotations

    return Tool(
        name=spec.name,
        description=spec.description,
        input_schema=dict(spec.input_schema),
        output_schema=dict(spec.output_schema),
        annotations=ToolAnnotations(read_only_hint=not spec.writes, idempotent_hint=spec.idempotent),
    )
