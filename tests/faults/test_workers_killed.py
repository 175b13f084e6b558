"""The parent of two workers is killed: nothing is left behind, and the next start works at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.support.network import free_port

pytestmark = pytest.mark.slow

COMMAND = Path(sys.executable).with_name("maththera")
PATIENCE_SECONDS = 120
ENDS_WITHIN_SECONDS = 15


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        for each in _descendants(process.pid):
            each.kill()
        process.kill()
        process.wait()


def serve(started: list[subprocess.Popen[bytes]], folder: Path, port: int) -> subprocess.Popen[bytes]:
    """A service of two workers that is ready, or whose port somebody else answers at."""
    environment = {**os.environ, "MATHTHERA_DATA_DIR": str(folder / "data"), "MATHTHERA_ADMIN_TOKEN": "chosen"}
    with (folder / "log").open("ab") as log:
        command = [str(COMMAND), "serve", "--port", str(port), "--workers", "2"]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    started.append(process)
    ready(process, port, folder)
    return process


def ready(process: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    with httpx.Client(timeout=PATIENCE_SECONDS) as client:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if client.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
    pytest.fail((folder / "log").read_text())


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _alive(processes: list[psutil.Process]) -> list[int]:
    return [each.pid for each in processes if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]


def test_nothing_outlives_a_killed_parent(started: list[subprocess.Popen[bytes]], tmp_path: Path) -> None:
    """Once the next start is on another port, once on the same, where an orphan may answer in its last moment."""
    parent, port = serve(started, tmp_path, free_port()), free_port()
    for again_at in (port, port):
        family = _descendants(parent.pid)
        assert len(family) >= 3  # two workers and Redis
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        parent = serve(started, tmp_path, again_at)
        deadline = time.monotonic() + ENDS_WITHIN_SECONDS
        while (left := _alive(family)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert left == []
        ready(parent, again_at, tmp_path)
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(PATIENCE_SECONDS) == 0
