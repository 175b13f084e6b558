"""Programs of ours in processes of their own that need not load what they begin with: each is forked from one process,
which has loaded it once (Python's `forkserver`). A service would else work for six seconds before it is ready.

That a program starts by itself is tested in tests/api/test_serving.py and tests/faults/test_workers_killed.py.
"""

import contextlib
import gc
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_CONTEXT: Final = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.support.loaded"])
ROOT: Final = Path(__file__).parents[2]


class Forked:
    """As `subprocess.Popen([sys.executable, "-m", *command], …)`, both outputs at the end of the file `log`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        self._command = command
        self._process = _CONTEXT.Process(target=_run, args=([*command], dict(environment), str(log)))
        with contextlib.chdir(ROOT):  # where the process that is forked finds these modules
            self._process.start()

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    @property
    def returncode(self) -> int | None:
        return self.poll()

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self._command, timeout or 0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(command: list[str], environment: dict[str, str], log: str) -> None:
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for output in (1, 2):
        os.dup2(file, output)
    os.close(file)
    gc.enable()
    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
