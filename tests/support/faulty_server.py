"""An MCP server that fails in every way. Each call is a line of the file $DIARY: `tool argument`, flushed at once."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import BaseModel

DIARY = Path(os.environ["DIARY"])
READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True)

server: MCPServer[Any] = MCPServer("faulty", log_level="WARNING")


class Count(BaseModel):
    count: int


def note(entry: str) -> int:
    """-> how often this entry is in the diary now"""
    with DIARY.open("a") as file:
        file.write(f"{entry}\n")
    return DIARY.read_text().splitlines().count(entry)


@server.tool(annotations=READS)
async def read(word: str, seconds: float = 0) -> Count:
    """Reads, slowly if told so."""
    count = note(f"read {word}")
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        note(f"cancelled {word}")
        raise
    return Count(count=count)


@server.tool()
async def write(word: str, seconds: float = 0) -> Count:
    """Writes: calling it again is another entry."""
    count = note(f"write {word}")
    await asyncio.sleep(seconds)
    return Count(count=count)


@server.tool()
async def write_and_fail(word: str, seconds: float = 0) -> Count:
    """Writes, and then fails."""
    note(f"write {word}")
    await asyncio.sleep(seconds)
    raise ToolError("502 Bad Gateway")


@server.tool(annotations=READS)
async def fail(word: str, times: int) -> Count:
    """Fails that many times, and then does not."""
    count = note(f"fail {word}")
    if count <= times:
        raise ToolError(f"'{word}' is not ready yet")
    return Count(count=count)


@server.tool(annotations=READS)
async def die(word: str, times: int) -> Count:
    """Ends the server during the call that many times."""
    count = note(f"die {word}")
    if count <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return Count(count=count)


@server.tool()
async def write_and_die(word: str) -> Count:
    note(f"write_and_die {word}")
    os.kill(os.getpid(), signal.SIGKILL)
    return Count(count=0)


if __name__ == "__main__":
    server.run("stdio")
