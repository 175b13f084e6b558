"""A private PostgreSQL cluster for tests."""

import os
import pwd
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

from tests.support.programs import postgres_programs
from tests.support.servers import Server, exchange


class PostgresServer(Server):
    """A cluster with trust on a unix socket. PostgreSQL refuses root, so under root it runs as another account."""

    def __init__(self) -> None:
        programs = postgres_programs()
        super().__init__("postgres")
        self._account = _unprivileged_account() if os.geteuid() == 0 else None
        if self._account:
            os.chown(self.folder, self._account.pw_uid, self._account.pw_gid)
        self._programs = self._reachable(programs)
        self._data = self.folder / "data"

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+asyncpg://postgres@/{database}?host={self.folder}"

    def start(self) -> None:
        if not self._data.exists():
            self._initialise()
        super().start()

    def kill(self) -> None:
        """As in a crash: every backend ends at once and the next start recovers from the write-ahead log. It takes
        SIGQUIT: after a SIGKILL of the first process, backends live on and hold the shared memory against a restart.
        """
        self._end(signal.SIGQUIT)

    def stop(self) -> None:
        """SIGINT: shut down in order without waiting for clients to leave."""
        self._end(signal.SIGINT)

    def _signal(self, number: signal.Signals) -> None:
        """Hanging means that the backends hang too, and each of them leads a process group of its own."""
        super()._signal(number)
        if number in (signal.SIGSTOP, signal.SIGCONT):
            for backend in self._processes()[1:]:
                with suppress(psutil.NoSuchProcess):
                    backend.send_signal(number)

    def _processes(self) -> list[psutil.Process]:
        return [each for first in super()._processes() for each in (first, *first.children())]

    def _spawn(self, log: int) -> subprocess.Popen[bytes]:
        settings = {"listen_addresses": "", "unix_socket_directories": str(self.folder), "shared_buffers": "32MB"}
        settings |= {"fsync": "off", "timezone": "UTC"}  # only a crash of the machine needs fsync
        settings |= {"autovacuum": "off"}  # it would be in the way of CREATE DATABASE now and then
        arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return self._run([self._programs / "postgres", "-D", self._data, *arguments], log)

    def _initialise(self) -> None:
        options = ["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"]
        with self.log.open("ab") as log:
            made = self._run([self._programs / "initdb", f"--pgdata={self._data}", *options], log.fileno())
        if made.wait() != 0:
            raise RuntimeError(f"initdb failed:\n{self.log.read_text(errors='replace')}")

    def _answers(self) -> bool:
        """A start-up packet of protocol 3.0 is answered by R (authentication); while starting, by E (an error)."""
        body = (3 << 16).to_bytes(4) + b"user\0postgres\0\0"
        return exchange(self.folder / ".s.PGSQL.5432", (len(body) + 4).to_bytes(4) + body).startswith(b"R")

    def _run(self, command: list[str | Path], log: int) -> subprocess.Popen[bytes]:
        account = self._account
        return subprocess.Popen(
            command,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            user=account and account.pw_uid,
            group=account and account.pw_gid,
            extra_groups=account and [],
        )

    def _reachable(self, programs: Path) -> Path:
        """The other account may be shut out of the checkout (say, /root): then it gets its own copy of the
        wheel's programs and of the libraries beside them."""
        try:
            self._run([programs / "postgres", "--version"], subprocess.DEVNULL).wait()
        except PermissionError:
            package = programs.parents[1]
            for part in (package, package.with_name(f"{package.name}.libs")):
                shutil.copytree(part, self.folder / part.name)
            return self.folder / programs.relative_to(package.parent)
        return programs


def _unprivileged_account() -> pwd.struct_passwd:
    names = {account.pw_name: account for account in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]
