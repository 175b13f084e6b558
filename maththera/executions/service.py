"""Runs of flows for whoever wants them: begin, look, answer, cancel; and the upkeep that no run is forgotten."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from redis.exceptions import RedisError

from maththera.executions.due import is_due
from maththera.executions.guard import no_such, others_student
from maththera.executions.leases import leased
from maththera.executions.runner import Runner
from maththera.flows.compiler import answer_mistakes
from maththera.flows.flow import Flow, InputError
from maththera.learners.access import Principal, owns, within_reach
from maththera.learners.database import StoreUnavailable
from maththera.learners.executions import ENDED, ExecutionRow, ExecutionTaken, FlowVersion
from maththera.runtime.events import Event

logger = logging.getLogger(__name__)

UPKEEP_SECONDS: Final = 4.0
"""How often each process looks for runs that nobody works on any more, and for schedules that are due."""

_MOST_RUNNING: Final = 1_000
_MOST_WAITING: Final = 10_000
_KOREA: Final = ZoneInfo("Asia/Seoul")
_SCHEDULER: Final = Principal("schedule", "admin")
_MINUTE, _MOST_LATE = timedelta(minutes=1), timedelta(hours=1)
_LOOKED: Final = "maththera:due"
_SCHEDULED: Final = uuid.UUID("6f0f6b0e-6a1e-4c55-9a38-0c8f2f6f1f10")


class Launch(Protocol):
    """Sees to it that some process works on a run soon."""

    async def __call__(self, execution_id: str) -> None: ...


class NoSuchExecution(LookupError):
    """There is none of this id, or none of this caller's."""


class NotNow(Exception):
    """What is asked does not fit the state that the run is in."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


class BadAnswer(ValueError):
    """An answer that does not fit the question's form. `errors`: step → reasons."""

    def __init__(self, errors: Mapping[str, list[str]]) -> None:
        super().__init__("; ".join(f"{step}: {reason}" for step, reasons in errors.items() for reason in reasons))
        self.errors = dict(errors)


