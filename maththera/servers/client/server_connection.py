"""One server and the one task that owns the session with it: opens it, notices its end, opens it again.

A session has to be opened and closed by the same task, so callers never do either; they ask for it and wait.
"""

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import anyio
from mcp import Client, MCPError
from mcp.client.session import ClientSession, IncomingMessage
from mcp_types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    CallToolResult,
    PaginatedRequestParams,
    ToolListChangedNotification,
)
from pydantic import ValidationError

from maththera.json_types import JsonObject
from maththera.llm.model_client import models_allowed
from maththera.runtime.tool_interface import ToolError
from maththera.servers.client.connection_status import ConnectionStatus
from maththera.servers.client.server_transport import STDERR_LINES, open_transport
from maththera.servers.client.tool_contract import ToolContract
from maththera.servers.config import Server, ToolRules
from maththera.servers.toolkit.server_identity import NO_MODELS

logger = logging.getLogger(__name__)

PROBE_SECONDS: Final = 3.0
"""A server that let a call time out has this long to list its tools; otherwise it hangs and is started anew."""

STABLE_SECONDS: Final = 5.0
"""A server that lived this long is started again at once; one that ends sooner, after a pause that doubles."""

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0  # seconds

CLOSING_SECONDS: Final = 8.0


@dataclass(frozen=True, slots=True)
class Session:
    client: ClientSession
    tools: Mapping[str, ToolContract]


