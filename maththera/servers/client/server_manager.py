"""All servers, for everybody in the process: finds the tool, checks, asks the cache of results in Redis, calls, and
tries again."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from redis.asyncio import Redis

from maththera.config_files import nearest_name
from maththera.json_types import JsonObject
from maththera.runtime.result_cache import ResultCache, digest
from maththera.runtime.tool_interface import Catalogue, ToolError
from maththera.runtime.tracing import span
from maththera.servers.client.connection_status import ConnectionStatus
from maththera.servers.config import Servers

if TYPE_CHECKING:
    from maththera.servers.client.server_connection import ServerConnection, Session
    from maththera.servers.client.tool_contract import ToolContract

CACHE_PREFIX: Final = "maththera:mcp:"


def cache_key(server: str, tool: str, arguments: Mapping[str, Any]) -> str:
    """Two calls that mean the same have the same key, whatever the order of their arguments."""
    return f"{CACHE_PREFIX}{server}:{tool}:{digest(dict(arguments))}"


OnCall = Callable[[str, str, str, float], None]
"""Called after each tool call: server, tool, "ok" or the code of the error, seconds."""

_PERMANENT_ERRORS: Final = frozenset({"unknown_tool", "bad_arguments"})


class ServerManager:
    """`async with ServerManager(servers, redis) as tools`. A server is started when it is first needed, and stays."""

    def __init__(self, servers: Servers, redis: Redis | None = None, on_call: OnCall | None = None) -> None:
        self._servers = servers
        self._cache = ResultCache(redis) if redis is not None else None
        self._on_call: OnCall = on_call or (lambda *_: None)

    @cached_property
    def _connections(self) -> "dict[str, ServerConnection]":
        from maththera.servers.client.server_connection import ServerConnection

        return {
            name: ServerConnection(name, server, self._servers.environment)
            for name, server in self._servers.servers.items()
        }

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_loaded:
            await asyncio.gather(*(one.close() for one in self._connections.values()))

    async def connect(self, names: Iterable[str] | None = None) -> dict[str, str]:
        """Starts these servers, or all, and waits for them. -> server → why it is not there, for those that are not"""
        await self._load_mcp()
        wanted = [self._connections[name] for name in (self._connections if names is None else names)]
        starts = (one.session(one.server.limits.start_timeout) for one in wanted)
        outcomes = await asyncio.gather(*starts, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, ToolError):
                raise outcome
        return {
            one.name: outcome.message
            for one, outcome in zip(wanted, outcomes, strict=True)
            if isinstance(outcome, ToolError)
        }

    def catalogue(self) -> Catalogue:
        """As of each server's last session: `connect` first. A server that never was there has no tools."""
        if not self._is_loaded:
            return {name: {} for name in self._servers.servers}
        return {
            name: {tool: known.spec for tool, known in one.tools.items()} for name, one in self._connections.items()
        }

    def health(self) -> dict[str, ConnectionStatus]:
        if not self._is_loaded:
            return {name: ConnectionStatus() for name in self._servers.servers}
        return {name: replace(one.health) for name, one in self._connections.items()}

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - of one attempt, given on to the server
        attempts: int | None = None,
    ) -> JsonObject:
        """The checked result. ToolError, after as many attempts as the server's limits (or `attempts`) allow.

        A tool that writes and is not idempotent is tried again only when it was certainly not called. A call during
        which the server died is repeated once as soon as the server is back, beyond the attempts, if that is safe.
        """
        await self._load_mcp()
        connection = self._connections.get(server)
        if connection is None:
            raise ToolError(
                "unknown_tool", server, tool, "there is no such server" + _suggestion(server, self._connections)
            )
        started, outcome = time.perf_counter(), "ok"
        try:
            with span("mcp.call", server=server, tool=tool):
                return await _ToolCall(connection, tool, arguments, timeout, self._cache).result(attempts)
        except BaseException as error:
            outcome = error.code if isinstance(error, ToolError) else "broken_off"
            raise
        finally:
            self._on_call(server, tool if outcome != "unknown_tool" else "", outcome, time.perf_counter() - started)

    @property
    def _is_loaded(self) -> bool:
        """Whether anybody has asked for a server yet."""
        return "_connections" in self.__dict__

    async def _load_mcp(self) -> None:
        """The MCP library is 25 MB and half a second, for those who call a tool; others are answered meanwhile."""
        if not self._is_loaded:
            await asyncio.to_thread(import_module, "maththera.servers.client.server_connection")


class _ToolCall:
    def __init__(
        self,
        connection: "ServerConnection",
        tool: str,
        arguments: Mapping[str, Any],
        seconds: float | None,
        cache: ResultCache | None,
    ) -> None:
        self._connection, self._tool, self._arguments = connection, tool, arguments
        self._seconds, self._cache = seconds, cache
        self._known: ToolContract | None = None
        self._sent = False

    async def result(self, attempts: int | None) -> JsonObject:
        limits = self._connection.server.limits
        tried, repeated, pause = 0, False, limits.backoff
        while True:
            try:
                return await self._attempt()
            except ToolError as error:
                if error.code in _PERMANENT_ERRORS or (self._sent and not self._safe):
                    raise
                if error.code == "died" and self._sent and not repeated:
                    repeated = True
                    continue
                tried += 1
                if tried >= self._allowed(attempts):
                    raise
            await asyncio.sleep(min(pause, limits.max_delay))
            pause *= 2

    @property
    def _safe(self) -> bool:
        return self._known is not None and self._known.spec.idempotent

    def _allowed(self, attempts: int | None) -> int:
        own = self._known.rules.attempts if self._known else None
        return attempts or own or self._connection.server.limits.attempts

    async def _attempt(self) -> JsonObject:
        session = await self._connection.session(self._connection.server.limits.start_timeout)
        if self._tool not in session.tools:
            session = await self._connection.refresh_tools(session)
        known = self._known = self._find(session)
        known.check_arguments(self._arguments)
        if self._cache is None or not known.rules.cache:
            return await self._send(session, known)
        name = cache_key(known.spec.server, known.spec.name, self._arguments)
        kept = await self._cache.get(name)
        if isinstance(kept, dict) and known.result.is_valid(kept):  # it may be from before the tool changed
            return kept
        result = await self._send(session, known)
        await self._cache.put(name, result, known.rules.cache)
        return result

    async def _send(self, session: "Session", known: "ToolContract") -> JsonObject:
        seconds = self._seconds or known.rules.timeout or self._connection.server.limits.timeout
        self._sent = True
        return await self._connection.call(session, self._tool, self._arguments, seconds)

    def _find(self, session: "Session") -> "ToolContract":
        if known := session.tools.get(self._tool):
            return known
        near = _suggestion(self._tool, session.tools)
        raise ToolError("unknown_tool", self._connection.name, self._tool, f"there is no such tool{near}")


def _suggestion(name: str, names: Iterable[str]) -> str:
    found = nearest_name(name, names)
    return f"; did you mean '{found}'?" if found else ""
