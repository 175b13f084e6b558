"""Worker processes of a service: they end with their parent, and nobody takes the data directory beside them."""

import fcntl
import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path
from typing import IO, Final

CLOSING_SECONDS: Final = 5
"""What is under way when a worker is told to end gets so long: more than the slowest turn takes."""

_LEFT_BEHIND_SECONDS: Final = CLOSING_SECONDS + 3.0
_LOOK_SECONDS: Final = 0.02
_FILE: Final = "workers.lock"


class OldWorkersRunning(RuntimeError):
    """Workers of a service that has ended still use the data directory."""


def end_with_parent() -> None:
    """Ends this process in good order when the one that started it is gone, killed for instance; after
    CLOSING_SECONDS and two more in any order. Does nothing in a process that was not started by another Python."""
    if multiprocessing.parent_process() is not None:
        threading.Thread(target=_end_after_parent, name="parent", daemon=True).start()


def join_data_dir(data_dir: Path) -> IO[str]:
    """Makes this process one of the workers that use a data directory, as long as the file that is returned is open."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = (data_dir / _FILE).open("a")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def wait_for_old_workers(data_dir: Path) -> None:
    """Waits until a killed service's workers have ended. OldWorkersRunning when they do not."""
    until = time.monotonic() + _LEFT_BEHIND_SECONDS
    with (data_dir / _FILE).open("a") as file:
        while not _locked(file):
            if time.monotonic() > until:
                raise OldWorkersRunning(f"workers of a service that was killed still use {data_dir}: end them")
            time.sleep(_LOOK_SECONDS)


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(CLOSING_SECONDS + 2)
        os._exit(1)
