"""How a step ended, and how that is written into states and journals."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import orjson

from maththera.flows.shelves import KEPT, Shelf

Status = Literal["done", "skipped", "not_chosen", "failed", "waiting", "blocked"]

LARGE: Final = 64 * 1024  # bytes of JSON; what is longer lives outside of the state
_LONGEST: Final = 2_000  # characters of a message: it is kept, and told again and again
_REFERENCE: Final = "$large"


class StepError(Exception):
    """A step without a result. `tool` is `server.tool` for a call; `again`: another try may help."""

    def __init__(self, message: str, *, tool: str | None = None, code: str = "failed", again: bool = False) -> None:
        self.message = message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
        super().__init__(self.message)
        self.tool = tool
        self.code = code
        self.again = again


class RunFailed(Exception):
    """A step failed that the run cannot do without."""

    def __init__(self, step: str, error: StepError) -> None:
        super().__init__(f"{step}: {error.message}")
        self.step = step
        self.error = error

    def told(self) -> dict[str, Any]:
        """Which step, which tool, why."""
        return {"step": self.step, "tool": self.error.tool, "code": self.error.code, "message": self.error.message}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`to`: the step that a route or a goto has chosen; `away`: the step failed and went there, so what only depends
    on it does not run. `waiting`: what a person is asked."""

    status: Status
    value: Any = None
    reason: str | None = None
    to: str | None = None
    away: bool = False
    waiting: Mapping[str, Any] | None = None

    @property
    def final(self) -> bool:
        return self.status not in ("waiting", "blocked")

    @property
    def dead(self) -> bool:
        """Nothing goes on from here."""
        return self.status == "not_chosen" or self.away

    async def packed(self, shelf: Shelf, name: str) -> dict[str, Any]:
        """Plain JSON, the value by reference when it is large."""
        record = {"status": self.status, "value": self.value, "reason": self.reason, "to": self.to, "away": self.away}
        if isinstance(self.value, dict | list | str) and self.value:
            record["value"] = await pack(self.value, shelf, name)
        return record

    @classmethod
    async def unpacked(cls, record: Mapping[str, Any], shelf: Shelf) -> "Outcome":
        """Raises StepError when the large value is gone."""
        value = await unpack(record["value"], shelf)
        return cls(record["status"], value, record["reason"], record["to"], record["away"])


async def pack(value: Any, shelf: Shelf, name: str) -> Any:
    """The value, or where it is."""
    encoded = orjson.dumps(value)
    if len(encoded) <= LARGE:
        return value
    await shelf.put(f"large:{name}", encoded, KEPT)
    return {_REFERENCE: name, "bytes": len(encoded)}


async def unpack(value: Any, shelf: Shelf) -> Any:
    if not (isinstance(value, dict) and _REFERENCE in value):
        return value
    encoded = await shelf.get(f"large:{value[_REFERENCE]}")
    if encoded is None:
        raise StepError("its large result is no longer kept", code="lost")
    return orjson.loads(encoded)
