"""What people do with a run of a flow: end it, answer its questions, repair it."""

from contextlib import suppress
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from maththera.api.executions import Execution, ExecutionId, FlowUser, checked_id, view
from maththera.api.http_layer.auth import Services, caller_who, log_reads
from maththera.api.http_layer.danger_screening import danger_in
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import invalid_field
from maththera.api.http_layer.response_models import example
from maththera.executions.tool_access import students_of
from maththera.flows.runs.run_repairs import CannotRepair, Repair
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, may_run_flows
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ExecutionRow
from maththera.tutoring.turns.events import Strict
from maththera.words.danger.message_safety import Place

router = APIRouter(prefix="/api/v1/executions/{execution_id}", tags=["executions"], route_class=ApiRoute)

StepPath = Annotated[str, Field(min_length=1, max_length=400, description="`pay`, `outer/pay` or `loop[3].pay`.")]
FlowSender = Annotated[Principal, Depends(caller_who(may_run_flows, speaks=True))]
_GOES_ON: Final[JsonObject] = {
    "status_code": 202,
    "response_description": "It goes on",
    "response_model_exclude_unset": True,
}
_ERRORS: Final = errors("execution_state")


class ResumeBody(Strict):
    """`POST /api/v1/executions/{id}/resume`. Where several steps ask: step → answer."""

    model_config = example({"answer": {"approved": True}})

    answer: Any = Field(description="What fits the question's form.")


class RetryBody(Strict):
    """`POST /api/v1/executions/{id}/retry`."""

    model_config = example({"from_step": "pay"})

    from_step: StepPath


class MarkDoneBody(Strict):
    """`POST /api/v1/executions/{id}/mark_done`."""

    model_config = example({"step": "pay", "value": {"receipt": "r-17"}})

    step: StepPath
    value: Any = Field(None, description="What the step is taken to have given.")


class SkipBody(Strict):
    """`POST /api/v1/executions/{id}/skip`."""

    model_config = example({"step": "pay"})

    step: StepPath


async def _asking_run(who: FlowSender, services: Services, execution_id: ExecutionId) -> ExecutionRow:
    return await services.executions.find(who, checked_id(execution_id))


@router.post(
    "/cancel",
    summary="End a run",
    response_description="It has ended",
    response_model_exclude_unset=True,
    responses=_ERRORS,
)
async def cancel_execution(request: Request, who: FlowUser, services: Services, execution_id: ExecutionId) -> Execution:
    row = await services.executions.cancel(who, checked_id(execution_id))
    await log_reads(request, who, "run", students_of(row))
    return view(services, row)


@router.post(
    "/resume",
    summary="Answer what a run asks",
    responses=_ERRORS | {200: {"model": Execution, "description": "It still waits; `safety` answers words of danger"}},
    **_GOES_ON,
)
async def resume_execution(
    request: Request,
    response: Response,
    who: FlowSender,
    services: Services,
    row: Annotated[ExecutionRow, Depends(_asking_run)],
    sent: JsonBody[ResumeBody],
) -> Execution:
    """Words that tell of danger are answered in `safety`, and the run goes on waiting."""
    place = Place("flow", row.execution_id)
    if heard := await danger_in(request, who, sent.answer, place, row.student_id):
        with suppress(StoreUnavailable):  # the answer to danger waits for no store
            await log_reads(request, who, "run", students_of(row))
        response.status_code = 200
        return view(services, row, safety=heard.shown(who.role))
    await log_reads(request, who, "run", students_of(row))
    return view(services, await services.executions.answer(who, row.execution_id, sent.answer))


@router.post("/retry", summary="Run again from a step", responses=_ERRORS, **_GOES_ON)
async def retry_execution(
    request: Request, who: FlowUser, services: Services, execution_id: ExecutionId, sent: JsonBody[RetryBody]
) -> Execution:
    """Of a run that failed or was cancelled: this step and all after it run again, also when it is not known whether
    it has happened. What has ended before it stays."""
    return await _repaired(request, services, who, execution_id, Repair("retry", sent.from_step))


@router.post("/mark_done", summary="Take a step for done", responses=_ERRORS, **_GOES_ON)
async def mark_step_done(
    request: Request, who: FlowUser, services: Services, execution_id: ExecutionId, sent: JsonBody[MarkDoneBody]
) -> Execution:
    """Of a run that failed or was cancelled: the step has happened and gave `value`; the run goes on after it."""
    return await _repaired(request, services, who, execution_id, Repair("mark_done", sent.step, sent.value))


@router.post("/skip", summary="Leave a step out", responses=_ERRORS, **_GOES_ON)
async def skip_step(
    request: Request, who: FlowUser, services: Services, execution_id: ExecutionId, sent: JsonBody[SkipBody]
) -> Execution:
    """Of a run that failed or was cancelled: it goes on as if the step's condition were false."""
    return await _repaired(request, services, who, execution_id, Repair("skip", sent.step))


async def _repaired(
    request: Request, services: Services, who: Principal, execution_id: str, repair: Repair
) -> Execution:
    try:
        row = await services.executions.repair(who, checked_id(execution_id), repair)
    except CannotRepair as error:
        where = "from_step" if repair.kind == "retry" else "step"
        raise invalid_field(f"body.{where}", str(error), str(error)) from None
    await log_reads(request, who, "run", students_of(row))
    return view(services, row)
