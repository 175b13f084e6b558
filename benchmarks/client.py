"""Loads a server with sessions, in a process of its own: keep-alive sockets and the least of HTTP/1.1 on asyncio.

Reads a job a line from standard input, writes its result a line to standard output, both JSON. A job:
`{"port", "token", "path": null | "/address to post to", "sessions", "seconds", "seed"}`. Without a path it plays
tutoring sessions, each on its own connection, the next turn as soon as the last is answered.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import orjson
import uvloop

from benchmarks.child import Child
from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home

SESSIONS = "/api/v1/sessions"
OVERLOADED = 503
PAUSE_SECONDS = 0.1  # before a refused request is sent again


class Connection(asyncio.Protocol):
    """One socket; one request at a time. Answers must have a Content-Length, as all of ours do."""

    def __init__(self, token: str) -> None:
        self._head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._answer: asyncio.Future[tuple[int, bytes]]
        self._transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end]).lower()
        length = int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        if len(self._buffer) >= end + 4 + length:
            body = bytes(self._buffer[end + 4 :])
            self._buffer.clear()
            self._answer.set_result((int(head[9:12]), body))

    def connection_lost(self, error: Exception | None) -> None:
        if not self._answer.done():
            self._answer.set_exception(error or ConnectionError("the server hung up"))

    async def post(self, path: str, body: bytes) -> bytes | None:
        """The answer's body, None for a 503. RuntimeError for anything else but a 2xx."""
        self._answer = self._loop.create_future()
        request = f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(body)}\r\n\r\n"
        self._transport.write(request.encode() + body)
        status, answer = await self._answer
        if status == OVERLOADED:
            return None
        if status // 100 != 2:
            raise RuntimeError(f"{path}: {status} {answer[:300]!r}")
        return answer

    def close(self) -> None:
        self._transport.close()


@dataclass
class Load:
    """One job under way. `seconds` holds the time of each turn, `refused` the number of 503s."""

    job: dict[str, Any]
    bank: Bank
    until: float = 0
    seconds: list[float] = field(default_factory=list)
    begun: int = 0
    refused: int = 0

    async def run(self) -> dict[str, Any]:
        job = self.job
        loop = asyncio.get_running_loop()
        made = [
            await loop.create_connection(lambda: Connection(job["token"]), "127.0.0.1", job["port"])
            for _ in range(job["sessions"])
        ]
        connections = [protocol for _, protocol in made]
        work: Callable[[Connection], Any] = self._post if job["path"] else self._play
        cpu, started = time.process_time(), time.perf_counter()
        self.until = started + job["seconds"]
        await asyncio.gather(*map(work, connections))
        took, cpu = time.perf_counter() - started, time.process_time() - cpu
        for connection in connections:
            connection.close()
        return {"seconds": self.seconds, "took": took, "cpu": cpu, "refused": self.refused}

    async def _play(self, connection: Connection) -> None:
        while time.perf_counter() < self.until:
            seed = self.job["seed"] + self.begun
            self.begun += 1
            wanted = {"student_id": f"child-{seed}", "seed": seed, "c_position": 1 + seed % 15}
            session = await self._sent(connection, SESSIONS, orjson.dumps(wanted))
            await self._session(connection, orjson.loads(session), Child(self.bank, seed))

    async def _session(self, connection: Connection, session: dict[str, Any], child: Child) -> None:
        path, task = f"{SESSIONS}/{session['session_id']}/events", session["task"]
        while task is not None and time.perf_counter() < self.until:
            event = orjson.dumps(child.event(task))
            task = orjson.loads(await self._timed(connection, path, event))["task"]

    async def _post(self, connection: Connection) -> None:
        number = 0
        while time.perf_counter() < self.until:
            number += 1
            await self._timed(connection, self.job["path"], orjson.dumps({"request_id": f"r{number}", "answer": 14}))

    async def _timed(self, connection: Connection, path: str, body: bytes) -> bytes:
        started = time.perf_counter()
        answer = await self._sent(connection, path, body)
        self.seconds.append(time.perf_counter() - started)
        return answer

    async def _sent(self, connection: Connection, path: str, body: bytes) -> bytes:
        """Again until it is taken, as a client does; the time of the turn goes on."""
        while (answer := await connection.post(path, body)) is None:
            self.refused += 1
            await asyncio.sleep(PAUSE_SECONDS)
        return answer


def main() -> None:
    """Until standard input ends."""
    bank = Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")
    for line in sys.stdin:
        result = uvloop.run(Load(orjson.loads(line), bank).run())
        print(orjson.dumps(result).decode(), flush=True)


if __name__ == "__main__":
    main()
