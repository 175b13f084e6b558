"""Works on one run in one process, by the steps of every turn (`runtime/turns.py`): claimed, run on its checkpoint,
recorded, told."""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.executions.flow_files import FlowFiles
from maththera.executions.step_history import StepHistory
from maththera.executions.tool_access import GuardedTools, LazyTools, PrincipalCache, models_agreed, students_of
from maththera.flows.flow import Flow, FlowStep, InputError
from maththera.flows.flow_catalog import FlowCatalog
from maththera.flows.language.faults import FlowError
from maththera.flows.language.flow_schema import ToolStep
from maththera.flows.runs.closing_sentence import ClosingTexts, closing_sentence
from maththera.flows.runs.flow_runner import FlowChanged, RunOutcome, run_flow
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.run_context import finish_before_cancel
from maththera.flows.runs.run_store import RedisRunStore
from maththera.flows.runs.step_outcomes import RunError
from maththera.flows.runs.step_services import RedisBlobs, StepServices, ask_with_models
from maththera.llm.model_client import Models, allow_models, bar_models
from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.event_log import Event, EventLog
from maththera.runtime.leases import Lease, LeaseLost, LeaseRenewals, LeaseTimeout, is_held
from maththera.runtime.tracing import span
from maththera.store.access.consents import ConsentStandings
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ExecutionRecords, ExecutionRow, OpenQuestion, Status
from maththera.store.flow_versions import FlowVersion

logger = logging.getLogger(__name__)

MOST_STARTS: Final = 20
"""A run fails after so many starts that ended with a dead process or an unexpected error."""

CANCEL: Final = frozenset({"cancel"})

PATIENCE_SECONDS: Final = 2.0
"""How long to wait for the lease: the process whose run has just reached a question releases it within this time."""

LOST: Final = "what the run had done is no longer known, so it does not go on; begin a new one"

_STARTED, _PINNED, _WITHHELD = "started", "pinned", "models withheld"  # fields of a run's store


class _LeasedSaver(RedisSaver):
    """A checkpointer that saves only while the lease is held, so that a suspended process cannot overwrite later
    checkpoints of another one. Raises LeaseLost."""

    def __init__(self, redis: Redis, held: Lease) -> None:
        super().__init__(redis)
        self._held = held

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        await self._require_lease()
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        await self._require_lease()
        await super().aput_writes(config, writes, task_id, task_path)

    async def _require_lease(self) -> None:
        if not await is_held(self._redis, self._held):
            raise LeaseLost(self._held.key)


