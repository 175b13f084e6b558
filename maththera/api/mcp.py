"""The servers' tools for any MCP client: `/mcp/{server}` over streamable HTTP, with the token and the rights of its
holder. Every request stands alone, so any worker may answer it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson
from fastapi import FastAPI, Request
from starlette.types import Receive, Scope, Send

from maththera.api.auth import resources
from maththera.api.executions import worker
from maththera.api.problems import Problem
from maththera.executions.guard import GuardedTools
from maththera.runtime.tools import ToolError, Tools, ToolSpec

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server


def install(app: FastAPI) -> None:
    app.add_route("/mcp/{server}", _Endpoint(), methods=["GET", "POST", "DELETE"], include_in_schema=False)  # type: ignore[arg-type]


class _Endpoint:
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        request = Request(scope, receive, send)
        who = await worker(request)
        runner = resources(request).executions.runner
        await runner.files.catalog()
        name = request.path_params["server"]
        specs = runner.files.tools().get(name)
        if specs is None:
            raise Problem("not_found", f"There is no server {name}.")
        sessions = StreamableHTTPSessionManager(
            _server(name, specs, GuardedTools(runner.tools, who)), json_response=True, stateless=True
        )
        async with sessions.run():
            await sessions.handle_request(scope, receive, send)


def _server(name: str, specs: Mapping[str, ToolSpec], tools: Tools) -> "Server[Any]":
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent

    async def listed(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_described(spec) for spec in specs.values()])

    async def called(_: object, wanted: CallToolRequestParams) -> CallToolResult:
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
