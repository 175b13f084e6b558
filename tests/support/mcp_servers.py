"""MCP servers for tests: reference servers that nobody here wrote, one of ours that misbehaves, and their processes."""

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from maththera.servers.config import Limits, Server

NODE_SERVERS = Path(__file__).parent / "node_servers" / "node_modules" / "@modelcontextprotocol"
PATIENT = Limits(start_timeout=120)
"""For a machine that does much else at the same time."""


def node_server(name: str, *arguments: str, **fields: Any) -> Server:
    """A reference server from npm, as `make test` installs it; skips the test where it is not."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here: install nodejs and npm to try the reference servers")
    program = NODE_SERVERS / f"server-{name}" / "dist" / "index.js"
    if not program.is_file():
        pytest.skip("the reference servers are not installed: scripts/test_servers does it")
    return Server(command=[node, str(program), *arguments], limits=PATIENT, **fields)


def time_server() -> Server:
    """The reference server from PyPI."""
    if importlib.util.find_spec("mcp_server_time") is None:
        pytest.skip("mcp-server-time is not installed: make setup does it")
    return Server(command=[sys.executable, "-m", "mcp_server_time"], limits=PATIENT)


def faulty_server(diary: Path, **fields: Any) -> Server:
    """tests.support.faulty_server, which writes down in `diary` what was called."""
    limits = fields.pop("limits", Limits(start_timeout=120, backoff=0.01, max_delay=0.05))
    return Server(
        command=[sys.executable, "-m", "tests.support.faulty_server"],
        directory=Path(__file__).parents[2],
        environment={"DIARY": str(diary)},
        limits=limits,
        **fields,
    )


def processes(word: str) -> Iterator[psutil.Process]:
    """This process' children that have `word` in their command line."""
    for child in psutil.Process().children(recursive=True):
        try:
            if any(word in part for part in child.cmdline()):
                yield child
        except psutil.NoSuchProcess:
            continue
