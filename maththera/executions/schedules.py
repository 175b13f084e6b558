"""The schedules of flows: list, pause, resume."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from maththera.executions.service import SCHEDULER, Executions
from maththera.flows.cron import next_due
from maththera.flows.flow import Flow
from maththera.korean.dates import KOREA
from maththera.store.executions import ExecutionFilter, ExecutionRow
from maththera.store.flow_schedules import PausedSchedule, SkippedRun

_MOST_SKIPPED: Final = 10


class NoSuchSchedule(LookupError):
    """No flow of this name has a schedule."""


@dataclass(frozen=True, slots=True)
class ScheduledFlow:
    """A flow with its schedule. `next_at`: None while it is paused. `last`: the newest run that the schedule began.
    `skipped`: the newest runs that did not begin because another had not ended."""

    flow: Flow
    paused: PausedSchedule | None
    next_at: datetime | None
    last: ExecutionRow | None
    skipped: Sequence[SkippedRun]


async def scheduled_flows(executions: Executions) -> list[ScheduledFlow]:
    """All flows with a schedule, each in its highest version."""
    catalog = await executions.runner.files.catalog()
    flows = [flow for flow in catalog.latest().values() if flow.schedule]
    paused, skipped = await executions.schedules.paused(), await executions.schedules.skipped()
    return [await _scheduled(executions, flow, paused.get(flow.name), skipped) for flow in flows]


async def pause(executions: Executions, flow_name: str, by: str) -> ScheduledFlow:
    """Pauses a schedule; a run under way continues. Raises NoSuchSchedule."""
    await _found(executions, flow_name)
    await executions.schedules.pause(flow_name, by)
    return await _found(executions, flow_name)


async def resume(executions: Executions, flow_name: str) -> ScheduledFlow:
    """Resumes a schedule; runs that were due while it was paused do not begin. Raises NoSuchSchedule."""
    await _found(executions, flow_name)
    await executions.schedules.resume(flow_name)
    return await _found(executions, flow_name)


async def _found(executions: Executions, flow_name: str) -> ScheduledFlow:
    for each in await scheduled_flows(executions):
        if each.flow.name == flow_name:
            return each
    raise NoSuchSchedule(flow_name)


async def _scheduled(
    executions: Executions, flow: Flow, paused: PausedSchedule | None, skipped: Sequence[SkippedRun]
) -> ScheduledFlow:
    wanted = ExecutionFilter(owner=SCHEDULER.token_id, flow=flow.name, limit=1)
    last = next(iter(await executions.runner.records.page(wanted)), None)
    next_at = None if paused else next_due(flow.schedule or "", datetime.now(KOREA))
    own = [each for each in skipped if each.flow_name == flow.name]
    return ScheduledFlow(flow, paused, next_at, last, own[:_MOST_SKIPPED])
