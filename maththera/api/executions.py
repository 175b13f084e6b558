"""Runs of flows: begin with a sentence, watch, answer, cancel."""

import re
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, FastAPI, Path, Request, Response
from redis.exceptions import RedisError
from sse_starlette import EventSourceResponse, ServerSentEvent

from maththera.api import flow_docs as docs
from maththera.api.auth import authorize, caller, resources
from maththera.api.bodies import read
from maththera.api.flow_bodies import ExecuteBody, execute, resume
from maththera.api.hearing import danger_in
from maththera.api.problems import Problem
from maththera.api.sse import RETRY_MS
from maththera.executions.commands import Understood
from maththera.executions.service import BadAnswer, NoSuchExecution, NotNow
from maththera.flows.catalog import UnknownFlow
from maththera.flows.faults import FlowError
from maththera.flows.flow import InputError
from maththera.learners.access import Principal, runs_flows
from maththera.learners.database import RETRY_AFTER_S
from maththera.learners.executions import ExecutionRow
from maththera.words.safety import Place

router = APIRouter(prefix="/api/v1", tags=["executions"])

ExecutionId = Annotated[str, Path(description="As `POST /api/v1/execute` gave it.")]
_ID: Final = re.compile(r"[0-9a-f]{32}")
_EVENT_ID: Final = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
_CALL: Final = re.compile(r"steps\[(\d+)\]\.mcp_call\.(.+)")
_NO_STORE: Final = {"Cache-Control": "no-store"}
_MOST_SHOWN: Final = 100
HEARTBEAT_SECONDS: Final = 15


@router.post("/execute", status_code=202, summary="Do what a sentence asks for", **docs.EXECUTE)
async def execute_command(request: Request) -> Response:
    """Answers at once; the run goes on in the background. A command that is not understood surely is asked back: then
    the answer is 200 without an `execution_id`. `context.flow` names the flow instead, `context.tools` the tools."""
    who = await worker(request, fresh=True)
    sent = await read(request, execute)
    if sent.student_id is not None:
        authorize(who, "write", sent.student_id)
    return await begin(request, who, sent)


@router.get("/executions", summary="The caller's runs, the newest first", **docs.LIST)
async def list_executions(request: Request) -> Response:
    who = await worker(request)
    rows = await resources(request).executions.of(who, _MOST_SHOWN)
    return answer({"executions": [view(row) for row in rows]})


@router.get("/executions/{execution_id}", summary="Where a run stands", **docs.VIEW)
async def execution(request: Request, execution_id: ExecutionId) -> Response:
    who = await worker(request)
    return answer(view(await resources(request).executions.find(who, known(execution_id))))


@router.get("/executions/{execution_id}/events", summary="What happens in a run, live", **docs.EVENTS)
async def execution_events(request: Request, execution_id: ExecutionId) -> Response:
    """Server-sent events from the beginning, or after `Last-Event-ID`, to the event `final`."""
    who = await worker(request)
    row = await resources(request).executions.find(who, known(execution_id))
    last_id = request.headers.get("last-event-id", "")
    frames = _frames(request, row, last_id if _EVENT_ID.fullmatch(last_id) else "0-0")
    return EventSourceResponse(frames, headers=_NO_STORE, ping=HEARTBEAT_SECONDS)


@router.post("/executions/{execution_id}/cancel", summary="End a run", **docs.CANCEL)
async def cancel_execution(request: Request, execution_id: ExecutionId) -> Response:
    who = await worker(request)
    return answer(view(await resources(request).executions.cancel(who, known(execution_id))))


@router.post("/executions/{execution_id}/resume", status_code=202, summary="Answer what a run asks", **docs.RESUME)
async def resume_execution(request: Request, execution_id: ExecutionId) -> Response:
    """Words that tell of danger are answered in `safety`, and the run goes on waiting."""
    who = await worker(request)
    executions = resources(request).executions
    row = await executions.find(who, known(execution_id))
    sent = await read(request, resume)
    if heard := await danger_in(request, who, sent.answer, Place("flow", execution_id), row.student_id):
        return answer({**view(row), "safety": heard.shown(who.role)})
    return answer(view(await executions.answer(who, execution_id, sent.answer)), 202)


