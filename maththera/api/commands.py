"""Commands: a sentence, a flow's name or tool calls, understood and run as a flow."""

import re
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Header, Request, Response
from pydantic import BaseModel, Field

from maththera.api.executions import EXAMPLE_INPUTS, EXAMPLE_RUN, unfit_inputs
from maththera.api.http_layer.auth import Services, authorize, caller_who, log_reads, require_consents
from maththera.api.http_layer.danger_screening import danger_in
from maththera.api.http_layer.identifiers import StudentId
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, said
from maththera.api.http_layer.response_models import Answer, SafetyView, example
from maththera.executions.command_resolution import CommandContext, ResolvedCommand
from maththera.executions.service import IdempotentRequest
from maththera.executions.tool_access import students_of
from maththera.flows.flow import InputError
from maththera.flows.language.faults import FlowError
from maththera.json_types import JsonObject
from maththera.runtime.turns import body_digest
from maththera.store.access.authorization import Principal, may_run_flows
from maththera.store.executions import ExecutionRow
from maththera.tutoring.turns.events import Strict
from maththera.words.danger.message_safety import Place

router = APIRouter(prefix="/api/v1", tags=["executions"], route_class=ApiRoute)

LONGEST_COMMAND: Final = 2_000  # characters
_CALL: Final = re.compile(r"steps\[(\d+)\]\.mcp_call\.(.+)")

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        pattern=r"^[\x21-\x7e]+$",
        description="Of the client's making: sent again with it and the same body, the request begins no other run.",
    ),
]


class ExecuteBody(Strict):
    """`POST /api/v1/execute`."""

    model_config = example(
        {"command": "학생 s1의 취약점을 분석하고 맞춤형 문제를 생성해줘"},
        {"context": {"flow": EXAMPLE_RUN["flow"], "inputs": EXAMPLE_INPUTS}},
        {
            "context": {
                "tools": [
                    {"server": "logic-engine-mcp", "tool": "get_prerequisites", "params": {"concept_id": "Cur-C7"}}
                ]
            }
        },
    )

    command: Annotated[str, Field(max_length=LONGEST_COMMAND, description="What is wanted, in Korean.")] = ""
    student_id: StudentId | None = Field(None, description="Whom it is about, where the command does not say.")
    context: CommandContext = Field(default_factory=CommandContext)


class StartedExecution(Answer):
    model_config = example(
        {name: EXAMPLE_RUN[name] for name in ("execution_id", "flow", "version", "variant", "inputs")}
        | {"status": "running"}
    )

    execution_id: str
    status: Literal["running"]
    flow: str
    version: str
    variant: str | None
    inputs: JsonObject


class CandidateFlow(Answer):
    flow: str
    description: str
    confidence: float


class UnclearCommand(Answer):
    """Nothing runs; `question` is for the person, `missing` names inputs. `safety`: the answer to words of danger."""

    model_config = example(
        {
            "execution_id": None,
            "status": "unclear",
            "question": "어느 학생인가요?",
            "candidates": [
                {
                    "flow": EXAMPLE_RUN["flow"],
                    "description": "학생의 학습 데이터를 종합하여 진단 리포트 생성",
                    "confidence": 0.91,
                }
            ],
            "inputs": {"period_days": 30},
            "missing": ["student_id"],
        }
    )

    execution_id: None
    status: Literal["unclear"]
    question: str | None
    candidates: list[CandidateFlow]
    inputs: JsonObject
    missing: list[str]
    safety: SafetyView | None = None


@router.post(
    "/execute",
    status_code=202,
    summary="Do what a sentence asks for",
    response_description="It runs",
    response_model=StartedExecution,
    response_model_exclude_unset=True,
    responses=errors("not_found", "request_id_reused")
    | {200: {"model": UnclearCommand, "description": "Asked back, nothing runs"}},
)
async def execute_command(
    request: Request,
    response: Response,
    who: Annotated[Principal, Depends(caller_who(may_run_flows, fresh=True, speaks=True))],
    services: Services,
    sent: JsonBody[ExecuteBody],
    key: IdempotencyKey = None,
) -> Response | StartedExecution:
    """Answers at once; the run goes on in the background. A command that is not understood surely is asked back: then
    the answer is 200 without an `execution_id`. `context.flow` names the flow instead, `context.tools` the tools. With
    `Idempotency-Key` the same request begins one run, however often it is sent."""
    if sent.student_id is not None:
        authorize(who, "write", sent.student_id)
    executions, asked = services.executions, idempotent_request(key, "execute", sent)
    if asked is not None and (row := await executions.begun(who, asked)) is not None:
        return await started(request, response, who, services, row, again=True)
    if heard := await danger_in(request, who, sent.command, Place("flow", "commands"), sent.student_id):
        question = ResolvedCommand(None, {}, question=heard.answer)
        return _ask_back(question, safety=heard.shown(who.role))
    if sent.student_id is not None:
        await require_consents(request, sent.student_id, learns=False)
    await executions.ready()
    try:
        found = await services.commands.understand(who, sent.command, sent.student_id, sent.context)
        if found.flow is None:
            return _ask_back(found)
        execution_id = await executions.begin(who, found.flow, found.inputs, command=sent.command, request=asked)
    except InputError as error:
        raise unfit_inputs(error, "body.context.inputs") from None
    except FlowError as error:
        raise _no_such_call(error, "body.context.tools" if sent.context.tools else "body.command") from None
    return await started(request, response, who, services, await executions.find(who, execution_id))


def idempotent_request(key: str | None, what: str, sent: BaseModel) -> IdempotentRequest | None:
    """`what`: the operation, and on what."""
    if key is None:
        return None
    return IdempotentRequest(key, body_digest([what, sent.model_dump(mode="json")]))


async def started(
    request: Request, response: Response, who: Principal, services: Services, row: ExecutionRow, *, again: bool = False
) -> StartedExecution:
    """Secrets of its inputs are masked. `again`: the run that the same request has begun before."""
    await log_reads(request, who, "run", students_of(row))
    response.headers["Location"] = f"{router.prefix}/executions/{row.execution_id}"
    if again:
        response.headers["Idempotent-Replay"] = "true"
    return StartedExecution(
        execution_id=row.execution_id,
        status="running",
        flow=row.flow_name,
        version=row.flow_version,
        variant=row.variant,
        inputs=services.executions.runner.story.masked(row).inputs,
    )


def _ask_back(found: ResolvedCommand, **safety: Any) -> Response:
    candidates = [
        {"flow": one.name, "description": one.description, "confidence": one.confidence} for one in found.candidates
    ]
    unclear = UnclearCommand.model_validate(
        {
            "execution_id": None,
            "status": "unclear",
            "question": found.question,
            "candidates": candidates,
            "inputs": found.inputs,
            "missing": list(found.missing),
            **safety,
        }
    )
    return Response(unclear.model_dump_json(exclude_unset=True), 200, media_type="application/json")


def _no_such_call(error: FlowError, where: str) -> ApiProblem:
    """Points each fault at the tool call in the request's body: the caller never saw the flow built from the calls."""
    errors = []
    for fault in error.faults:
        step = _CALL.fullmatch(fault.where) if where.endswith("tools") else None
        errors.append({"loc": f"{where}.{step[1]}.{step[2]}" if step else where, **said(fault.message)})
    return ApiProblem("flow_invalid", f"{errors[0]['loc']}: {errors[0]['msg']}", errors=errors)
