"""Where the tests keep their data: in memory where there is room, so that no test waits for a disk that is kept busy.

What is tested against a killed process holds there as well: what a process has written outlives it on either.
"""

import shutil
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - every test makes folders of its own in it
_ROOM_BYTES: Final = 4 * 2**30


def folder() -> str | None:
    """None: wherever temporary files go."""
    return str(_MEMORY) if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM_BYTES else None
