"""Runs of flows: list, look at one, follow its events."""

import base64
import re
from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import AwareDatetime, BaseModel, BeforeValidator, Field, TypeAdapter
from redis.exceptions import RedisError
from sse_starlette import ServerSentEvent

from maththera.api.execution_events import ExecutionError, ExecutionFrame
from maththera.api.http_layer.auth import Services, caller_who, log_reads
from maththera.api.http_layer.identifiers import HEX_ID, StudentId
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.problem_details import ApiProblem, Problems, invalid_input, said, try_again
from maththera.api.http_layer.response_models import Answer, Moment, SafetyView, example, from_row
from maththera.api.http_layer.sse import NO_STORE, EventStream, json_frame, last_event_id
from maththera.executions.service import BadAnswer, NoSuchExecution, StatusConflict
from maththera.executions.step_history import ExecutionStep
from maththera.executions.tool_access import named_students, students_of
from maththera.flows.flow import InputError
from maththera.flows.flow_catalog import UnknownFlow
from maththera.json_types import JsonObject, JsonSchema
from maththera.store.access.authorization import Principal, may_run_flows
from maththera.store.executions import ExecutionFilter, ExecutionRow, Status

router = APIRouter(prefix="/api/v1/executions", tags=["executions"], route_class=ApiRoute)

ExecutionId = Annotated[str, Path(description="As `POST /api/v1/execute` gave it.")]
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PLACE: Final = TypeAdapter(tuple[AwareDatetime, str])

EXAMPLE_INPUTS: Final = {"student_id": "s1", "period_days": 30}
EXAMPLE_RUN: Final[JsonObject] = {
    "execution_id": "b4cd53940fde46709cb9c46252110ad7",
    "status": "completed",
    "flow": "진단_리포트_생성",
    "version": "1.1",
    "variant": None,
    "command": "학생 s1의 진단 리포트를 만들어 줘",
    "student_id": "s1",
    "inputs": EXAMPLE_INPUTS,
    "created_at": "2026-11-22T09:13:37+00:00",
    "ended_at": "2026-11-22T09:13:39+00:00",
    "completed_steps": ["get_failures", "find_gaps", "create_report"],
    "error_log": [],
    "waiting": [],
    "result": {"report_url": "/api/v1/reports/89213bf1….pdf?expires=…&signature=…", "concept_gaps_found": 3},
    "closing": "분석 완료! 개념 갭 3개를 찾았습니다.",
    "error": None,
}


def _as_date(text: object) -> object:
    """Refuses numbers, which pydantic takes for seconds since 1970."""
    if isinstance(text, str) and not _DATE.match(text):
        raise ValueError("must be a date and a time, such as 2026-11-22T00:00Z")
    return text


class ExecutionsQuery(BaseModel):
    """What `GET /api/v1/executions` is asked for."""

    flow: Annotated[str | None, Field(max_length=120, description="By the flow's name.")] = None
    status: Annotated[Status | None, Field(description="Default: all.")] = None
    student: Annotated[StudentId | None, Field(description="The runs about this student.")] = None
    variant: Annotated[str | None, Field(max_length=30, description="The version that a student's share chose.")] = None
    since: Annotated[
        AwareDatetime | None,
        BeforeValidator(_as_date),
        Field(description="Begun then or later, such as 2026-11-22T00:00Z."),
    ] = None
    cursor: Annotated[str | None, Field(max_length=200, description="`next` of the page before.")] = None
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50

    def wanted(self) -> ExecutionFilter:
        """Raises ValueError for a cursor that no page gave."""
        after = None if self.cursor is None else _place(self.cursor)
        own = self.model_dump(include={"flow", "status", "variant", "since", "limit"})
        return ExecutionFilter(**own, student_id=self.student, after=after)


class OpenQuestion(Answer):
    """What a step asks a person. `expires_at`: seconds since 1970, null for ever. `form`: JSON Schema of the answer.
    `errors`: why the last answer does not fit."""

    step: str
    question: Any
    form: JsonSchema
    expires_at: float | None
    errors: list[str] | None = None


class Execution(Answer):
    """`waiting`: what a person is asked, step by step. `safety`: the answer to words that tell of danger; the run still
    waits. `variant`: the version, where the student's share of the variants chose it. `steps`: of `GET` of one run;
    null where they are not known (any more)."""

    model_config = example(EXAMPLE_RUN)

    execution_id: str
    status: Status
    flow: str
    version: str
    variant: str | None
    command: str | None
    student_id: str | None
    inputs: JsonObject
    created_at: Moment
    ended_at: Moment | None
    completed_steps: list[str]
    error_log: list[str]
    waiting: list[OpenQuestion]
    result: JsonObject | None
    closing: str | None
    error: ExecutionError | None
    safety: SafetyView | None = None
    steps: list[ExecutionStep] | None = None