@dataclass(frozen=True, slots=True)
class Runner:
    records: ExecutionRecords
    log: EventLog
    redis: Redis
    files: FlowFiles
    tools: LazyTools
    leases: LeaseRenewals
    saver: RedisSaver
    sandbox: Sandbox
    closings: ClosingTexts
    story: StepHistory
    models: Models | None = None
    permissions: ConsentStandings | None = None
    _blameless: Counter[str] = field(default_factory=Counter)
    """Run → starts to subtract from its record."""

    async def run(self, execution_id: str) -> None:
        """Works on a run until it ends, waits for a person, or is cancelled. Does nothing if another process works on
        it or it has ended. Errors of the stores are raised and leave the run as it is."""
        async with AsyncExitStack() as stack:
            try:
                held = await stack.enter_async_context(self.leases.hold(execution_id, wait=PATIENCE_SECONDS))
            except LeaseTimeout:
                return
            seen = await self.log.last_id(execution_id)
            row = await self._begun(execution_id, held)
            if row is None:
                return
            async with self._counted(row):
                await self._work_while_held(row, held, seen)

    @asynccontextmanager
    async def _counted(self, row: ExecutionRow) -> AsyncIterator[None]:
        """Around the work on a run: the start remains counted if the process dies or the run raises an error of its
        own, which would be raised again. Otherwise (the run pauses, a store is away, the lease is lost, the process
        ends) it is subtracted."""
        try:
            yield
        except (RedisError, StoreUnavailable, asyncio.CancelledError):
            await self._take_back(row)
            raise
        await self._take_back(row)

    async def _take_back(self, row: ExecutionRow) -> None:
        if row.starts == 1:  # the first stays
            return
        self._blameless[row.execution_id] += 1
        with suppress(StoreUnavailable):
            await self.take_back_starts()

    async def take_back_starts(self) -> None:
        """Subtracts the starts that do not count. After StoreUnavailable the upkeep tries again."""
        for execution_id in list(self._blameless):
            count = self._blameless.pop(execution_id, 0)
            try:
                await self.records.take_back(execution_id, count)
            except BaseException:
                self._blameless[execution_id] += count
                raise

    async def _work_while_held(self, row: ExecutionRow, held: Lease, seen: str) -> None:
        """Runs the work until it is done or cancelled or the lease is lost. `seen`: the id of the last event before the
        start."""
        execution_id = row.execution_id
        work = asyncio.create_task(self._work(row, held), name=f"run {execution_id}")
        cancelled = asyncio.create_task(self.log.until(execution_id, seen, CANCEL), name=f"cancel {execution_id}")
        ending: set[asyncio.Future[Any]] = {work, cancelled, held.lost}
        try:
            await asyncio.wait(ending, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
            elif held.lost.done() and held.lost.result():  # else Redis is away, which its client says
                logger.warning("run %s: the lease was lost, another process goes on with it", execution_id)
        except LeaseLost:
            logger.warning("run %s: the lease was lost, another process goes on with it", execution_id)
        finally:
            for task in (work, cancelled):
                task.cancel()
            await asyncio.gather(work, cancelled, return_exceptions=True)

    async def _begun(self, execution_id: str, held: Lease) -> ExecutionRow | None:
        """The record of a run that this process may work on; None if it may not. A run without its checkpoint has
        failed: its finished steps are unknown, so it does not start again."""
        row = await self.records.find(execution_id)
        if row is None or row.status != "running":
            return None
        store = RedisRunStore(self.redis, execution_id, held)
        if not await self.saved(execution_id) and (row.answer or (row.starts and not await store.get(_STARTED))):
            await self.end(row, "failed", error=lost_run_error())
            return None
        await store.add(_STARTED, True)
        return await self.records.find(execution_id) if await self.records.begin(execution_id) else None

    async def saved(self, execution_id: str) -> bool:
        """Whether the run has a checkpoint."""
        return await self.saver.aget_tuple({"configurable": {"thread_id": execution_id}}) is not None

    async def _work(self, row: ExecutionRow, held: Lease) -> None:
        if row.starts > MOST_STARTS:
            await self.end(row, "failed", error=_error("run", "gave_up", f"broke off {MOST_STARTS} times"))
            return
        await self._apply_consents(row)
        with span(f"flow.{row.flow_name}", execution_id=row.execution_id, flow_hash=row.flow_hash) as current:
            try:
                outcome = await self._run_until_pause(row, held)
            except FlowError as error:
                reason = f"the flow does not fit the servers any more: {error.faults[0]}"
                await self.end(row, "failed", error=_error("flow", "flow", reason))
                return
            except (InputError, FlowChanged) as error:
                await self.end(row, "failed", error=_error("inputs", "bad_arguments", str(error)))
                return
            if current is not None and outcome is not None:
                current.set_attribute("status", outcome.status)

    @property
    def _asks_models(self) -> bool:
        return self.models is not None and self.models.available

    async def _apply_consents(self, row: ExecutionRow) -> None:
        """Bars models where that consent is missing for a child of this run."""
        if self.permissions is None or not self._asks_models:
            return
        withheld = await RedisRunStore(self.redis, row.execution_id).get(_WITHHELD)
        allow_models(not withheld and await models_agreed(self.permissions, students_of(row)))

    async def _run_until_pause(self, row: ExecutionRow, held: Lease) -> RunOutcome | None:
        """Runs the flow until it ends or waits for an answer that has not come yet; None if somebody ended the run
        meanwhile."""
        flow, flows = await self.versions(row)
        while True:
            asked: set[str] = set()
            outcome = await self._outcome(row, held, flow, flows, asked)
            progress = {"completed_steps": outcome.completed_steps, "error_log": outcome.error_log}
            if outcome.status != "waiting":
                await self._record_outcome(row, flow, outcome, progress)
                return outcome
            for path in outcome.waiting.keys() - asked - (row.waiting or {}).keys():  # a built-in graph asks by itself
                await self.records.ask(row.execution_id, outcome.waiting[path])
                await self.story.tell(row, {"type": "waiting", **outcome.waiting[path]})
            if await self.records.wait(row.execution_id, outcome.waiting, outcome.taken, progress):
                await self.saver.persist(row.execution_id)
                await RedisRunStore(self.redis, row.execution_id).hold()
                return outcome
            answered = await self.records.find(row.execution_id)
            if answered is None or answered.status != "running":
                return None
            row = answered

    async def _outcome(
        self, row: ExecutionRow, held: Lease, flow: Flow, flows: Mapping[str, Flow], asked: set[str]
    ) -> RunOutcome:
        """Runs the flow and sends its events. A question is recorded before it is sent; the end is sent by `end`, after
        the record. `asked` receives the paths of the questions."""
        self.tools.start(set(_servers(flow.steps)))

        async def tell(event: Event) -> None:
            try:
                if event["type"] == "waiting":
                    await self.records.ask(row.execution_id, _question(event))
                    asked.add(event["step"])
                if event["type"] != "final":
                    await self.story.tell(row, event)
            except RedisError as error:
                logger.debug("run %s: '%s' is not told: %r", row.execution_id, event["type"], error)
            except StoreUnavailable as error:
                logger.warning("run %s: '%s' is not told: %s", row.execution_id, event["type"], error)

        return await run_flow(
            flow,
            row.inputs,
            self.services(row, flows),
            checkpointer=_LeasedSaver(self.redis, held),
            store=RedisRunStore(self.redis, row.execution_id, held),
            execution_id=row.execution_id,
            on_event=tell,
            answer=row.answer,
        )

    def services(self, row: ExecutionRow, flows: Mapping[str, Flow]) -> StepServices:
        """The services of a run's steps, with the rights of the person who began it."""

        async def withhold() -> None:
            bar_models()
            await RedisRunStore(self.redis, row.execution_id).put({_WITHHELD: True})

        return StepServices(
            GuardedTools(self.tools, row.principal, self.permissions, withhold if self._asks_models else None),
            self.sandbox,
            PrincipalCache(RedisBlobs(self.redis), row.principal),
            self.files.graphs,
            flows,
            ask_with_models(self.models) if self.models else None,
        )

    async def versions(self, row: ExecutionRow) -> tuple[Flow, dict[str, Flow]]:
        """The flow of a run and the flows that it calls, in the versions that the run began with."""
        catalog = await self.files.catalog()
        flow = await self._version(catalog, row.flow_hash, row.flow_name)
        store = RedisRunStore(self.redis, row.execution_id)
        if (pinned := await store.get(_PINNED)) is None:
            called = _called(flow, catalog.latest())
            for each in called.values():
                await self.records.save_version(FlowVersion(each.hash, each.name, each.version, each.text))
            pinned = {name: each.hash for name, each in called.items()}
            await store.put({_PINNED: pinned})
        return flow, {name: await self._version(catalog, digest, name) for name, digest in pinned.items()}

    async def _version(self, catalog: FlowCatalog, digest: str, name: str) -> Flow:
        return catalog.by_hash(digest) or await self.files.check(await self.records.flow_text(digest), name)

    async def _record_outcome(
        self, row: ExecutionRow, flow: Flow, outcome: RunOutcome, progress: Mapping[str, Any]
    ) -> None:
        sentence = await closing_sentence(flow, outcome, self.models, self.closings)
        values = {"result": outcome.result, "closing": sentence, "error": outcome.error}
        status: Status = "completed" if outcome.status == "completed" else "failed"
        await self.end(row, status, **values, **progress)

    async def end(self, row: ExecutionRow, status: Status, **values: Any) -> bool:
        """Records the end and sends it; both, though the process be stopped meanwhile. False if the run had ended
        already."""
        return await finish_before_cancel(self._end(row, status, values))

    async def _end(self, row: ExecutionRow, status: Status, values: Mapping[str, Any]) -> bool:
        if not await self.records.end(row.execution_id, status, **values):
            return False
        await self.tell_end(row, status, values)
        return True

    async def tell_end(self, row: ExecutionRow, status: Status, values: Mapping[str, Any]) -> None:
        """Sends the end to everybody who watches the run. After RedisError the upkeep tries again."""
        await self.saver.expire(row.execution_id)
        await RedisRunStore(self.redis, row.execution_id).release()
        told = {name: values.get(name) for name in ("result", "closing", "error")}
        await self.story.end(row, {"type": "final", "status": status, **told})


def _question(event: Event) -> OpenQuestion:
    return OpenQuestion(
        step=event["step"], question=event["question"], form=event["form"], expires_at=event["expires_at"]
    )


def _servers(steps: Iterable[FlowStep]) -> Iterator[str]:
    for step in steps:
        if isinstance(step.fields, ToolStep):
            yield step.fields.mcp_call.server
        yield from _servers(step.steps)


def _called(flow: Flow, latest: Mapping[str, Flow]) -> dict[str, Flow]:
    """The flows that a flow calls, directly or not."""
    found: dict[str, Flow] = {}
    looking = [flow]
    while looking:
        fresh = looking.pop().graphs & latest.keys() - found.keys()
        found |= {name: latest[name] for name in fresh}
        looking += [latest[name] for name in fresh]
    return found


def lost_run_error() -> RunError:
    """The error of a run whose checkpoint is lost."""
    return _error("run", "lost", LOST)


def _error(step: str, code: str, message: str) -> RunError:
    return {"step": step, "tool": None, "code": code, "message": message}
