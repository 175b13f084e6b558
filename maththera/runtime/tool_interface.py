"""What a tool is to those who call it: its description, how a call fails, and the one way to call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from maththera.json_types import JsonObject

Code = Literal["unknown_tool", "bad_arguments", "failed", "timeout", "died", "bad_output"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as its server describes it. `writes`: it changes something; `idempotent`: calling it again is safe."""

    server: str
    name: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    writes: bool
    idempotent: bool


Catalogue = Mapping[str, Mapping[str, ToolSpec]]
"""Server → tool → spec."""


class ToolError(Exception):
    """A call without a result. The message is for the person who wrote the call. `sent`: the tool may have been
    called, and done its work."""

    def __init__(self, code: Code, server: str, tool: str, message: str, *, sent: bool = True) -> None:
        super().__init__(f"{server}.{tool}: {message}")
        self.code = code
        self.server = server
        self.tool = tool
        self.message = message
        self.sent = sent


class ToolCaller(Protocol):
    """Calls tools: it holds the connections to the servers."""

    def catalogue(self) -> Catalogue:
        """As the servers describe their tools now."""
        ...

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - of one attempt, given on to the server
        attempts: int | None = None,
    ) -> JsonObject:
        """The structured content of the result; `timeout` in seconds. Raises ToolError."""
        ...
