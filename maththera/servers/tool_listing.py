"""`python -m maththera.servers.tool_listing`: lists the tools of our own servers, from one process.

It runs none of them. What the servers need takes a second of one processor and 60 MB, and is gone with the process.
"""

import asyncio
import gc
import sys
from dataclasses import asdict
from importlib import import_module

import orjson
from pydantic import TypeAdapter

from maththera.json_types import JsonObject
from maththera.servers.client.tool_contract import ToolContract
from maththera.servers.config import Server, ToolRules
from maththera.servers.toolkit.server_base import ServerResources
from maththera.settings import Settings


async def tools(name: str, server: Server, world: ServerResources) -> JsonObject:
    """Tool → its spec, of one server that is a module."""
    listed = await import_module(str(server.module)).build(world).list_tools()
    return {
        tool.name: asdict(ToolContract.from_listing(name, tool, server.tools.get(tool.name, ToolRules())).spec)
        for tool in listed
    }


async def _all(servers: dict[str, Server]) -> dict[str, JsonObject]:
    world = ServerResources(Settings.from_environment())
    return {name: await tools(name, server, world) for name, server in servers.items()}


if __name__ == "__main__":
    gc.disable()
    given = TypeAdapter(dict[str, Server]).validate_json(sys.stdin.buffer.read())
    sys.stdout.buffer.write(orjson.dumps(asyncio.run(_all(given))))
