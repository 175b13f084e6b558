"""Flows that begin by themselves: what is due when, pause and resume. They run with an admin's rights."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path

from maththera.api.executions import EXAMPLE_RUN, Execution, view
from maththera.api.http_layer.auth import Services, caller_who
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.problem_details import ApiProblem, Problems
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.executions import schedules
from maththera.executions.schedules import NoSuchSchedule, ScheduledFlow
from maththera.store.access.authorization import Principal, may_schedule_flows

router = APIRouter(prefix="/api/v1/schedules", tags=["flows"], route_class=ApiRoute)

Admin = Annotated[Principal, Depends(caller_who(may_schedule_flows))]
FlowName = Annotated[str, Path(description="The flow's name.")]


class SkippedRun(Answer):
    """`running`: the run that had not ended."""

    due_at: Moment
    running: str


_EXAMPLE = {
    "flow": "주간_연습_세트",
    "version": "1.0",
    "schedule": "0 7 * * 1",
    "overlap": "skip",
    "paused_at": None,
    "paused_by": None,
    "next_at": "2026-11-23T07:00:00+09:00",
    "last": EXAMPLE_RUN,
    "skipped": [{"due_at": "2026-11-16T07:00:00+09:00", "running": EXAMPLE_RUN["execution_id"]}],
}


class Schedule(Answer):
    """`schedule`: as cron writes it, Korean time. `next_at`: null while paused. `last`: the newest run. `skipped`: what
    was due while another run had not ended."""

    model_config = example(_EXAMPLE)

    flow: str
    version: str
    schedule: str
    overlap: Literal["skip", "allow"]
    paused_at: Moment | None
    paused_by: str | None
    next_at: Moment | None
    last: Execution | None
    skipped: list[SkippedRun]


class Schedules(Answer):
    model_config = example({"schedules": [_EXAMPLE]})

    schedules: list[Schedule]


@router.get(
    "",
    summary="Flows that begin by themselves",
    response_description="The schedules",
    response_model_exclude_unset=True,
)
async def list_schedules(_: Admin, services: Services) -> Schedules:
    found = await schedules.scheduled_flows(services.executions)
    return Schedules(schedules=[_shown(services, each) for each in found])


@router.post(
    "/{flow}/pause",
    summary="Let a flow begin no more by itself",
    response_description="The schedule",
    response_model_exclude_unset=True,
)
async def pause_schedule(who: Admin, services: Services, flow: FlowName) -> Schedule:
    """What runs goes on."""
    return _shown(services, await schedules.pause(services.executions, flow, who.token_id))


@router.post(
    "/{flow}/resume",
    summary="Let a paused flow begin again",
    response_description="The schedule",
    response_model_exclude_unset=True,
)
async def resume_schedule(_: Admin, services: Services, flow: FlowName) -> Schedule:
    """What was due meanwhile is not made up for."""
    return _shown(services, await schedules.resume(services.executions, flow))


PROBLEMS: Final[Problems] = {
    NoSuchSchedule: lambda _: ApiProblem("not_found", "There is no flow of this name with a schedule.")
}


def _shown(services: Services, each: ScheduledFlow) -> Schedule:
    return Schedule(
        flow=each.flow.name,
        version=each.flow.version,
        schedule=each.flow.schedule or "",
        overlap="allow" if each.flow.overlaps else "skip",
        paused_at=each.paused.paused_at if each.paused else None,
        paused_by=each.paused.paused_by if each.paused else None,
        next_at=each.next_at,
        last=view(services, each.last) if each.last else None,
        skipped=[SkippedRun(due_at=one.due_at, running=one.running) for one in each.skipped],
    )