@dataclass(frozen=True, slots=True)
class Executions:
    runner: Runner
    launch: Launch

    async def begin(self, who: Principal, flow: Flow, inputs: Mapping[str, Any], *, command: str | None = None) -> str:
        """-> the id of a run that some process works on from now. Raises InputError."""
        return await self._begin(uuid.uuid4().hex, who, flow, inputs, command)

    async def find(self, who: Principal, execution_id: str) -> ExecutionRow:
        """Raises NoSuchExecution also for what is somebody else's."""
        row = await self.runner.records.find(execution_id)
        if row is None or not owns(who, row.owner_token):
            raise NoSuchExecution(execution_id)
        return row

    async def of(self, who: Principal, limit: int) -> list[ExecutionRow]:
        """The caller's own, the newest first; an admin's are all."""
        records = self.runner.records
        return await (records.all(limit) if within_reach(who) is None else records.of_owner(who.token_id, limit))

    async def events(self, execution_id: str, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and each as it comes, to the end of the run."""
        row = await self.runner.records.find(execution_id)
        if row is not None and row.status in ENDED and await self._told_already(execution_id, last_id):
            return
        async with aclosing(self.runner.log.watch(execution_id, last_id)) as events:
            async for number, event in events:
                if event["type"] != "cancel":  # that is for the process that works on it
                    yield number, event
                if event["type"] == "final":
                    return

    async def cancel(self, who: Principal, execution_id: str) -> ExecutionRow:
        """It stops now, what it has finished stays. NotNow when it has ended."""
        row = await self.find(who, execution_id)
        log = self.runner.log
        if not await self.runner.end(row, "cancelled"):
            raise NotNow((await self.find(who, execution_id)).status, "the run has ended")
        await log.append(execution_id, {"type": "cancel"})
        return await self.find(who, execution_id)

    async def answer(self, who: Principal, execution_id: str, answer: Any) -> ExecutionRow:
        """What a person says to the question that the run waits with: the answer itself, or step → answer where
        several are asked. BadAnswer when it does not fit; NotNow when nothing is asked."""
        row = await self.find(who, execution_id)
        if row.status != "waiting" or not row.waiting:
            raise NotNow(row.status, "the run asks nothing now")
        _check(row.waiting, answer)
        if not await self.runner.records.answer(execution_id, answer):
            raise NotNow((await self.find(who, execution_id)).status, "another answer came first")
        await self.runner.log.append(execution_id, {"type": "answered", "steps": sorted(row.waiting)})
        await self.launch(execution_id)
        return await self.find(who, execution_id)

    async def upkeep(self, *, schedules: bool) -> None:
        """Goes on with what a dead process left and with what nobody has answered in time, until it is cancelled; with
        `schedules`, also begins what is due."""
        while True:
            await asyncio.sleep(UPKEEP_SECONDS)
            try:
                await self.recover()
                await self.expire()
                if schedules:
                    await self.begin_due()
            except (RedisError, StoreUnavailable) as error:
                logger.warning("upkeep: %s", error)
            except Exception:
                logger.exception("upkeep failed")

    async def recover(self) -> list[str]:
        """-> the runs that nobody worked on"""
        running = await self.runner.records.running(_MOST_RUNNING)
        held = await leased(self.runner.redis, running)
        left = [execution_id for execution_id in running if execution_id not in held]
        for execution_id in left:
            await self.launch(execution_id)
        return left

    async def expire(self) -> list[str]:
        """-> the runs that go on without an answer, as their steps say: the time for one has passed"""
        found = []
        for execution_id, waiting in (await self.runner.records.waiting(_MOST_WAITING)).items():
            late = {step: None for step, asked in waiting.items() if _is_late(asked)}
            if late and await self.runner.records.answer(execution_id, late):
                found.append(execution_id)
                await self.launch(execution_id)
        return found

    async def begin_due(self) -> None:
        """Begins what has become due since anybody looked, an hour ago at most. Any number of processes may do so: the
        id of a scheduled run follows from its flow and minute, so that it begins once."""
        now = datetime.now(_KOREA).replace(second=0, microsecond=0)
        looked: Any = await self.runner.redis.get(_LOOKED)
        minute = max(now - _MOST_LATE, datetime.fromisoformat(looked.decode()) if looked else now - _MINUTE) + _MINUTE
        if minute > now:
            return
        if await asyncio.to_thread(self.runner.files.scheduled):
            flows = (await self.runner.files.catalog()).latest().values()
            while minute <= now:
                for flow in flows:
                    await self._begin_if_due(flow, minute)
                minute += _MINUTE
        await self.runner.redis.set(_LOOKED, now.isoformat())

    async def _begin_if_due(self, flow: Flow, minute: datetime) -> None:
        if not flow.schedule or not is_due(flow.schedule, minute):
            return
        execution_id = uuid.uuid5(_SCHEDULED, f"{flow.name} {minute.isoformat()}").hex
        if await self.runner.records.find(execution_id):
            return
        try:
            await self._begin(execution_id, _SCHEDULER, flow, {}, None)
        except ExecutionTaken:
            return
        except InputError as error:
            logger.warning("%s was due and cannot begin: %s", flow.name, error)

    async def _begin(
        self, execution_id: str, who: Principal, flow: Flow, inputs: Mapping[str, Any], command: str | None
    ) -> str:
        given = flow.given(inputs)
        student_id = given.get("student_id")
        if (unknown := others_student(who, "write", given)) is not None:
            name = "student_id" if unknown == student_id else "student_ids"
            raise InputError({name: no_such(unknown)})
        # Told before it is recorded: without Redis nothing begins, and nothing is left to begin later.
        await self.runner.log.append(execution_id, {"type": "started", "flow": flow.name, "version": flow.version})
        await self.runner.records.create(
            execution_id,
            flow=FlowVersion(flow.hash, flow.name, flow.version, flow.text),
            owner=who,
            inputs=given,
            student_id=student_id if isinstance(student_id, str) else None,
            command=command,
        )
        await self.launch(execution_id)
        return execution_id

    async def _told_already(self, execution_id: str, last_id: str) -> bool:
        """Whether the end was among the events up to `last_id`, or is kept no longer."""
        return not await self.runner.log.after(execution_id, last_id)


def _is_late(asked: Mapping[str, Any]) -> bool:
    return asked.get("expires_at") is not None and time.time() >= asked["expires_at"]


def _check(waiting: Mapping[str, Any], answer: Any) -> None:
    by_step = isinstance(answer, dict) and bool(answer) and answer.keys() <= waiting.keys()
    answers = answer if by_step else dict.fromkeys(waiting, answer) if len(waiting) == 1 else {}
    if not answers:
        raise BadAnswer({step: ["several steps ask: answer as {step: answer}"] for step in waiting})
    errors = {step: answer_mistakes(waiting[step].get("form"), each) for step, each in answers.items()}
    if wrong := {step: reasons for step, reasons in errors.items() if reasons}:
        raise BadAnswer(wrong)
