"""One process working on one run: takes the lease, runs the flow, tells what happens, records what came of it."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from langgraph.checkpoint.base import BaseCheckpointSaver
from redis.asyncio import Redis

from maththera.executions.flow_files import FlowFiles
from maththera.executions.guard import GuardedTools, OwnCache
from maththera.executions.known_tools import KnownTools
from maththera.executions.leases import lease
from maththera.flows.asking import through
from maththera.flows.closing import ClosingTexts, closing
from maththera.flows.faults import FlowError
from maththera.flows.flow import Flow, FlowStep, InputError
from maththera.flows.model import ToolStep
from maththera.flows.runner import FlowChanged, Outcome, run
from maththera.flows.sandbox import Sandbox
from maththera.flows.services import Services
from maththera.flows.shelves import RedisShelf
from maththera.learners.executions import ExecutionRecords, ExecutionRow, Status
from maththera.llm.models import Models
from maththera.runtime.events import Event, EventLog
from maththera.runtime.tracing import span

logger = logging.getLogger(__name__)

MOST_STARTS: Final = 20
"""A run that as many processes have given up on, or died of, has failed."""

CANCEL: Final = frozenset({"cancel"})

_INTERRUPT: Final = "__interrupt__"  # where LangGraph writes that a thread waits for an answer


@dataclass(frozen=True, slots=True)
class Runner:
    records: ExecutionRecords
    log: EventLog
    redis: Redis
    files: FlowFiles
    tools: KnownTools
    saver: BaseCheckpointSaver[Any]
    sandbox: Sandbox
    closings: ClosingTexts
    models: Models | None = None

    async def run(self, execution_id: str) -> None:
        """Works on a run until it ends, waits for a person, or is cancelled. Does nothing if another process works on
        it, or it is over. What cannot be done now, for want of a store, is raised; the run stays as it is."""
        async with lease(self.redis, execution_id) as held:
            if held is None:
                return
            seen = await self.log.last_id(execution_id)
            if not await self.records.begin(execution_id):
                return
            row = await self.records.find(execution_id)
            if row is None:
                return
            work = asyncio.create_task(self._work(row), name=f"run {execution_id}")
            cancelled = asyncio.create_task(self.log.until(execution_id, seen, CANCEL), name=f"cancel {execution_id}")
            try:
                await asyncio.wait({work, cancelled, held}, return_when=asyncio.FIRST_COMPLETED)
                if work.done():
                    work.result()
                elif held.done():
                    logger.warning("run %s: the lease was lost, another process goes on with it", execution_id)
            finally:
                for task in (work, cancelled):
                    task.cancel()
                await asyncio.gather(work, cancelled, return_exceptions=True)

    async def _work(self, row: ExecutionRow) -> None:
        if row.starts > MOST_STARTS:
            await self.end(row, "failed", error=_error("run", "gave_up", f"broke off {MOST_STARTS} times"))
            return
        asked: list[Event] = []
        with span(f"flow.{row.flow_name}", execution_id=row.execution_id, flow_hash=row.flow_hash) as current:
            try:
                flow = await self._flow(row)
                outcome = await self._outcome(row, flow, asked)
            except FlowError as error:
                reason = f"the flow does not fit the servers any more: {error.faults[0]}"
                await self.end(row, "failed", error=_error("flow", "flow", reason))
                return
            except (InputError, FlowChanged) as error:
                await self.end(row, "failed", error=_error("inputs", "bad_arguments", str(error)))
                return
            if current is not None:
                current.set_attribute("status", outcome.status)
        await self._keep(row, flow, outcome, asked)

    async def _outcome(self, row: ExecutionRow, flow: Flow, asked: list[Event]) -> Outcome:
        """Tells all events but those on which somebody may act at once: the end and the questions, which are told when
        the record says so. `asked` takes the questions."""
        catalog = await self.files.catalog()
        self.tools.start(set(_servers(flow.steps)))
        services = Services(
            GuardedTools(self.tools, row.principal),
            self.sandbox,
            OwnCache(RedisShelf(self.redis), row.principal),
            self.files.graphs,
            catalog.latest(),
            through(self.models) if self.models else None,
        )

        async def tell(event: dict[str, Any]) -> None:
            if event["type"] == "waiting":
                asked.append(event)
            elif event["type"] != "final":
                await self.log.append(row.execution_id, event)

        answer = row.answer["value"] if row.answer is not None and await self._asks(row.execution_id) else None
        return await run(
            flow,
            row.inputs,
            services,
            checkpointer=self.saver,
            execution_id=row.execution_id,
            on_event=tell,
            answer=answer,
        )

    async def _asks(self, execution_id: str) -> bool:
        """Whether the run still stands at its question: an answer that it took before a crash is not given twice."""
        found = await self.saver.aget_tuple({"configurable": {"thread_id": execution_id, "checkpoint_ns": ""}})
        return found is not None and any(channel == _INTERRUPT for _, channel, _ in found.pending_writes or ())

    async def _flow(self, row: ExecutionRow) -> Flow:
        known = (await self.files.catalog()).by_hash(row.flow_hash)
        return known or await self.files.check(await self.records.flow_text(row.flow_hash), row.flow_name)

    async def _keep(self, row: ExecutionRow, flow: Flow, outcome: Outcome, asked: list[Event]) -> None:
        progress = {"completed_steps": outcome.completed_steps, "error_log": outcome.error_log}
        if outcome.status == "waiting":
            if await self.records.wait(row.execution_id, outcome.waiting, progress):
                for question in asked:
                    await self.log.append(row.execution_id, question)
            return
        sentence = await closing(flow, outcome, self.models, self.closings)
        values = {"result": outcome.result, "closing": sentence, "error": outcome.error}
        await self.end(row, outcome.status, **values, **progress)

    async def end(self, row: ExecutionRow, status: Status, **values: Any) -> bool:
        """Records the end and tells it. Whether it had not ended before."""
        if not await self.records.end(row.execution_id, status, **values):
            return False
        told: Mapping[str, Any] = {name: values.get(name) for name in ("result", "closing", "error")}
        await self.log.append(row.execution_id, {"type": "final", "status": status, **told})
        return True


def _servers(steps: Iterable[FlowStep]) -> Iterator[str]:
    for step in steps:
        if isinstance(step.fields, ToolStep):
            yield step.fields.mcp_call.server
        yield from _servers(step.steps)


def _error(step: str, code: str, message: str) -> dict[str, Any]:
    return {"step": step, "tool": None, "code": code, "message": message}
