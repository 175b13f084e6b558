"""A disk of its own for a service: a file system in memory that only the service and its children see, and that can be
filled from outside."""

import errno
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

_MOUNT: Final = 'mount -t tmpfs -o size="$0" none "$1" && shift && exec "$@"'
_PIECE: Final = b"\0" * 65536


def on_small_disk(folder: Path, megabytes: int) -> list[str]:
    """What a command begins with to find an empty disk at `folder`. Skips the test where nobody may mount one."""
    command = [shutil.which("unshare") or "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _MOUNT]
    command += [f"{megabytes}m", str(folder)]
    try:
        subprocess.run([*command, "true"], check=True, capture_output=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    return command


def seen_by(pid: int, folder: Path) -> Path:
    """The same folder as a process sees it."""
    return Path(f"/proc/{pid}/root{folder}")


def fill(folder: Path) -> Path:
    """-> the file that takes all the room there is"""
    path = folder / "ballast"
    with path.open("wb", buffering=0) as file:
        for size in (len(_PIECE), 1):
            try:
                while True:
                    file.write(_PIECE[:size])
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    return path
