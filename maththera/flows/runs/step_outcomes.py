"""The outcome of a step, its record, and the state of a flow's graph, which holds the records: plain JSON that
LangGraph's checkpoints keep."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, NotRequired, cast, get_args

import orjson
from typing_extensions import TypedDict

from maththera.flows.runs.run_store import LARGE, RunStore
from maththera.json_types import JsonObject

Status = Literal["done", "skipped", "not_chosen", "failed"]
_STATUSES: Final[tuple[str, ...]] = get_args(Status)


class StepRecord(TypedDict):
    """A step that ended, as JSON: `StepOutcome` and `StepTrace` together, without what is empty. Of a failed item of a
    foreach only the status and the reason."""

    status: Status
    value: NotRequired[Any]
    kind: NotRequired[str]
    attempts: NotRequired[int]
    started_at: NotRequired[float]
    ms: NotRequired[int]
    reason: NotRequired[str]
    to: NotRequired[str]
    away: NotRequired[bool]
    maybe_done: NotRequired[bool]
    inputs: NotRequired[Any]
    prints: NotRequired[list[str]]
    log: NotRequired[list[str]]
    steps: NotRequired[dict[str, "StepRecord"]]


class RunError(TypedDict):
    """The step at which a run failed, its tool as `server.tool`, a code, and why."""

    step: str
    tool: str | None
    code: str
    message: str


_ERROR: Final = RunError.__required_keys__

LARGEST: Final = 64 * 1024  # bytes of JSON; longer values are stored outside of the state
_LONGEST: Final = 2_000  # characters of a message, which is stored and sent several times
_MOST_PRINTED: Final = 16 * 1024  # characters
_REFERENCE: Final = "$large"
_ALWAYS: Final = frozenset(("status", "value", "kind", "attempts", "started_at", "ms"))
_EMPTY: Final[tuple[Any, ...]] = (None, False, [], {})


class StepError(Exception):
    """A step without a result. `tool` is `server.tool` for a call; `again`: another attempt may help; `maybe_done`: the
    step, or one inside of it, must not run twice and may have done its work, so there is no other attempt."""

    def __init__(
        self,
        message: str,
        *,
        tool: str | None = None,
        code: str = "failed",
        again: bool = False,
        maybe_done: bool = False,
    ) -> None:
        self.message = message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
        super().__init__(self.message)
        self.tool = tool
        self.code = code
        self.again = again
        self.maybe_done = maybe_done


class StepFailed(Exception):
    """A step failed for good, and with it its block."""

    def __init__(self, step: str, error: StepError) -> None:
        super().__init__(f"{step}: {error.message}")
        self.step = step
        self.error = error

    def as_json(self) -> RunError:
        return {"step": self.step, "tool": self.error.tool, "code": self.error.code, "message": self.error.message}


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome. `to`: the step that a route or a goto has chosen. `away`: the step failed and went there, so steps
    that depend only on it do not run."""

    status: Status
    value: Any = None
    reason: str | None = None
    to: str | None = None
    away: bool = False

    @property
    def ends_path(self) -> bool:
        """Whether the steps after it have nothing to continue from."""
        return self.status == "not_chosen" or self.away


@dataclass(slots=True)
class StepTrace:
    """The trace of a step. `inputs`: its arguments. `started_at`: seconds since 1970. `log`: its failures, and those of
    inner steps. `steps`: records of inner steps. `maybe_done`: as in `StepError`."""

    inputs: Any = None
    attempts: int = 0
    started_at: float = field(default_factory=time.time)
    prints: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    steps: dict[str, StepRecord] = field(default_factory=dict)
    maybe_done: bool = False

    def printed(self, text: str) -> None:
        """Keeps printed text, up to a limit."""
        if sum(map(len, self.prints)) < _MOST_PRINTED:
            self.prints.append(text[:_MOST_PRINTED])


