"""Private server processes for tests, on unix sockets in folders of their own, that can be broken."""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

import psutil

from tests.support import memory
from tests.support.programs import redis_program

START_SECONDS = 100.0  # for a machine that is busy with other tests
POLL_SECONDS = 0.01
_STILL: Final = (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)


class Server:
    """A child process with a data folder. `start()` after `stop()` or `kill()` finds the data that was there."""

    def __init__(self, name: str) -> None:
        # Not pytest's tmp_path: a socket's path may have 107 bytes, and PostgreSQL's own user must reach the folder.
        self.folder = Path(tempfile.mkdtemp(prefix=f"maththera-{name}-", dir=memory.folder()))
        self.log = self.folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Return when the server answers; nothing happens when it runs already."""
        if self.running:
            return
        with self.log.open("ab") as log:
            self._process = self._spawn(log.fileno())
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if not self.running or time.monotonic() > deadline:
                raise RuntimeError(f"{self.folder.name} did not start:\n{self.log.read_text(errors='replace')}")
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Shut down in order, what was written is on disk."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End at once, as in a crash."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Hang: connections stay open and nothing answers until `resume()`."""
        self._signal(signal.SIGSTOP)
        while any(process.status() not in _STILL for process in self._processes()):
            time.sleep(POLL_SECONDS)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        self.resume()
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)  # Redis' child that rewrites its file may outlive it

    def _end(self, number: signal.Signals) -> None:
        self._signal(number)
        if self._process is not None:
            self._process.wait(START_SECONDS)
            self._process = None

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self.running:
            self._process.send_signal(number)

    def _processes(self) -> list[psutil.Process]:
        """Those that `pause` stops."""
        return [psutil.Process(self._process.pid)] if self._process is not None and self.running else []

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError


class RedisServer(Server):
    """Redis as the service runs it: a unix socket, append-only file, no TCP."""

    def __init__(self) -> None:
        program = redis_program()
        super().__init__("redis")
        self._program = program
        self._socket = self.folder / "redis.sock"
        self.url = f"unix://{self._socket}"

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        self._socket.unlink(missing_ok=True)
        options = {"port": "0", "unixsocket": str(self._socket), "dir": str(self.folder), "save": ""}
        options |= {"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction"}
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        return subprocess.Popen([self._program, *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def _answers(self) -> bool:
        """PONG, and not -LOADING while the append-only file is read."""
        return exchange(self._socket, b"PING\r\n").startswith(b"+PONG")

    def empty(self) -> None:
        if not exchange(self._socket, b"FLUSHALL\r\n").startswith(b"+OK"):
            raise RuntimeError("Redis did not empty itself")


def exchange(path: Path, request: bytes) -> bytes:
    """The first answer to one request on a unix socket; empty when nobody listens there or it closes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(START_SECONDS)
        try:
            connection.connect(str(path))
            connection.sendall(request)
            return connection.recv(64)
        except (FileNotFoundError, ConnectionError):
            return b""
