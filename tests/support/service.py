"""The service as people run it, in a process of its own."""

import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from tests.support.forked import Forked
from tests.support.network import free_port

PATIENCE_SECONDS: Final = 120.0
"""A machine that is busy with other tests."""
_TOKEN: Final = "service-under-test"
_PATIENT: Final = (sys.executable, "-m", "tests.support.patient_maththera")
AS_SHIPPED: Final = (sys.executable, "-m", "maththera")
"""Without the patience of tests: a Redis that hangs is given up as soon as in service."""
Program = subprocess.Popen[bytes] | Forked


@dataclass(frozen=True)
class Service:
    """`client` is the admin."""

    process: Program
    port: int
    client: httpx.Client
    log: Path

    def stop(self) -> int:
        """-> the exit code after SIGTERM"""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_SECONDS)


@contextmanager
def service(
    folder: Path,
    redis_url: str,
    *arguments: str,
    program: Sequence[str] = _PATIENT,
    port: int = 0,
    authority: Path | None = None,
    **environment: str,
) -> Iterator[Service]:
    """One that is ready; with an empty `redis_url` it has a private Redis. `port`: 0 for a free one. `authority`: the
    certificate that has signed the one among the `arguments`. `environment`: further variables. In the folder of one
    that was killed it finds what that one left behind."""
    port, log = port or free_port(), folder / "service.log"
    variables = {"MATHTHERA_DATA_DIR": str(folder / "data"), "MATHTHERA_REDIS_URL": redis_url}
    variables |= {"MATHTHERA_ADMIN_TOKEN": _TOKEN}
    process = _started([*program, "serve", "--port", str(port), *arguments], os.environ | variables | environment, log)
    headers = {"Authorization": f"Bearer {_TOKEN}"}
    trust = ssl.create_default_context(cafile=authority) if authority else True
    base_url = f"{'https' if authority else 'http'}://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=base_url, headers=headers, timeout=PATIENCE_SECONDS, verify=trust) as client:
            until(lambda: _ready(client, process, log))
            yield Service(process, port, client, log)
    finally:
        process.kill()
        process.wait()


def _started(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Program:
    """Several workers load what they need each for itself, and so do other programs than ours."""
    if "--workers" not in command and tuple(command[:3]) in (_PATIENT, AS_SHIPPED):
        return Forked(command[2:], environment, log)
    with log.open("ab") as file:
        return subprocess.Popen(command, env=environment, stdout=file, stderr=file)


def until(happened: Callable[[], Any]) -> Any:
    """What `happened` gives, as soon as that is true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := happened()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
    return found


def _ready(client: httpx.Client, process: Program, log: Path) -> bool:
    assert process.poll() is None, log.read_text()
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False
