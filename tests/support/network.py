"""No test talks to the network: sockets reach this machine only."""

import ipaddress
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Final
from unittest.mock import patch

LOCAL_NAMES = frozenset({"localhost", ""})
_NUMBERS: Final = count()


class NetworkForbidden(RuntimeError):
    """A test tried to leave the machine."""


def _is_local(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name is None or name in LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False


def free_port() -> int:
    """One for a server that is started later: none that the system gives to whoever binds or connects meanwhile, and
    not the same in two processes of tests."""
    first = 20_000 + os.getpid() % 200 * 50
    for number in _NUMBERS:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port := first + number % 50))
            return port
    raise AssertionError("there is always another number")


@contextmanager
def loopback_only() -> Iterator[None]:
    """Within it, connecting to, or asking for the address of, anything but this machine raises NetworkForbidden.

    uvloop has sockets of its own and is not guarded; tests run on asyncio's loop.
    """
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def check(host: object) -> None:
        if not _is_local(host):
            raise NetworkForbidden(f"tests must not reach {host!r}")

    def guarded_connect(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple):
            check(address[0])
        connect(self, address)  # type: ignore[arg-type]

    def guarded_connect_ex(self: socket.socket, address: object) -> int:
        if isinstance(address, tuple):
            check(address[0])
        return connect_ex(self, address)  # type: ignore[arg-type]

    def guarded_getaddrinfo(host: object, *arguments: object, **options: object) -> object:
        check(host)
        return getaddrinfo(host, *arguments, **options)  # type: ignore[arg-type]

    with (
        patch.object(socket.socket, "connect", guarded_connect),
        patch.object(socket.socket, "connect_ex", guarded_connect_ex),
        patch.object(socket, "getaddrinfo", guarded_getaddrinfo),
    ):
        yield
