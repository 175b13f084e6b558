"""The tools that flows may call."""

from fastapi import APIRouter

from maththera.api.executions import FlowUser
from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example
from maththera.runtime.tool_interface import ToolSpec
from maththera.servers.client.connection_status import ConnectionStatus

router = APIRouter(prefix="/api/v1/tools", tags=["flows"], route_class=ApiRoute)


class Tools(Answer):
    """`servers`: by name."""

    model_config = example(
        {
            "tools": [
                {
                    "server": "logic-engine-mcp",
                    "name": "get_prerequisites",
                    "description": "어떤 개념이나 단원을 배우기 전에 알아야 하는 선수 개념을 알려 줍니다.",
                    "input_schema": {
                        "type": "object",
                        "properties": {"concept_id": {"type": "string"}},
                        "required": ["concept_id"],
                    },
                    "output_schema": {"type": "object", "properties": {"prerequisite_tree": {"type": "array"}}},
                    "writes": False,
                    "idempotent": True,
                }
            ],
            "servers": {
                "logic-engine-mcp": {
                    "state": "up",
                    "restarts": 0,
                    "calls": 12,
                    "failed": 0,
                    "in_flight": 1,
                    "waiting": 0,
                    "tools": 3,
                    "up_since": 1795306417.05,
                    "error": None,
                }
            },
        }
    )

    tools: list[ToolSpec]
    servers: dict[str, ConnectionStatus]


@router.get("", summary="All tools of all MCP servers", response_description="The tools")
async def list_tools(_: FlowUser, services: Services) -> Tools:
    """As the servers describe them now, and how each server is."""
    files = services.executions.runner.files
    await files.catalog()
    found = [spec for specs in files.tools().values() for spec in specs.values()]
    return Tools(tools=found, servers=files.health())
