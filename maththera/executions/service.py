"""The runs of flows for their callers: begin, find, answer, cancel, repair. The upkeep continues interrupted runs."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Container, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from redis.exceptions import RedisError

from maththera.executions.runner import LOST, PATIENCE_SECONDS, Runner, lost_run_error
from maththera.executions.tool_access import forbidden_student
from maththera.flows.cron import is_due
from maththera.flows.flow import Flow, InputError
from maththera.flows.flow_tests.mocks import SAMPLE_STUDENT
from maththera.flows.language import messages
from maththera.flows.language.messages import Message
from maththera.flows.runs.compiler import build
from maththera.flows.runs.run_repairs import Repair, Repairer
from maththera.flows.runs.run_store import RedisRunStore
from maththera.flows.runs.step_actions import answer_mistakes, timestamped_answer
from maththera.json_types import JsonObject
from maththera.korean.dates import KOREA
from maththera.runtime.event_log import KEPT_SECONDS, Event
from maththera.runtime.leases import LeaseTimeout, held_names, lease
from maththera.runtime.turns import require_same_body
from maththera.store.access.authorization import Principal, owns_run, visible_students
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ENDED, ExecutionFilter, ExecutionRow, ExecutionTaken, OpenQuestion
from maththera.store.flow_schedules import ScheduleRecords
from maththera.store.flow_versions import FlowVersion, VariantRuns

logger = logging.getLogger(__name__)

UPKEEP_SECONDS: Final = 4.0
"""How often each process looks for interrupted runs and due schedules."""

_MOST_RUNNING: Final = 1_000
_MOST_ASKING: Final = 10_000
SCHEDULER: Final = Principal("schedule", "admin")
"""The owner of runs that a schedule begins."""

_TOLD_WITHIN: Final = timedelta(seconds=2)
"""The process that worked on a run sends its end within this time after recording it; after that the upkeep sends it.
"""

_MINUTE, _MOST_LATE = timedelta(minutes=1), timedelta(hours=1)
_LAST_LOOK: Final = "maththera:due"
_LAST_ENDS: Final = "maththera:ends"
_ENDS_SECONDS: Final = 60
_EVENTS_KEPT: Final = timedelta(seconds=KEPT_SECONDS)
_SCHEDULED: Final = uuid.UUID("6f0f6b0e-6a1e-4c55-9a38-0c8f2f6f1f10")
_REQUESTED: Final = uuid.UUID("0a3c1f0c-5a55-4d0d-8f5e-2f9f6b1f7c21")


Launch: TypeAlias = Callable[[str], Awaitable[None]]
"""Has some process work on a run, by its id, soon."""


class NoSuchExecution(LookupError):
    """Unknown, or another person's."""


