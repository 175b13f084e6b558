"""What happened in a run, step by step: told while it runs, kept with its record when it has ended."""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from redis.exceptions import RedisError

from maththera.executions.value_masking import ValueMasker
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event, EventLog
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ENDED, ExecutionRecords, ExecutionRow, Status

logger = logging.getLogger(__name__)

Observe = Callable[[ExecutionRow, Event], None]
"""Is told each event of each run, as it is."""

_TOLD: Final = ("ms", "attempts", "inputs", "output", "prints", "to")
_UNDER_WAY: Final = frozenset({"running", "waiting"})


@dataclass(frozen=True, slots=True)
class StepHistory:
    records: ExecutionRecords
    log: EventLog
    shown: ValueMasker
    observe: Observe = lambda _, __: None

    async def tell(self, row: ExecutionRow, event: Event) -> None:
        """To everybody who watches the run, without secrets. Raises RedisError."""
        self.observe(row, event)
        await self.log.append(row.execution_id, self.shown.with_secret_inputs(row.inputs).event(event))

    async def end(self, row: ExecutionRow, event: Event) -> None:
        """Tells the end, and keeps the steps with the record: the events are not kept for long."""
        await self.tell(row, event)
        try:
            await self.records.save_steps(row.execution_id, await self._told(row.execution_id, event["status"]))
        except (RedisError, StoreUnavailable) as error:
            logger.warning("run %s: its steps are known for a week only: %s", row.execution_id, error)

    async def steps(self, row: ExecutionRow) -> list[JsonObject]:
        """In the order in which they began. Raises RedisError while the run has not ended."""
        kept = await self.records.steps(row.execution_id) if row.status in ENDED else None
        return kept if kept is not None else await self._told(row.execution_id, row.status)

    async def _told(self, execution_id: str, status: Status) -> list[JsonObject]:
        return steps_of(await self.log.all(execution_id), status)[: self.shown.rules.most_steps]


def steps_of(events: Iterable[tuple[str, Event]], status: Status) -> list[JsonObject]:
    """The steps that a run's events tell of: `step` is its path, `status` running, waiting, done, failed, skipped, or
    broken_off where the run ended before the step did."""
    found: dict[str, JsonObject] = {}
    for number, event in events:
        for path in event.get("steps", ()) if event["type"] == "answered" else [event.get("step")]:
            if path is not None:
                _apply_event(found, path, number, event)
    if status in ENDED:
        for step in found.values():
            if step["status"] in _UNDER_WAY:
                step["status"] = "broken_off"
    return list(found.values())


def _apply_event(found: dict[str, JsonObject], path: str, number: str, event: Event) -> None:
    kind = event["type"]
    if kind in ("step_started", "step_skipped", "step_failed", "repaired"):
        found.setdefault(path, _step(path, event, number))
    step = found.get(path)
    if step is None:
        return
    match kind:
        case "step_started":
            step |= _step(path, event, number)
        case "step_finished":
            step |= {"status": "done", **_result_fields(event)}
        case "step_skipped":
            step |= {"status": "skipped", "reason": event["reason"]}
        case "step_failed":
            answered = event["action"] == "fallback"
            step |= {"status": "done" if answered else "failed", "error": _error(event), **_result_fields(event)}
        case "retry":
            step |= {"attempts": event["attempt"]}
        case "waiting" | "answered":
            step |= {"status": "waiting" if kind == "waiting" else "running"}
        case "repaired" if event["what"] != "retry":
            step |= {"status": "done" if event["what"] == "mark_done" else "skipped", "reason": event["what"]}


def _step(path: str, event: Event, number: str) -> JsonObject:
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


def _result_fields(event: Event) -> JsonObject:
    return {name: event[name] for name in _TOLD if name in event}


def _error(event: Mapping[str, Any]) -> JsonObject:
    return {name: event.get(name) for name in ("tool", "code", "message", "action")}
