"""A service ends while many watch: each stream is told, and nothing is wrong in the log. STREAMS=3000 for many."""

import asyncio
import logging
import os
import signal
import time
from pathlib import Path
from typing import Final

import pytest

from tests.support.flow_home import make_home
from tests.support.service import Service, service, until

logger = logging.getLogger(__name__)

STREAMS: Final = int(os.environ.get("STREAMS", "200"))
PATIENCE_SECONDS: Final = 120.0
TOGETHER: Final = 50
"""Connections that are opened at a time."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200 + STREAMS // 20)]


async def test_every_stream_is_told_that_the_service_ends(tmp_path: Path, redis_url: str) -> None:
    home = make_home(tmp_path / "home")
    with service(tmp_path, redis_url, MATHTHERA_HOME=str(home)) as running:
        path = await asyncio.to_thread(waiting_run, running)
        places = asyncio.Semaphore(TOGETHER)
        _, left = await opened(running, path, places, behind=b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        left.close()
        await asyncio.to_thread(until, lambda: "/events 200" in running.log.read_text())
        streams = await asyncio.gather(*(opened(running, path, places) for _ in range(STREAMS)))
        running.process.send_signal(signal.SIGTERM)
        started = time.monotonic()
        async with asyncio.timeout(PATIENCE_SECONDS):
            ends = await asyncio.gather(*(reader.read() for reader, _ in streams))
        assert await asyncio.to_thread(running.process.wait, PATIENCE_SECONDS) == 0
        logger.info("%d streams: the service ended %.1f s after SIGTERM", STREAMS, time.monotonic() - started)
        for _, writer in streams:
            writer.close()
    assert [end for end in ends if b'data: {"type":"closing"}' not in end or not end.endswith(b"0\r\n\r\n")] == []
    log = running.log.read_text()
    assert " ERROR " not in log
    assert "Traceback" not in log


def waiting_run(running: Service) -> str:
    """The path of a run that waits for a person."""
    body = {"context": {"flow": "승인", "inputs": {"word": "a"}}}
    begun = running.client.post("/api/v1/execute", json=body)
    assert begun.status_code == 202, begun.text
    path = str(begun.headers["location"])
    until(lambda: running.client.get(path).json()["status"] == "waiting")
    return path


async def opened(
    running: Service, path: str, places: asyncio.Semaphore, behind: bytes = b""
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A stream that has told all there is so far. `behind`: a further request, which waits for its end."""
    token = running.client.headers["Authorization"]
    async with places, asyncio.timeout(PATIENCE_SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(
            f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n\r\n".encode() + behind
        )
        assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"
        await reader.readuntil(b'"waiting"')
    return reader, writer
