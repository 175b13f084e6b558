"""What servers say of their tools, without starting them where that can be helped: checking a flow takes no server.

The tools of our own servers follow from their code and from `servers.yaml`. What they said is kept in a file
and holds until either changes. Any other server may say something else tomorrow, so it is asked each time.
"""

import asyncio
import hashlib
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import TypeAdapter

import maththera
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue, ToolSpec
from maththera.servers.config import Server, Servers

_PACKAGE: Final = Path(maththera.__file__).parent
_PATIENCE: Final = 30.0  # seconds
_IMPORT: Final = re.compile(rb"^\s*from (maththera\.[\w.]+) import", re.MULTILINE)


async def described(servers: Servers, names: Collection[str], kept: Path) -> tuple[Catalogue, dict[str, str]]:
    """-> (server → tool → spec, server → why it is not there). All servers are in the first; those that are not among
    `names`, or not there, without tools. `kept`: the file; whether it can be written makes no difference."""
    own = {name for name in names if servers.servers[name].module is not None}
    stamp = _code_digest(servers)
    known = {name: tools for name, tools in _read(kept, stamp).items() if name in own}
    failures: dict[str, str] = {}
    new = own - known.keys()
    if new:
        known |= await _catalogue_from_code(servers, new)
    if missing := set(names) - known.keys():
        asked, failures = await _catalogue_from_servers(servers, missing)
        known |= asked
    if new:
        _write(kept, stamp, {name: known[name] for name in own - failures.keys()})
    return {name: known.get(name, {}) for name in servers.servers}, failures


async def _catalogue_from_code(servers: Servers, own: Collection[str]) -> Catalogue:
    """By one process for all of them. Nothing where it fails: the servers themselves then say why."""
    given = TypeAdapter(dict[str, Server]).dump_json({name: servers.servers[name] for name in own})
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "maththera.servers.tool_listing"),
        env={**os.environ, **servers.environment},
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            told, _ = await process.communicate(given)
        return _specs(orjson.loads(told))
    except (TimeoutError, ValueError):
        return {}
    finally:
        if process.returncode is None:
            process.kill()


async def _catalogue_from_servers(servers: Servers, names: Collection[str]) -> tuple[Catalogue, dict[str, str]]:
    from maththera.servers.client.server_manager import ServerManager

    async with ServerManager(servers) as manager:
        failures = await manager.connect(names)
        return {name: dict(tools) for name, tools in manager.catalogue().items() if name in names}, failures


def _code_digest(servers: Servers) -> str:
    """Changes with everything that a description may come from."""
    own = {name: server for name, server in servers.servers.items() if server.module is not None}
    digest = hashlib.sha256(f"{version('mcp')}\n{own}".encode())
    for code in _code(str(server.module) for server in own.values()):
        digest.update(code)
    return digest.hexdigest()


def _code(modules: Iterable[str]) -> Iterator[bytes]:
    """The text of these modules and of all of this package that they import, directly or not."""
    waiting, seen = sorted(modules), set()
    while waiting:
        path = _PACKAGE.joinpath(*waiting.pop().split(".")[1:])
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if path not in seen and path.is_file():
            seen.add(path)
            yield (code := path.read_bytes())
            waiting += sorted(found[1].decode() for found in _IMPORT.finditer(code))


def _read(kept: Path, stamp: str) -> Catalogue:
    """Nothing, when the file is of another time, broken or not there."""
    try:
        found = orjson.loads(kept.read_bytes())
        if found["stamp"] == stamp:
            return _specs(found["servers"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    return {}


def _specs(found: Mapping[str, Mapping[str, Any]]) -> Catalogue:
    return {server: {name: ToolSpec(**spec) for name, spec in tools.items()} for server, tools in found.items()}


def _write(kept: Path, stamp: str, servers: Catalogue) -> None:
    shown: JsonObject = {
        server: {name: asdict(spec) for name, spec in tools.items()} for server, tools in servers.items()
    }
    with suppress(OSError):
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = kept.with_suffix(".new")
        fresh.write_bytes(orjson.dumps({"stamp": stamp, "servers": shown}))
        fresh.replace(kept)