async def step_record(outcome: StepOutcome, trace: StepTrace, kind: str, store: RunStore, path: str) -> StepRecord:
    """The record of a step; large values become references, empty ones are left out."""
    record: JsonObject = {
        "status": outcome.status,
        "value": await store_if_large(outcome.value, store, path),
        "reason": outcome.reason,
        "to": outcome.to,
        "away": outcome.away,
        "maybe_done": trace.maybe_done,
        "kind": kind,
        "inputs": await store_if_large(trace.inputs, store, f"{path} inputs"),
        "attempts": trace.attempts,
        "started_at": trace.started_at,
        "ms": round((time.time() - trace.started_at) * 1_000),
        "prints": trace.prints,
        "log": trace.log,
        "steps": trace.steps,
    }
    return cast("StepRecord", {name: each for name, each in record.items() if name in _ALWAYS or each not in _EMPTY})


def outcome_of(record: StepRecord) -> StepOutcome:
    """The value as it stands in the record: a reference for a large one."""
    return StepOutcome(
        record["status"], record.get("value"), record.get("reason"), record.get("to"), record.get("away", False)
    )


async def store_if_large(value: Any, store: RunStore, path: str) -> Any:
    """The value, or its reference where the store takes large values."""
    if not store.takes_large or not isinstance(value, dict | list | str) or not value:
        return value
    encoded = orjson.dumps(value)
    if len(encoded) <= LARGEST:
        return value
    await store.put({LARGE + path: value})
    return {_REFERENCE: path, "bytes": len(encoded)}


def is_reference(value: Any) -> bool:
    """Whether a value of a record is a reference."""
    return isinstance(value, dict) and _REFERENCE in value


async def load_if_large(value: Any, store: RunStore) -> Any:
    """The value behind a reference; raises StepError when it is gone."""
    if not is_reference(value):
        return value
    found = await store.get(LARGE + value[_REFERENCE])
    if found is None:
        raise StepError("its large result is no longer kept", code="lost")
    return found


def completed(steps: Mapping[str, StepRecord]) -> list[str]:
    """Ids of the finished steps in their order, `<id>_skipped` for skipped ones."""
    names = {"done": "", "skipped": "_skipped", "not_chosen": "_skipped"}
    return [step + names[record["status"]] for step, record in steps.items() if record["status"] in names]


def error_log(steps: Mapping[str, StepRecord]) -> list[str]:
    """All failures, also those that `on_error` handles."""
    return [line for record in steps.values() for line in record.get("log", ())]


class BadState(ValueError):
    """What somebody wrote into the state of a flow, as in Studio, is not what stands there."""


def merged(one: Mapping[str, StepRecord], other: Mapping[str, StepRecord]) -> dict[str, StepRecord]:
    """Merges records by step. A branch returns all that it was given, so the same record may come twice. Raises
    BadState."""
    if not isinstance(other, Mapping):
        raise BadState(f"steps is {{step: record}}, not {other!r:.60}")
    for step, record in other.items():
        if not isinstance(record, Mapping) or record.get("status") not in _STATUSES:
            expected = f'{{"status": {" | ".join(_STATUSES)}, "value": what the step gave}}'
            raise BadState(f"steps.{step} is a record, {expected}, not {record!r:.60}")
    return {**one, **other}


def first_error(one: RunError, other: RunError) -> RunError:
    """Raises BadState."""
    if not isinstance(other, Mapping) or (other and not other.keys() >= _ERROR):
        raise BadState(f'error is {{}} or {{"step", "tool", "code", "message"}}, not {other!r:.60}')
    return one or other


class Ended(TypedDict, total=False):
    """The part of its state that a branch returns to its flow. `error`: empty without one."""

    steps: Annotated[dict[str, StepRecord], merged]
    error: Annotated[RunError, first_error]


class FlowState(Ended, total=False):
    """The state of a flow. `steps`: step → its record (`step_outcomes.step_record`). `path`: the place of a called flow
    in its run, "" or `outer/`. The fields from `status` on are written at the end."""

    inputs: JsonObject
    path: str
    execution_id: str
    flow_name: str
    flow_hash: str
    started_at: str
    status: str
    result: JsonObject | None
    outputs: JsonObject
    completed_steps: list[str]
    error_log: list[str]
    current_step: str | None
