"""The tools that flows may call."""

from fastapi import APIRouter, Depends

from maththera.api.executions import flow_user
from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example
from maththera.json_types import JsonSchema
from maththera.servers.client.connection_status import State

router = APIRouter(prefix="/api/v1/tools", tags=["flows"], route_class=ApiRoute)


class Tool(Answer):
    """`writes`: it changes something. `idempotent`: called twice it does so once."""

    server: str
    name: str
    description: str
    input_schema: JsonSchema
    output_schema: JsonSchema
    writes: bool
    idempotent: bool


class ServerState(Answer):
    """`up_since`: seconds since 1970. `error`: why it ended the last time."""

    state: State
    restarts: int
    calls: int
    failed: int
    in_flight: int
    waiting: int
    tools: int
    up_since: float | None
    error: str | None


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

    tools: list[Tool]
    servers: dict[str, ServerState]


@router.get(
    "", summary="All tools of all MCP servers", response_description="The tools", dependencies=[Depends(flow_user())]
)
async def list_tools(services: Services) -> Tools:
    """As the servers describe them now, and how each server is."""
    files = services.executions.runner.files
    await files.catalog()
    found = [Tool.model_validate(spec) for specs in files.tools().values() for spec in specs.values()]
    return Tools.model_validate({"tools": found, "servers": files.health()})
