"""Clients that send too much before anybody knows them, too little, or do not read: the service answers the others."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

import psutil
import pytest

from tests.support.home import home_with_limits
from tests.support.service import Service, service, until

pytestmark = pytest.mark.slow

PATIENCE_SECONDS: Final = 60.0
HEAD: Final = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
MEGABYTE: Final = 2**20


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory, redis_url: str) -> Iterator[Service]:
    """Gives slow clients one second, to send and to read, and has room for forty."""
    folder = tmp_path_factory.mktemp("connections")
    own = home_with_limits(folder / "home", connections={"head_seconds": 1, "unread_seconds": 1, "most": 40})
    with service(folder, redis_url, MATHTHERA_HOME=str(own)) as found:
        yield found


def connect(running: Service) -> socket.socket:
    return socket.create_connection(("127.0.0.1", running.port), PATIENCE_SECONDS)


def everything(connection: socket.socket) -> bytes:
    """What comes until the service ends the connection."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionResetError:
        pass
    return found


def send(running: Service, *parts: bytes) -> bytes:
    with connect(running) as connection:
        for part in parts:
            connection.sendall(part)
        return everything(connection)


def fields(number: int) -> bytes:
    return b"".join(b"X-%d: 1\r\n" % one for one in range(number))


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (HEAD + b"Connection: close\r\n" + fields(99), 431),
        (HEAD + b"Connection: close\r\n" + fields(98), 200),
        (HEAD + fields(100_000), 431),
        (HEAD + b"Connection: close\r\nX-Long: " + b"x" * 60_000 + b"\r\n", 200),
        (HEAD + b"X-Long: " + b"x" * 66_000 + b"\r\n", 431),
        (b"GET /" + b"x" * 66_000 + b" HTTP/1.1\r\nHost: localhost\r\n", 431),
    ],
    ids=["101 headers", "100 headers", "100,000 headers", "60 kB", "66 kB", "a long address"],
)
def test_a_head_has_limits(hurried: Service, head: bytes, status: int) -> None:
    answer = send(hurried, head + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    if status == 431:
        assert b'"code":"headers_too_large"' in answer
        assert b"content-type: application/problem+json" in answer


def test_fifty_megabytes_of_headers_cost_nothing(hurried: Service) -> None:
    memory = psutil.Process(hurried.process.pid).memory_info().rss
    for _ in range(6):
        answer = send(hurried, HEAD + b"X-Long: ", *[b"x" * MEGABYTE] * 50, b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 431 ")
    assert psutil.Process(hurried.process.pid).memory_info().rss < memory + 20 * MEGABYTE
    assert hurried.client.get("/healthz").status_code == 200


def test_headers_behind_a_body_have_limits(hurried: Service) -> None:
    head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "
    memory = psutil.Process(hurried.process.pid).memory_info().rss
    send(hurried, head, *[b"x" * MEGABYTE] * 50)
    assert psutil.Process(hurried.process.pid).memory_info().rss < memory + 20 * MEGABYTE


def test_slow_clients_are_dropped_and_others_served(hurried: Service) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(hurried)) for _ in range(30)]
        for connection in slow:
            connection.sendall(HEAD)
        assert hurried.client.get("/healthz").status_code == 200
        assert {everything(connection).split(b"\r\n")[0] for connection in slow} == {b"HTTP/1.1 408 Request Timeout"}


MANY_ANSWERS: Final = 30
"""Of a megabyte or so: more than the system takes for a client that does not read."""


def test_a_client_that_reads_nothing_is_dropped(hurried: Service) -> None:
    with connect(hurried) as connection:
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * MANY_ANSWERS)
        port = connection.getsockname()[1]
        until(lambda: port in clients(hurried))
        until(lambda: port not in clients(hurried))
    assert hurried.client.get("/healthz").status_code == 200


def test_a_client_that_reads_slowly_gets_all_of_it(hurried: Service) -> None:
    whole = len(hurried.client.get("/openapi.json").content)
    with connect(hurried) as connection:
        connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * MANY_ANSWERS)
        found = 0
        while found < MANY_ANSWERS * whole:
            piece = connection.recv(2 * MEGABYTE, socket.MSG_WAITALL)
            assert piece
            found += len(piece)
            time.sleep(0.2)


def clients(running: Service) -> set[int]:
    """The ports that the service's clients connect from."""
    return {each.raddr.port for each in psutil.Process(running.process.pid).net_connections() if each.raddr}


def test_a_body_that_nobody_reads_does_not_hold_the_connection(hurried: Service) -> None:
    head = b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
    answer = send(hurried, head)  # to its end
    assert answer.startswith(b"HTTP/1.1 401 ")


def test_connections_beyond_the_limit_are_refused(hurried: Service) -> None:
    with ExitStack() as stack:
        many = [stack.enter_context(connect(hurried)) for _ in range(60)]
        answers = [everything(connection) for connection in many]
    refused = [one for one in answers if one.startswith(b"HTTP/1.1 503 ")]
    assert len(refused) >= 20
    assert b"retry-after: 5" in refused[0]
    assert hurried.client.get("/healthz").status_code == 200


def test_a_connection_serves_one_request_after_another(hurried: Service) -> None:
    with connect(hurried) as connection:
        connection.sendall((HEAD + b"\r\n") * 3 + HEAD + b"Connection: close\r\n\r\n")
        assert everything(connection).count(b"HTTP/1.1 200 OK") == 4