class Executions(Answer):
    """`next`: the cursor of the next page, null on the last."""

    model_config = example({"executions": [EXAMPLE_RUN], "next": None})

    executions: list[Execution]
    next: str | None


FlowUser = Annotated[Principal, Depends(caller_who(may_run_flows))]


async def _owned_run(who: FlowUser, services: Services, execution_id: ExecutionId) -> ExecutionRow:
    return await services.executions.find(who, checked_id(execution_id))


OwnedRun = Annotated[ExecutionRow, Depends(_owned_run)]


@router.get(
    "", summary="The caller's runs, the newest first", response_description="A page", response_model_exclude_unset=True
)
async def list_executions(
    request: Request, who: FlowUser, services: Services, query: Annotated[ExecutionsQuery, Query()]
) -> Executions:
    """`next` is the cursor of the next page, null on the last."""
    try:
        wanted = query.wanted()
    except ValueError as error:
        raise invalid_input([{"loc": ("query", "cursor"), "msg": str(error)}]) from None
    rows = await services.executions.page(who, wanted)
    await log_reads(request, who, "run", set().union(*map(students_of, rows)))
    following = _cursor(rows[-1]) if len(rows) == wanted.limit else None
    return Executions(executions=[view(services, row) for row in rows], next=following)


@router.get(
    "/{execution_id}", summary="Where a run stands", response_description="The run", response_model_exclude_unset=True
)
async def read_execution(
    request: Request,
    who: FlowUser,
    row: OwnedRun,
    services: Services,
    steps: Annotated[bool, Query(description="Whether the answer lists the steps.")] = True,
) -> Execution:
    """`steps`: in the order in which they began, also while the run goes on. Long values are cut, secrets masked."""
    if not steps:
        await log_reads(request, who, "run", students_of(row))
        return view(services, row)
    try:
        told = await services.executions.runner.story.steps(row)
    except RedisError:  # the record is there without it
        told = None
    await log_reads(request, who, "run", students_of(row) | named_students(told))
    return view(services, row, steps=told)


@router.get(
    "/{execution_id}/events",
    summary="What happens in a run, live",
    status_code=200,
    response_class=EventStream,
    responses={200: {"model": ExecutionFrame, "description": "The events, to `final`"}},
)
async def follow_execution(request: Request, who: FlowUser, row: OwnedRun, services: Services) -> EventStream:
    """Server-sent events from the beginning, or after `Last-Event-ID`, to the event `final`."""
    await log_reads(request, who, "run", students_of(row))
    return EventStream(_frames(services, row, last_event_id(request) or "0-0"), NO_STORE)


def view(services: Services, row: ExecutionRow, **more: Any) -> Execution:
    """The run as its people see it. `more`: `steps` or `safety`."""
    row = services.executions.runner.story.masked(row)
    return from_row(
        Execution,
        row,
        flow=row.flow_name,
        version=row.flow_version,
        completed_steps=row.completed_steps or [],
        error_log=row.error_log or [],
        waiting=list((row.waiting or {}).values()),
        **more,
    )


def checked_id(execution_id: str) -> str:
    if not HEX_ID.fullmatch(execution_id):
        raise NoSuchExecution(execution_id)
    return execution_id


def unfit_inputs(error: InputError, where: str) -> ApiProblem:
    errors = [{"loc": f"{where}.{name}", **said(reason)} for name, reason in error.errors.items()]
    return ApiProblem("invalid_input", str(error), errors=errors)


def _unfit_answer(error: BadAnswer) -> ApiProblem:
    errors = [{"loc": f"body.answer.{step}", **said(why)} for step, whys in error.errors.items() for why in whys]
    return ApiProblem("invalid_input", str(error), errors=errors)


PROBLEMS: Final[Problems] = {
    NoSuchExecution: lambda _: ApiProblem("not_found", "There is no such run."),
    StatusConflict: lambda error: ApiProblem("execution_state", str(error), execution_status=error.status),
    BadAnswer: _unfit_answer,
    InputError: lambda error: unfit_inputs(error, "body.inputs"),
    RedisError: lambda _: try_again("Nothing was begun. Try again."),
    UnknownFlow: lambda error: ApiProblem("not_found", str(error)),
}


def _cursor(row: ExecutionRow) -> str:
    """Where the page after this run begins."""
    place = orjson.dumps([row.created_at.isoformat(), row.execution_id])
    return base64.urlsafe_b64encode(place).decode().rstrip("=")


def _place(text: str) -> tuple[datetime, str]:
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        return _PLACE.validate_json(decoded, strict=False)
    except ValueError:  # also of base64 and of pydantic
        raise ValueError("is no `next` of a page") from None


async def _frames(services: Services, row: ExecutionRow, last_id: str) -> AsyncGenerator[ServerSentEvent, None]:
    async for number, event in services.executions.events(row.execution_id, last_id):
        yield json_frame(event, number)