class StatusConflict(Exception):
    """The run is in a state that does not allow this."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


class BadAnswer(ValueError):
    """An answer that does not fit the question's form. `errors`: step → reasons."""

    def __init__(self, errors: Mapping[str, list[Message]]) -> None:
        super().__init__("; ".join(f"{step}: {reason}" for step, reasons in errors.items() for reason in reasons))
        self.errors = dict(errors)


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request that a client may repeat without starting a second run. `digest`: of the body."""

    key: str
    digest: str


@dataclass(frozen=True, slots=True)
class Executions:
    runner: Runner
    launch: Launch
    schedules: ScheduleRecords

    async def ready(self) -> None:
        """Raises RedisError if no run can begin now; called first."""
        await self.runner.redis.ping()

    async def begin(
        self,
        who: Principal,
        flow: Flow,
        inputs: Mapping[str, Any],
        *,
        command: str | None = None,
        request: IdempotentRequest | None = None,
    ) -> str:
        """Begins a run, or finds the one that the same request has begun; -> its id. Raises InputError and
        RequestIdReused."""
        if request is None:
            execution_id = uuid.uuid4().hex
            await self._begin(execution_id, who, flow, inputs, command)
            return execution_id
        execution_id = _requested_id(who, request)
        async with lease(self.runner.redis, f"begin:{execution_id}"):
            if await self.begun(who, request) is None:
                await self._begin(execution_id, who, flow, inputs, command, request.digest)
        return execution_id

    async def begun(self, who: Principal, request: IdempotentRequest) -> ExecutionRow | None:
        """The run that an earlier copy of this request has begun; None if there is none. Raises RequestIdReused."""
        row = await self.runner.records.find(_requested_id(who, request))
        if row is not None:
            require_same_body(row.request_digest, request.digest)
        return row

    async def variants(self, flow: Flow) -> list[tuple[float, VariantRuns]]:
        """The share of students and the runs of each variant of a flow, which its highest version names."""
        found = await self.runner.records.compare(flow.name)
        weights = sum(variant.weight for variant in flow.variants)
        return [
            (round(each.weight / weights, 4), found.get(each.version) or VariantRuns(each.version, 0, 0, 0, 0, None))
            for each in flow.variants
        ]

    async def find(self, who: Principal, execution_id: str) -> ExecutionRow:
        """The run. Raises NoSuchExecution, also for another person's."""
        row = await self.runner.records.find(execution_id)
        if row is None or not owns_run(who, row.owner_token):
            raise NoSuchExecution(execution_id)
        return row

    async def page(self, who: Principal, wanted: ExecutionFilter) -> Sequence[ExecutionRow]:
        """The caller's runs, the newest first; all runs for an admin."""
        owner = None if visible_students(who) is None else who.token_id
        return await self.runner.records.page(replace(wanted, owner=owner))

    async def events(self, execution_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """The events after `last_id`, then each new one until the run ends."""
        row = await self.runner.records.find(execution_id)
        if row is not None and row.status in ENDED and not await self.runner.log.after(execution_id, last_id):
            return  # the end was among the events up to `last_id`, or they have expired
        async with aclosing(self.runner.log.watch(execution_id, last_id)) as events:
            async for number, event in events:
                if event["type"] != "cancel":  # that is for the process that works on it
                    yield number, event
                if event["type"] == "final":
                    return

    async def cancel(self, who: Principal, execution_id: str) -> ExecutionRow:
        """Cancels a run; its finished steps remain. StatusConflict if it has ended."""
        row = await self.find(who, execution_id)
        log = self.runner.log
        finished = _finished(event for _, event in await log.all(execution_id))
        completed = list(dict.fromkeys([*(row.completed_steps or ()), *finished]))  # events are kept for some days only
        if not await self.runner.end(row, "cancelled", completed_steps=completed):
            raise StatusConflict((await self.find(who, execution_id)).status, "the run has ended")
        await log.append(execution_id, {"type": "cancel"})
        return await self.find(who, execution_id)

    async def answer(self, who: Principal, execution_id: str, answer: Any) -> ExecutionRow:
        """Records a person's answer to a question of the run: the answer itself, or step → answer if there are several
        questions. BadAnswer if it does not fit its form; StatusConflict if no question is open, its time is over or the
        run cannot continue."""
        at = time.time()
        row = await self.find(who, execution_id)
        if row.status in ENDED or not row.waiting:
            raise StatusConflict(row.status, "the run asks nothing now")
        answers = _by_step(row.waiting, answer)
        if late := [step for step in answers if _is_late(row.waiting[step], at)]:
            raise StatusConflict(row.status, f"the time to answer '{late[0]}' is over")
        _check(row.waiting, answers)
        if row.status == "waiting" and not await self.runner.saved(execution_id):
            await self.runner.end(row, "failed", error=lost_run_error())
            raise StatusConflict("failed", LOST)
        if not await self.runner.records.answer(
            execution_id, {step: timestamped_answer(each, at) for step, each in answers.items()}
        ):
            raise StatusConflict((await self.find(who, execution_id)).status, "another answer came first")
        await self.runner.log.append(execution_id, {"type": "answered", "steps": sorted(answers)})
        await self.launch(execution_id)
        return await self.find(who, execution_id)

    async def repair(self, who: Principal, execution_id: str, repair: Repair) -> ExecutionRow:
        """Continues a failed or cancelled run as a person decides. StatusConflict for any other run, CannotRepair for
        an unknown step."""
        row = await self.find(who, execution_id)
        if row.status not in ("failed", "cancelled"):
            raise StatusConflict(row.status, "only a run that failed or was cancelled can be repaired")
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self.runner.leases.hold(execution_id, wait=PATIENCE_SECONDS))
            except LeaseTimeout:
                message = "a process still ends what must not be broken off; try again"
                raise StatusConflict(row.status, message) from None
            flow, flows = await self.runner.versions(row)
            graph = build(flow, self.runner.services(row, flows)).compile(checkpointer=self.runner.saver)
            store = RedisRunStore(self.runner.redis, execution_id)
            await Repairer(flow, flows, graph, store, execution_id).repair(repair)
            await self.runner.log.append(execution_id, {"type": "repaired", "what": repair.kind, "step": repair.step})
            await self.runner.records.again(execution_id)
        await self.launch(execution_id)
        return await self.find(who, execution_id)

    async def upkeep(self, *, schedules: bool) -> None:
        """Repeats until it is cancelled: continues runs of dead processes and runs whose question has expired, sends
        ends and subtracts starts that could not be before; with `schedules`, also begins due runs."""
        while True:
            await asyncio.sleep(UPKEEP_SECONDS)
            try:
                await self.runner.take_back_starts()
                await self.recover()
                await self.expire()
                await self.tell_ends()
                if schedules:
                    await self.begin_due()
            except RedisError as error:
                logger.debug("upkeep: %r", error)  # the client says that Redis is away
            except StoreUnavailable as error:
                logger.warning("upkeep: %s", error)
            except Exception:
                logger.exception("upkeep failed")

    async def recover(self) -> list[str]:
        """Continues the runs that no process works on; -> their ids."""
        running = await self.runner.records.running(_MOST_RUNNING)
        held = await held_names(self.runner.redis, running)
        left = [execution_id for execution_id in running if execution_id not in held]
        for execution_id in left:
            await self.launch(execution_id)
        return left

    async def expire(self) -> list[str]:
        """Closes the questions whose time is over, also while other steps work, and continues their runs; -> the runs'
        ids."""
        found = []
        for execution_id, asked in (await self.runner.records.asking(_MOST_ASKING)).items():
            now = time.time()
            late = {step: timestamped_answer(None, now) for step, each in asked.items() if _is_late(each, now)}
            if late and await self.runner.records.answer(execution_id, late):
                found.append(execution_id)
                await self.runner.log.append(execution_id, {"type": "expired", "steps": sorted(late)})
                await self.launch(execution_id)
        return found

    async def tell_ends(self) -> None:
        """Sends the end of runs whose end could not be sent, as Redis was away or the process died: of those that are
        watched here, and once a minute some process does so for all others."""
        now = datetime.now(UTC)
        rest = await self.runner.redis.set(_LAST_ENDS, 1, nx=True, ex=_ENDS_SECONDS)
        among = None if rest else self.runner.log.watched
        for row in await self.runner.records.untold(now - _EVENTS_KEPT, now - _TOLD_WITHIN, among):
            await self.runner.tell_end(row, row.status, asdict(row))

    async def begin_due(self) -> None:
        """Begins the runs that have become due since the last look of any process, at most an hour ago. Several
        processes may do this at once: the id of a scheduled run follows from its flow and minute, so it begins once."""
        now = datetime.now(KOREA).replace(second=0, microsecond=0)
        looked: Any = await self.runner.redis.get(_LAST_LOOK)
        minute = max(now - _MOST_LATE, datetime.fromisoformat(looked.decode()) if looked else now - _MINUTE) + _MINUTE
        if minute > now:
            return
        if await asyncio.to_thread(self.runner.files.scheduled):
            flows = (await self.runner.files.catalog()).latest().values()
            paused = await self.schedules.paused()
            while minute <= now:
                for flow in flows:
                    await self._begin_if_due(flow, minute, paused)
                minute += _MINUTE
        await self.runner.redis.set(_LAST_LOOK, now.isoformat())

    async def _begin_if_due(self, flow: Flow, minute: datetime, paused: Container[str]) -> None:
        if not flow.schedule or flow.name in paused or not is_due(flow.schedule, minute):
            return
        execution_id = uuid.uuid5(_SCHEDULED, f"{flow.name} {minute.isoformat()}").hex
        if await self.runner.records.find(execution_id):
            return
        running = await self.runner.records.unended(flow.name, SCHEDULER.token_id)
        if running is not None and not flow.overlaps:
            if running != execution_id:  # which another process has just begun
                await self.schedules.skip(flow.name, minute, running)
            return
        try:
            await self._begin(execution_id, SCHEDULER, flow, {}, None)
        except ExecutionTaken:
            return
        except InputError as error:
            logger.warning("%s was due and cannot begin: %s", flow.name, error)

    async def _begin(  # noqa: PLR0913
        self,
        execution_id: str,
        who: Principal,
        flow: Flow,
        inputs: Mapping[str, Any],
        command: str | None,
        request_digest: str | None = None,
    ) -> None:
        given = flow.complete_inputs(inputs)
        student_id = given.get("student_id")
        if (unknown := forbidden_student(who, "write", given)) is not None:
            name = "student_id" if unknown == student_id else "student_ids"
            raise InputError({name: messages.NO_SUCH_STUDENT(student=unknown)})
        if not isinstance(student_id, str) or student_id == SAMPLE_STUDENT:
            student_id = None
        # Told before it is recorded: without Redis nothing begins, and nothing is left to begin later.
        await self.runner.log.append(execution_id, {"type": "started", "flow": flow.name, "version": flow.version})
        await self.runner.records.create(
            execution_id,
            flow=FlowVersion(flow.hash, flow.name, flow.version, flow.text),
            owner=who,
            inputs=given,
            student_id=student_id,
            command=command,
            variant=(await self.runner.files.catalog()).variant(flow, student_id),
            request_digest=request_digest,
        )
        await self.launch(execution_id)


