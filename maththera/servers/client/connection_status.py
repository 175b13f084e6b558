"""How the connection to a server stands, in types that need no MCP library."""

from dataclasses import dataclass
from typing import Literal

State = Literal["idle", "starting", "up", "down"]


@dataclass(slots=True)
class ConnectionStatus:
    """What is known of a server. `restarts`: sessions after the first. `up_since`: seconds since 1970. `error`: why the
    last session ended."""

    state: State = "idle"
    restarts: int = 0
    calls: int = 0
    failed: int = 0
    in_flight: int = 0
    waiting: int = 0
    tools: int = 0
    up_since: float | None = None
    error: str | None = None
