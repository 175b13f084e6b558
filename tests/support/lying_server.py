"""An MCP server written without any SDK, whose one tool promises a number and gives what it was told to give."""

import json
import sys
from typing import Any

TOOL = {
    "name": "lie",
    "inputSchema": {"type": "object", "properties": {"result": {}}},
    "outputSchema": {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]},
    "annotations": {"readOnlyHint": True},
}


def answer(method: str, parameters: dict[str, Any]) -> dict[str, Any] | None:
    match method:
        case "initialize":
            version, information = parameters["protocolVersion"], {"name": "lying", "version": "1"}
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": information}
        case "tools/list":
            return {"tools": [TOOL]}
        case "tools/call":
            return {"content": [], "structuredContent": parameters["arguments"].get("result")}
    return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    result = answer(request["method"], request.get("params", {}))
    unknown = {"error": {"code": -32601, "message": "no such method"}}
    reply = {"jsonrpc": "2.0", "id": request["id"], **({"result": result} if result else unknown)}
    print(json.dumps(reply), flush=True)
