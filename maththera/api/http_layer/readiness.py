"""Readiness: the state of each dependency, and the capabilities that remain."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

from maththera.executions.service import Executions
from maththera.json_types import JsonObject
from maththera.llm.model_client import Models
from maththera.store.database import Database

PATIENCE_SECONDS: Final = 1.0

Probe: TypeAlias = Callable[[], Awaitable[object]]
State = Literal["up", "slow", "down"]
Status = Literal["ok", "degraded", "down"]

REQUIRED: Final = frozenset({"database", "writes"})
_PATIENT: Final = frozenset({"writes"})
"""The time limit of the write probe: on SQLite writes queue, so a slow one is not yet a failure."""

CAPABILITIES: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "tutoring": (REQUIRED, frozenset({"redis"})),
    "lessons": (REQUIRED, frozenset({"redis", "model"})),
    "chat": (REQUIRED | {"redis"}, frozenset({"model"})),
    "flows": (REQUIRED | {"redis"}, frozenset({"servers", "model"})),
    "erasing": (REQUIRED, frozenset({"redis"})),
}
"""Capability → (dependencies that it needs, dependencies that improve it)."""


async def check_readiness(probes: Mapping[str, Probe]) -> JsonObject:
    """Checks everything; -> `status`, `dependencies` and `capabilities` as JSON. A missing model never makes the
    service unready."""
    found = await asyncio.gather(*(_asked(name, probe) for name, probe in probes.items()))
    dependencies = dict(zip(probes, found, strict=True))
    down = {name for name, each in dependencies.items() if each["state"] == "down"}
    worse = {name for name, each in dependencies.items() if each["state"] != "up"}
    capabilities = {
        name: _status(needs & down, (needs | better) & worse) for name, (needs, better) in CAPABILITIES.items()
    }
    return {"status": _status(REQUIRED & down, worse), "dependencies": dependencies, "capabilities": capabilities}


def write_probe(database: Database) -> Probe:
    """A probe that writes an unchanged row: a full disk can still be read."""
    return database.try_writing


def servers_probe(executions: Executions) -> Probe:
    """A probe of the MCP servers that have been used so far; the others are not started to be asked."""

    async def probe() -> None:
        states = executions.runner.tools.health()
        if down := [name for name, health in states.items() if health.state == "down"]:
            raise ConnectionError(", ".join(down))

    return probe


def model_probe(url: str, models: Models) -> Probe:
    """A probe of the model: it connects to its address, and sends no request, which would cost. Down, too, where the
    last call of this process was refused, and while this process does not ask it because it did not answer."""
    address = urlsplit(url)
    port = address.port or (443 if address.scheme == "https" else 80)

    async def probe() -> None:
        _, writer = await asyncio.open_connection(address.hostname, port)
        writer.close()
        if models.refused or models.breaker.resting:
            raise ConnectionError("the last call was refused, or not answered")

    return probe


def _status(missing: frozenset[str] | set[str], worse: frozenset[str] | set[str]) -> Status:
    return "down" if missing else "degraded" if worse else "ok"


async def _asked(name: str, probe: Probe) -> JsonObject:
    started = time.perf_counter()
    state: State = "up"
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await probe()
    except TimeoutError:
        state = "slow" if name in _PATIENT else "down"
    except Exception:
        state = "down"
    return {"state": state, "ms": round((time.perf_counter() - started) * 1000, 2)}