class ServerConnection:
    """`tools` are those of the last session, also while there is none."""

    def __init__(self, name: str, server: Server, environment: Mapping[str, str]) -> None:
        self.name, self.server, self.health = name, server, ConnectionStatus()
        self.tools: Mapping[str, ToolContract] = {}
        self._environment = environment
        self._slots = asyncio.Semaphore(server.limits.concurrency)
        self._scope: anyio.CancelScope | None = None  # made in the event loop, like the owner
        self._owner: asyncio.Task[None] | None = None
        self._current: Session | None = None
        self._coming: asyncio.Future[Session] | None = None  # what callers wait for while there is no session
        self._wake = asyncio.Event()
        self._lost, self._suspect, self._changed = False, False, False
        self._words: deque[str] = deque(maxlen=STDERR_LINES)

    async def session(self, patience: float) -> Session:
        """The session, which is opened if there is none. ToolError `died` when it cannot be, or not within `patience`
        seconds."""
        if self._current is not None:
            return self._current
        if self._coming is None:
            self._coming = asyncio.get_running_loop().create_future()
        if self._owner is None or self._owner.done():
            self._scope = anyio.CancelScope()
            self._owner = asyncio.create_task(self._keep_connected(self._scope), name=f"owner of {self.name}")
        try:
            async with asyncio.timeout(patience):
                return await asyncio.shield(self._coming)
        except TimeoutError:
            raise self._unreachable_error(f"did not start within {patience:g} s{self._stderr_tail()}") from None

    async def call(self, session: Session, tool: str, arguments: Mapping[str, Any], seconds: float) -> JsonObject:
        """One call, without another try. It may wait for others before, which does not count as its time."""
        self.health.waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self.health.waiting -= 1
        self.health.calls += 1
        self.health.in_flight += 1
        try:
            return session.tools[tool].read_result(await self._send(session, tool, arguments, seconds))
        except ToolError as error:
            self.health.failed += 1
            if error.code == "died" and session is self._current:
                self._mark_lost()
            elif error.code == "timeout":
                self._suspect = True
                self._wake.set()
            raise
        finally:
            self.health.in_flight -= 1
            self._slots.release()

    async def refresh_tools(self, session: Session) -> Session:
        """The session with the tools that the server has now."""
        if session is self._current:
            with suppress(MCPError, anyio.ClosedResourceError, anyio.BrokenResourceError):
                await self._load_tools(session.client)
        return self._current or session

    async def close(self) -> None:
        """Ends the server, and every call that still waits for it."""
        if self._owner is not None and self._scope is not None:
            self._scope.cancel()
            await asyncio.wait([self._owner], timeout=CLOSING_SECONDS)
        self.health.state = "idle"

    async def _send(self, session: Session, tool: str, arguments: Mapping[str, Any], seconds: float) -> CallToolResult:
        try:
            meta: Any = None if models_allowed() else {NO_MODELS: True}
            result = await session.client.call_tool(tool, dict(arguments), read_timeout_seconds=seconds, meta=meta)
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                raise self._died_error(tool, "the server ended before it answered") from error
            if error.code == REQUEST_TIMEOUT:
                raise ToolError("timeout", self.name, tool, f"no answer within {seconds:g} s") from error
            raise ToolError("failed", self.name, tool, error.message) from error
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            raise self._died_error(tool, "the server had ended before the call") from error
        except (RuntimeError, ValidationError) as error:  # an answer that the SDK cannot read
            raise ToolError("bad_output", self.name, tool, _first_line(error.__cause__ or error)) from error
        if not isinstance(result, CallToolResult):
            raise ToolError("bad_output", self.name, tool, f"the answer is a {type(result).__name__}, not a result")
        return result

    async def _keep_connected(self, scope: anyio.CancelScope) -> None:
        failures = 0
        with scope:
            while True:
                try:
                    await self._run_session()
                    reason = "the server ended"
                except Exception as error:
                    reason = _reason(error)
                up_since = self._mark_down(reason)
                if up_since is None:
                    return  # the next call tries again
                failures = 0 if time.time() - up_since > STABLE_SECONDS else failures + 1
                await asyncio.sleep(min(FIRST_PAUSE * 2 ** (failures - 1), LONGEST_PAUSE) if failures else 0)
        self._current = None
        self._fail_waiters(self._unreachable_error("the service is closing"))

    async def _run_session(self) -> None:
        """One session from its opening to its end."""
        self.health.state = "starting"
        self._lost = self._suspect = self._changed = False
        self._wake.clear()
        self._words.clear()
        patience = self.server.limits.start_timeout
        way = open_transport(self.name, self.server, self._environment, self._mark_lost, self._words)
        with anyio.move_on_after(patience) as starting:
            async with Client(way, cache=None, message_handler=self._on_message) as client:
                client.session.validate_tool_result = _skip_sdk_validation  # type: ignore[assignment, method-assign]
                await self._load_tools(client.session)
                starting.deadline = math.inf
                await self._watch(client.session)
        if starting.cancelled_caught:
            raise TimeoutError(f"not ready within {patience:g} s")

    async def _watch(self, client: ClientSession) -> None:
        """Returns when the server is gone; TimeoutError when it hangs."""
        while not self._lost:
            await self._wake.wait()
            self._wake.clear()
            if self._suspect and not self._lost:
                self._suspect = False
                with anyio.fail_after(PROBE_SECONDS):
                    await client.list_tools()
            if self._changed and not self._lost:
                self._changed = False
                await self._load_tools(client)

    async def _load_tools(self, client: ClientSession) -> None:
        """Reads the catalogue and lets callers in."""
        found: dict[str, ToolContract] = {}
        cursor: str | None = None
        while True:
            page = await client.list_tools(params=PaginatedRequestParams(cursor=cursor))
            for tool in page.tools:
                rules = self.server.tools.get(tool.name, ToolRules())
                found[tool.name] = ToolContract.from_listing(self.name, tool, rules)
            if not (cursor := page.next_cursor):
                break
        for unknown in self.server.tools.keys() - found.keys():
            logger.warning("%s has no tool %s, for which there are rules", self.name, unknown)
        if self.health.state != "up":
            self.health.restarts += self.health.error is not None
            self.health.state, self.health.up_since = "up", time.time()
        self.tools, self.health.tools = found, len(found)
        self._current = Session(client, found)
        if self._coming is not None:
            self._coming.set_result(self._current)
            self._coming = None

    def _mark_lost(self) -> None:
        """No caller is let in any more, and the owner closes what is left."""
        self._current, self._lost = None, True
        self._wake.set()

    def _mark_down(self, reason: str) -> float | None:
        """Mark the server as down. A failed start fails its waiters; those who wait because the server has just ended
        get the next one. Returns since when it had been up."""
        up_since, self.health.up_since = self.health.up_since, None
        self._current = None
        self.health.state, self.health.error = "down", reason
        logger.warning("%s: %s%s", self.name, reason, self._stderr_tail())
        if up_since is None:
            self._fail_waiters(self._unreachable_error(f"does not start: {reason}{self._stderr_tail()}"))
        return up_since

    def _fail_waiters(self, error: ToolError) -> None:
        if self._coming is not None:
            self._coming.set_exception(error)
            self._coming.exception()  # marks the error as retrieved: no caller may be waiting
            self._coming = None

    async def _on_message(self, message: IncomingMessage) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._changed = True
            self._wake.set()

    def _unreachable_error(self, message: str) -> ToolError:
        return ToolError("died", self.name, "", message, sent=False)

    def _died_error(self, tool: str, message: str) -> ToolError:
        return ToolError("died", self.name, tool, message)

    def _stderr_tail(self) -> str:
        return f"; it said: {' / '.join(self._words)}" if self._words else ""


async def _skip_sdk_validation(*_: object) -> None:
    """The SDK would try a server's patterns in a way that they can stop the process with; see `ToolContract`."""


def _reason(error: BaseException) -> str:
    """The first cause inside the groups that task groups make."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return _first_line(error)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
