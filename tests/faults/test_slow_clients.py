"""Clients that send a byte a second, or read nothing: a child beside them is answered. SLOW_CLIENTS=500 for many;
`--log-cli-level=INFO` tells how long its turns take, and QUIET=1 holds them to twice what they take alone."""

import logging
import os
import socket
import statistics
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.support.patience import QUIET
from tests.support.service import Service, service
from tests.support.visitors import Child

logger = logging.getLogger(__name__)

MANY: Final = int(os.environ.get("SLOW_CLIENTS", "30"))
PATIENCE_SECONDS: Final = 60.0
SMALL: Final = 4096
"""Bytes that the system takes for a client that reads nothing."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240 + MANY)]

HEAD: Final = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\n"
BEGINNINGS: Final = (
    HEAD + b"X-Slow: ",
    HEAD + b"Content-Type: application/json\r\nAuthorization: %b\r\nContent-Length: 60000\r\n\r\n",
    b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20,
)


def test_a_child_is_answered_beside_slow_clients(tmp_path: Path, redis_url: str) -> None:
    with service(tmp_path, redis_url) as running:
        child = Child()
        alone = take_turns(running, child, "alone", max(MANY, 100))
        with slow_clients(running, MANY):
            beside = take_turns(running, child, f"beside {MANY} slow clients", 10 * MANY)
        child.check(running.client)
        assert running.stop() == 0
    assert "Traceback" not in running.log.read_text()
    assert beside <= 2 * alone or not QUIET


def take_turns(running: Service, child: Child, when: str, turns: int) -> float:
    """-> the seconds within which 95 of 100 turns were taken"""
    child.seconds.clear()
    assert all(child.visit(running.client) for _ in range(turns))
    median, slow = statistics.median(child.seconds), child.p95()
    logger.info("turns %s: median %.1f ms, 95 of 100 within %.1f ms", when, 1000 * median, 1000 * slow)
    return slow


@contextmanager
def slow_clients(running: Service, number: int) -> Iterator[None]:
    """A third each of slow heads, slow bodies, and answers that nobody reads. One that is dropped comes again."""
    token = str(running.client.headers["Authorization"]).encode()
    beginnings = [BEGINNINGS[0], BEGINNINGS[1] % token, BEGINNINGS[2]]
    stop = threading.Event()
    connections = [connect(running, beginnings[each % 3]) for each in range(number)]
    trickling = threading.Thread(target=trickle, args=(running, connections, beginnings, stop))
    trickling.start()
    try:
        yield
    finally:
        stop.set()
        trickling.join()
        for connection in connections:
            connection.close()


def connect(running: Service, beginning: bytes) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    connection.settimeout(PATIENCE_SECONDS)
    connection.connect(("127.0.0.1", running.port))
    connection.sendall(beginning)
    return connection


def trickle(
    running: Service, connections: list[socket.socket], beginnings: Sequence[bytes], stop: threading.Event
) -> None:
    while not stop.wait(1.0):
        for number, connection in enumerate(connections):
            if number % 3 == 2:  # it only reads nothing
                continue
            try:
                connection.sendall(b"1")
            except OSError:
                connection.close()
                with suppress(OSError):
                    connections[number] = connect(running, beginnings[number % 3])
