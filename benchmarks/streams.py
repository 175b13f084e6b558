"""Reads event streams: a socket each and the least of HTTP/1.1, so that two thousand cost little."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

PAUSE_SECONDS = 0.5


@dataclass(slots=True)
class Stream:
    """One turn as it was received. `first`, `token`, `whole`: seconds from the request to the first event, the first
    token, the end."""

    events: list[dict[str, Any]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    first: float = 0.0
    token: float = 0.0
    whole: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether no event is missing, and none came twice."""
        numbers = [int(one.rpartition("-")[2]) for one in self.ids]
        return bool(numbers) and numbers == list(range(1, len(numbers) + 1)) and self.events[-1] == {"type": "final"}


class Reader:
    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token

    async def say(self, path: str, body: Mapping[str, Any], begun: asyncio.Event | None = None) -> Stream:
        """A whole stream; `begun` is set by its first token."""
        sent = orjson.dumps(body)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nConnection: close\r\nContent-Length: {len(sent)}\r\n\r\n"
        )
        started = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(head.encode() + sent)
        found = Stream()
        status = await reader.readline()
        if b" 503 " in status:  # as a client does; the time goes on
            writer.close()
            await asyncio.sleep(PAUSE_SECONDS)
            return await self.say(path, body, begun)
        if b" 200 " not in status:
            raise RuntimeError(f"{path}: {status!r} {await reader.read(500)!r}")
        while line := await reader.readline():
            if line.startswith(b"id: "):
                found.ids.append(line[4:].strip().decode())
            elif line.startswith(b"data: {"):
                self._event(found, orjson.loads(line[6:]), time.perf_counter() - started, begun)
        found.whole = time.perf_counter() - started
        writer.close()
        return found

    def _event(self, found: Stream, event: dict[str, Any], seconds: float, begun: asyncio.Event | None) -> None:
        found.first = found.first or seconds
        if event["type"] == "token" and not found.token:
            found.token = seconds
            if begun is not None:
                begun.set()
        found.events.append(event)

    async def say_plainly(self, path: str) -> None:
        """Without a body, and without reading what comes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode())
        await reader.read()
        writer.close()

    async def get(self, path: str) -> float:
        """Seconds of a request without a body."""
        started = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        await reader.read()
        writer.close()
        return time.perf_counter() - started
