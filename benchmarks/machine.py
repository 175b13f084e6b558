"""The machine a report was made on."""

import os
import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Final

import psutil

from tests.support.programs import postgres_programs, redis_program

IDLE_SHARE: Final = 0.5  # of the cores; below it nothing much else runs
PACKAGES: Final = ("langgraph", "langgraph-checkpoint", "langchain-core", "fastapi", "uvicorn", "uvloop", "redis",
                   "sqlalchemy", "asyncpg", "aiosqlite", "pydantic")  # fmt: skip


def describe() -> str:
    """As Markdown: processor, memory, system, programs, packages."""
    memory = psutil.virtual_memory().total / 2**30
    return "\n".join(
        [
            f"- {_processor()}, {os.cpu_count()} cores, {memory:.0f} GB RAM",
            f"- {_system()}, kernel {platform.release()}, Python {platform.python_version()}",
            f"- {_program(redis_program())}; {_program(postgres_programs() / 'postgres')}",
            f"- {', '.join(f'{name} {version(name)}' for name in PACKAGES)}",
        ]
    )


def busy() -> str | None:
    """A warning when others are at work here: asked before anything is measured."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load < IDLE_SHARE * cores:
        return None
    return f"**Other programs kept this machine busy (load {load:.1f}): times and rates are worse than it can do.**"


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", cpuinfo.read_text()) if cpuinfo.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.platform()


def _program(path: Path) -> str:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    number = re.search(r"\d+\.\d+(\.\d+)?", said)
    return f"{path.name} {number[0] if number else said.strip()}"