def _requested_id(who: Principal, request: IdempotentRequest) -> str:
    """The id of the run of a repeatable request: it follows from the owner and the key, so that the run begins once."""
    return uuid.uuid5(_REQUESTED, f"{who.token_id} {request.key}").hex


def _is_late(asked: OpenQuestion, at: float) -> bool:
    return asked["expires_at"] is not None and at >= asked["expires_at"]


def _finished(events: Iterable[Event]) -> list[str]:
    """The top-level steps that have ended by these events."""
    endings = {"step_finished": "", "step_skipped": "_skipped"}
    told = [event["step"] + endings[event["type"]] for event in events if event["type"] in endings]
    return [step for step in told if not any(sign in step for sign in "/.[")]


def _by_step(waiting: Mapping[str, OpenQuestion], answer: Any) -> JsonObject:
    by_step = isinstance(answer, dict) and bool(answer) and answer.keys() <= waiting.keys()
    answers = answer if by_step else dict.fromkeys(waiting, answer) if len(waiting) == 1 else {}
    if not answers:
        raise BadAnswer({step: [messages.SEVERAL_ASK()] for step in waiting})
    return answers


def _check(waiting: Mapping[str, OpenQuestion], answers: JsonObject) -> None:
    errors = {step: answer_mistakes(waiting[step]["form"], each) for step, each in answers.items()}
    if wrong := {step: reasons for step, reasons in errors.items() if reasons}:
        raise BadAnswer(wrong)
