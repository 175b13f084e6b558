"""How the connection to a server stands, in types that need no MCP library."""

from dataclasses import asdict, dataclass
from typing import Literal

from maththera.json_types import JsonObject

State = Literal["idle", "starting", "up", "down"]


@dataclass(slots=True)
class ConnectionStatus:
    """What is known of a server. `restarts`: sessions after the first; `error`: why the last one ended."""

    state: State = "idle"
    restarts: int = 0
    calls: int = 0
    failed: int = 0
    in_flight: int = 0
    waiting: int = 0
    tools: int = 0
    up_since: float | None = None
    error: str | None = None

    def shown(self) -> JsonObject:
        """As JSON."""
        return asdict(self)
