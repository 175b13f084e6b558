"""The ways to a server, each telling when it has ended, and what the server writes to its standard error."""

import asyncio
import logging
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Final, Self, TextIO

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage

from maththera.servers.config import Server

logger = logging.getLogger(__name__)

STDERR_LINES: Final = 5  # lines of standard error that explain a death

Received = SessionMessage | Exception
Streams = tuple[ReadStream[Received], WriteStream[SessionMessage]]


class WatchedStream:
    """A read stream that says when it has ended: the SDK does not announce the death of an idle server."""

    def __init__(self, stream: ReadStream[Received], on_end: Callable[[], None]) -> None:
        self._stream, self._on_end = stream, on_end

    async def receive(self) -> Received:
        return await self._stream.receive()

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Received:
        try:
            return await self._stream.__anext__()
        except StopAsyncIteration:
            self._on_end()
            raise

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._stream.__aexit__(kind, error, trace)


@asynccontextmanager
async def open_transport(
    name: str, server: Server, environment: Mapping[str, str], on_end: Callable[[], None], words: deque[str]
) -> AsyncIterator[Streams]:
    """The streams to and from a server. `words` gets the last lines of its standard error."""
    if server.url is not None:
        async with (
            create_mcp_http_client(headers=server.headers) as client,
            streamable_http_client(server.url, http_client=client) as (read, write),
        ):
            yield WatchedStream(read, on_end), write
        return
    own = environment if server.module else {}
    program, *arguments = server.program
    parameters = StdioServerParameters(
        command=program, args=arguments, env={**own, **server.environment}, cwd=server.directory
    )
    async with _standard_error(name, words) as (file, started), stdio_client(parameters, file) as (read, write):
        started()
        yield WatchedStream(read, on_end), write


@asynccontextmanager
async def _standard_error(name: str, words: deque[str]) -> AsyncIterator[tuple[TextIO, Callable[[], None]]]:
    """-> (what the program writes to, what is called once the program has it)"""
    reading, writing = os.pipe()
    file = os.fdopen(writing, "w")
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(reading, "rb"))
    logging_lines = asyncio.create_task(_log(name, lines, words), name=f"stderr of {name}")
    try:
        yield file, file.close
    finally:
        file.close()
        pipe.close()
        logging_lines.cancel()


async def _log(name: str, lines: asyncio.StreamReader, words: deque[str]) -> None:
    while True:
        try:
            line = await lines.readline()
        except ValueError:  # longer than the reader's limit; what came of it is dropped
            continue
        if not line:
            return
        text = line.decode(errors="replace").rstrip()
        words.append(text)
        logger.info("%s: %s", name, text)
