"""The data that all steps of a run share within a process."""

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

from maththera.flows.runs.run_store import ENDED, MemoryRunStore, RunStore
from maththera.flows.runs.step_outcomes import StepRecord
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event

Emit = Callable[[Event], None]
Result = TypeVar("Result")

DRAIN_SECONDS: Final = 30.0
"""How long a step that must not be interrupted may continue after its run was stopped."""
CLOSING_SECONDS: Final = DRAIN_SECONDS + 10.0
"""Seconds within which a stopping worker must have closed everything."""

_OUTCOME: Final = ("status", "value", "reason", "to", "away")


@dataclass(slots=True)
class RunContext:
    """`known`: path → record of steps that ended in an earlier attempt or were decided by an adult. `failed`: paths of
    the flows in which a step has failed for good. `emit`: receives events."""

    store: RunStore = field(default_factory=MemoryRunStore)
    emit: Emit = lambda _: None
    known: dict[str, StepRecord] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    _repeatable: "dict[asyncio.Task[Any], str]" = field(default_factory=dict)
    _stopped: "set[asyncio.Task[Any]]" = field(default_factory=set)
    _unsaved: JsonObject = field(default_factory=dict)
    _saving: asyncio.Task[None] | None = None

    # --- records ------------------------------------------------------------------------------------------------------

    async def keep(self, path: str, record: StepRecord, *, at_once: bool) -> None:
        """Writes a record to the store; without `at_once` soon, together with others."""
        if "[" in path:  # an item: only the outcome, as there may be thousands
            record = cast("StepRecord", {name: each for name, each in record.items() if name in _OUTCOME})
        self.known[path] = record
        if at_once:
            await self.store.put({ENDED + path: record})
            return
        self._unsaved[ENDED + path] = record
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save())

    async def saved(self) -> None:
        """Waits until all records are in the store; raises the first error."""
        if self._saving is not None:
            await self._saving

    async def _save(self) -> None:
        while self._unsaved:
            values, self._unsaved = self._unsaved, {}
            await self.store.put(values)

    # --- stopping -----------------------------------------------------------------------------------------------------

    async def stoppable(self, flow: str, work: Awaitable[Result]) -> Result | None:
        """The result of a step that is cancelled when another step of its flow fails; None when it was cancelled.
        `flow`: the path of the flow."""
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._repeatable[task] = flow
        try:
            return await work
        except asyncio.CancelledError:
            if task not in self._stopped:
                raise
            task.uncancel()
            return None
        finally:
            self._repeatable.pop(task, None)
            self._stopped.discard(task)

    def stop(self, flow: str) -> None:
        """Cancels the repeatable steps of this flow, because one of its steps has failed."""
        self.failed.add(flow)
        for task, other in list(self._repeatable.items()):
            if other == flow and task is not asyncio.current_task():
                self._stopped.add(task)
                task.cancel()


RUN: Final[ContextVar[RunContext | None]] = ContextVar("run", default=None)
"""None in Studio, where LangGraph's own server runs the graphs."""


async def finish_before_cancel(work: Awaitable[Result]) -> Result:
    """The result of work that must not be interrupted. When the run is stopped, the work may continue for
    `DRAIN_SECONDS`."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=DRAIN_SECONDS)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        raise
