"""The history of a run, step by step: sent as events while it runs, stored with its record when it has ended."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal, cast

from redis.exceptions import RedisError
from typing_extensions import TypedDict

from maththera.executions.value_masking import ValueMasker
from maththera.runtime.event_log import Event, EventLog
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ENDED, ExecutionRecords, ExecutionRow, Status

logger = logging.getLogger(__name__)

Observe = Callable[[ExecutionRow, Event], None]
"""Receives each event of each run, unmasked."""

_TOLD: Final = ("ms", "attempts", "inputs", "output", "prints", "to")
_UNDER_WAY: Final = frozenset({"running", "waiting"})


class StepError(TypedDict):
    """`action`: what its author has put down for a failure."""

    tool: str | None
    code: str
    message: str
    action: str


class ExecutionStep(TypedDict):
    """The history of one step. `step`: its path, `outer/inner` in a called flow, `loop[3].inner` in a foreach; `name`:
    for people. `status` broken_off: the run, or the foreach around it, ended before the step did. `started_at`: in ISO
    8601. A value over 4 kB is `{"$cut": its beginning as JSON, "bytes": of all}`. `to`: the step that it led to."""

    step: str
    name: str
    kind: str | None
    status: Literal["running", "waiting", "done", "failed", "skipped", "broken_off"]
    started_at: str
    ms: int | None
    attempts: int
    inputs: Any
    output: Any
    prints: Any
    to: str | None
    reason: str | None
    error: StepError | None


@dataclass(frozen=True, slots=True)
class StepHistory:
    records: ExecutionRecords
    log: EventLog
    shown: ValueMasker
    observe: Observe = lambda _, __: None

    async def tell(self, row: ExecutionRow, event: Event) -> None:
        """Sends an event to everybody who watches the run, with secrets masked. Raises RedisError."""
        self.observe(row, event)
        await self.log.append(row.execution_id, self._masker(row).event(event))

    def masked(self, row: ExecutionRow) -> ExecutionRow:
        """The run with secrets masked, for people."""
        shown = self._masker(row)
        asked = {
            step: {**each, "question": shown.masked(each["question"])} for step, each in (row.waiting or {}).items()
        }
        own = {name: getattr(row, name) for name in ("command", "error_log", "result", "closing", "error")}
        return replace(row, inputs=shown.masked(row.inputs), **shown.without_secrets({**own, "waiting": asked}))

    def _masker(self, row: ExecutionRow) -> ValueMasker:
        return self.shown.with_secret_inputs(row.inputs)

    async def end(self, row: ExecutionRow, event: Event) -> None:
        """Sends the last event, and stores the steps with the record, as the events are only kept for some days."""
        await self.tell(row, event)
        try:
            await self.records.save_steps(row.execution_id, await self._told(row.execution_id, event["status"]))
        except RedisError as error:
            logger.debug("run %s: its steps are not recorded yet: %r", row.execution_id, error)
        except StoreUnavailable as error:
            logger.warning("run %s: its steps are not recorded yet: %s", row.execution_id, error)

    async def steps(self, row: ExecutionRow) -> list[ExecutionStep]:
        """The steps in the order in which they began. Raises RedisError while the run has not ended."""
        kept = await self.records.steps(row.execution_id) if row.status in ENDED else None
        return kept if kept is not None else await self._told(row.execution_id, row.status)

    async def _told(self, execution_id: str, status: Status) -> list[ExecutionStep]:
        return steps_of(await self.log.all(execution_id), status)[: self.shown.rules.most_steps]


def steps_of(events: Iterable[tuple[str, Event]], status: Status) -> list[ExecutionStep]:
    """The steps in a run's events, in the order in which they began."""
    found: dict[str, ExecutionStep] = {}
    for number, event in events:
        for path in event.get("steps") or [event.get("step")]:
            if path is not None:
                _apply_event(found, path, number, event)
    if status in ENDED:
        for step in found.values():
            if step["status"] in _UNDER_WAY:
                step["status"] = "broken_off"
    return list(found.values())


def _apply_event(found: dict[str, ExecutionStep], path: str, number: str, event: Event) -> None:
    kind = event["type"]
    if kind in ("step_started", "step_skipped", "step_failed", "repaired"):
        found.setdefault(path, _step(path, event, number))
    step = found.get(path)
    if step is None:
        return
    _apply_to_items(found, step, kind)
    match kind:
        case "step_started":
            step |= _step(path, event, number)
        case "step_finished":
            found[path] = _ended(step, event) | {"status": "done"}
        case "step_skipped":
            step |= {"status": "skipped", "reason": event["reason"]}
        case "step_failed":
            answered = event["action"] == "fallback"
            found[path] = _ended(step, event) | {"status": "done" if answered else "failed", "error": _error(event)}
        case "retry":
            step["attempts"] = event["attempt"]
        case "waiting" | "answered" | "expired":
            step["status"] = "waiting" if kind == "waiting" else "running"
        case "repaired" if event["what"] != "retry":
            step |= {"status": "done" if event["what"] == "mark_done" else "skipped", "reason": event["what"]}


def _apply_to_items(found: dict[str, ExecutionStep], step: ExecutionStep, kind: str) -> None:
    """Steps inside of a foreach tell only their failures: those that failed before run again with it, and have ended
    well when it has, unless they have failed again."""
    if step["kind"] != "foreach":
        return
    for item in [each for name, each in found.items() if name.startswith(f"{step['step']}[")]:
        match kind, item["status"]:
            case "step_started" | "retry", "failed":
                item |= {"status": "running", "error": None}
            case "step_finished", "running":
                item["status"] = "done"
            case "step_failed", "running":
                item["status"] = "broken_off"


def _step(path: str, event: Event, number: str) -> ExecutionStep:
    return {
        "step": path,
        "name": event.get("name", path),
        "kind": event.get("kind"),
        "status": "running",
        "started_at": datetime.fromtimestamp(int(number.partition("-")[0]) / 1_000, UTC).isoformat(),
        "ms": None,
        "attempts": 1 if event["type"] == "step_started" else 0,
        "inputs": None,
        "output": None,
        "prints": [],
        "to": None,
        "reason": None,
        "error": None,
    }


def _ended(step: ExecutionStep, event: Event) -> ExecutionStep:
    """The step with the values of the event that ended it."""
    return cast("ExecutionStep", {**step, **{name: event[name] for name in _TOLD if name in event}})


def _error(event: Event) -> StepError:
    return {"tool": event.get("tool"), "code": event["code"], "message": event["message"], "action": event["action"]}