async def begin(request: Request, who: Principal, sent: ExecuteBody) -> Response:
    """Understands, and starts or asks back; danger that the command tells of is answered instead."""
    if heard := await danger_in(request, who, sent.command, Place("flow", "commands"), sent.student_id):
        question = Understood(None, {}, question=heard.answer)
        return answer({**_asked(question), "safety": heard.shown(who.role)})
    try:
        found = await resources(request).commands.understand(sent.command, sent.student_id, sent.context)
        if found.flow is None:
            return answer(_asked(found))
        execution_id = await resources(request).executions.begin(who, found.flow, found.inputs, command=sent.command)
    except InputError as error:
        raise _unfit(error, "body.context.inputs") from None
    except FlowError as error:
        raise _no_such_call(error, "body.context.tools" if sent.context.tools else "body.command") from None
    body = {"execution_id": execution_id, "status": "running", "flow": found.flow.name, "inputs": found.inputs}
    return answer(body, 202, {"Location": f"{router.prefix}/executions/{execution_id}"})


async def worker(request: Request, *, fresh: bool = False) -> Principal:
    """The caller, if the role has to do with flows; `fresh` as for `caller`."""
    who = await caller(request, fresh=fresh)
    if not runs_flows(who):
        raise Problem("forbidden", f"Not with the role {who.role}.")
    return who


def known(execution_id: str) -> str:
    if not _ID.fullmatch(execution_id):
        raise NoSuchExecution(execution_id)
    return execution_id


def view(row: ExecutionRow) -> dict[str, Any]:
    return {
        "execution_id": row.execution_id,
        "status": row.status,
        "flow": row.flow_name,
        "command": row.command,
        "student_id": row.student_id,
        "inputs": row.inputs,
        "created_at": row.created_at.isoformat(),
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
        "completed_steps": row.completed_steps or [],
        "error_log": row.error_log or [],
        "waiting": list((row.waiting or {}).values()),
        "result": row.result,
        "closing": row.closing,
        "error": row.error,
    }


def answer(body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, {**_NO_STORE, **(headers or {})}, "application/json")


def install_errors(app: FastAPI) -> None:
    @app.exception_handler(NoSuchExecution)
    async def _no_execution(_: Request, __: NoSuchExecution) -> Response:
        return Problem("not_found", "There is no such run.").response()

    @app.exception_handler(NotNow)
    async def _not_now(_: Request, error: NotNow) -> Response:
        return Problem("execution_state", str(error), execution_status=error.status).response()

    @app.exception_handler(BadAnswer)
    async def _bad_answer(_: Request, error: BadAnswer) -> Response:
        errors = [{"loc": f"body.answer.{step}", "msg": why} for step, whys in error.errors.items() for why in whys]
        return Problem("invalid_input", str(error), errors=errors).response()

    @app.exception_handler(InputError)
    async def _bad_inputs(_: Request, error: InputError) -> Response:
        return _unfit(error, "body.inputs").response()

    @app.exception_handler(RedisError)
    async def _no_redis(_: Request, __: RedisError) -> Response:
        headers = {"Retry-After": str(RETRY_AFTER_S)}
        return Problem("store_unavailable", "Nothing was begun. Try again.", headers=headers).response()

    @app.exception_handler(UnknownFlow)
    async def _unknown_flow(_: Request, error: UnknownFlow) -> Response:
        return Problem("not_found", str(error)).response()


def _unfit(error: InputError, where: str) -> Problem:
    errors = [{"loc": f"{where}.{name}", "msg": reason} for name, reason in error.errors.items()]
    return Problem("invalid_input", str(error), errors=errors)


def _no_such_call(error: FlowError, where: str) -> Problem:
    """Of a flow that was made of the calls each fault has its place in the body: nobody has seen its text."""
    errors = []
    for fault in error.faults:
        step = _CALL.fullmatch(fault.where) if where.endswith("tools") else None
        errors.append({"loc": f"{where}.{step[1]}.{step[2]}" if step else where, "msg": fault.message})
    return Problem("flow_invalid", f"{errors[0]['loc']}: {errors[0]['msg']}", errors=errors)


async def _frames(request: Request, row: ExecutionRow, last_id: str) -> AsyncIterator[ServerSentEvent]:
    async for number, event in resources(request).executions.events(row.execution_id, last_id):
        yield ServerSentEvent(orjson.dumps(event).decode(), id=number, retry=RETRY_MS)


def _asked(found: Understood) -> dict[str, Any]:
    candidates = [
        {"flow": one.name, "description": one.description, "confidence": one.confidence} for one in found.candidates
    ]
    return {
        "execution_id": None,
        "status": "unclear",
        "question": found.question,
        "candidates": candidates,
        "inputs": found.inputs,
        "missing": list(found.missing),
    }
