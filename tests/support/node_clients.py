"""Chat clients from npm that nobody here wrote, run as programs of their own."""

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).parent / "node_clients"


async def node_client(program: str, package: str, *arguments: str) -> dict[str, Any]:
    """What a program of `node_clients` prints; skips the test where Node or `package` is missing."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here: install nodejs and npm to try the clients of the chat")
    if not (_FOLDER / "node_modules" / package).is_dir():
        pytest.skip(f"{package} is not installed: scripts/test_servers does it")
    process = await asyncio.create_subprocess_exec(
        node, str(_FOLDER / program), *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, complaints = await process.communicate()
    assert process.returncode == 0, complaints.decode()
    found: dict[str, Any] = json.loads(out)
    return found
