"""What is done with a flow: draw, plan, test, run, compare its variants."""

from dataclasses import asdict
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from maththera.api.commands import IdempotencyKey, StartedExecution, idempotent_request, started
from maththera.api.executions import EXAMPLE_INPUTS, FlowUser
from maththera.api.flows import FileName, FlowAuthor, FlowFault
from maththera.api.http_layer.auth import Services, caller_who
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.response_models import Answer, example
from maththera.flows.diagram import mermaid
from maththera.flows.flow import Flow
from maththera.flows.language.messages import Message
from maththera.flows.language.yaml_source import normalized_name
from maththera.flows.runs.run_plan import PlannedStep, plan
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, may_run_flows, may_write_flows
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/flows/{name}", tags=["flows"], route_class=ApiRoute)

FreshFlowUser = Annotated[Principal, Depends(caller_who(may_run_flows, fresh=True))]
_NAME: Final = "진단_리포트_생성"


class RunFlowBody(Strict):
    model_config = example({"inputs": EXAMPLE_INPUTS})

    inputs: JsonObject = Field(default_factory=dict)


class FlowGraph(Answer):
    model_config = example({"mermaid": "flowchart TD\n  get_failures --> find_gaps\n"})

    mermaid: str


class FlowPlan(Answer):
    model_config = example(
        {
            "steps": [
                {
                    "id": "get_failures",
                    "name": "실패 패턴 분석",
                    "kind": "mcp_call",
                    "what": "lab-node-mcp.get_failure_pattern",
                    "values": {"student_id": "s1"},
                    "after": [],
                    "when": None,
                    "steps": [],
                }
            ]
        }
    )

    steps: list[PlannedStep]


class FlowTest(Answer):
    """No `failures`: it passed."""

    file: str
    line: int
    name: str
    failures: list[Message]


class FlowTests(Answer):
    """`passed`: there are tests, and all pass. `faults`: of the test files. `uncovered`: name and version → steps that
    ran in no test."""

    model_config = example(
        {
            "passed": True,
            "tests": [{"file": "flows/tests/x.yaml", "line": 3, "name": "갭이 있는 학생", "failures": []}],
            "faults": [],
            "uncovered": {f"{_NAME} 1.1": []},
        }
    )

    passed: bool
    tests: list[FlowTest]
    faults: list[FlowFault]
    uncovered: dict[str, list[str]]


class Variant(Answer):
    """`share`: of the students. `median_ms`: of the completed runs, from beginning to end, waiting included."""

    version: str
    share: float
    runs: int
    completed: int
    failed: int
    cancelled: int
    median_ms: int | None


class Comparison(Answer):
    """Of the runs that students' shares chose; no runs of a version that was named."""

    model_config = example(
        {
            "flow": _NAME,
            "variants": [
                {
                    "version": "1.1",
                    "share": 0.5,
                    "runs": 40,
                    "completed": 39,
                    "failed": 1,
                    "cancelled": 0,
                    "median_ms": 1830,
                },
                {
                    "version": "1.0",
                    "share": 0.5,
                    "runs": 40,
                    "completed": 37,
                    "failed": 3,
                    "cancelled": 0,
                    "median_ms": 1210,
                },
            ],
        }
    )

    flow: str
    variants: list[Variant]


@router.get("/graph", summary="A flow as Mermaid", response_description="The graph")
async def draw_flow(_: FlowUser, services: Services, name: FileName) -> FlowGraph:
    return FlowGraph(mermaid=mermaid(await _checked(services, name)))


@router.post(
    "/plan",
    summary="What a run would call, without calling",
    response_description="The steps, in an order they can run in",
)
async def plan_flow(_: FlowUser, services: Services, name: FileName, sent: JsonBody[RunFlowBody]) -> FlowPlan:
    flow = await _checked(services, name)
    return FlowPlan(steps=plan(flow, sent.inputs))


@router.post(
    "/test",
    summary="Run the tests of a flow",
    response_description="The tests",
    responses=errors("flow_invalid"),
    dependencies=[Depends(caller_who(may_write_flows))],
)
async def test_flow(services: Services, name: FileName) -> FlowTests:
    """Those of `flows/tests/{name}.yaml`: no tool is called."""
    files = services.executions.runner.files
    return FlowTests.model_validate(await files.run_flow_tests(await _checked(services, name)))


@router.get("/comparison", summary="How the variants of a flow do", response_description="The variants")
async def compare_flow_variants(_: FlowAuthor, services: Services, name: FileName) -> Comparison:
    """A/B: the runs that students' shares chose, by version; none for a flow without variants."""
    catalog = await services.executions.runner.files.catalog()
    flow = catalog.best((await _checked(services, name)).name)
    found = await services.executions.variants(flow)
    return Comparison(flow=flow.name, variants=[Variant(share=share, **asdict(runs)) for share, runs in found])


@router.post(
    "/run", status_code=202, summary="Run a flow", response_description="It runs", responses=errors("request_id_reused")
)
async def run_flow(
    request: Request,
    response: Response,
    who: FreshFlowUser,
    services: Services,
    name: FileName,
    sent: JsonBody[RunFlowBody],
    key: IdempotencyKey = None,
) -> StartedExecution:
    """This very version. With `Idempotency-Key` the same request begins one run, however often it is sent."""
    executions, asked = services.executions, idempotent_request(key, f"run {normalized_name(name)}", sent)
    await executions.ready()
    if asked is not None and (row := await executions.begun(who, asked)) is not None:
        return await started(request, response, who, services, row, again=True)
    flow = await _checked(services, name)
    execution_id = await executions.begin(who, flow, sent.inputs, request=asked)
    return await started(request, response, who, services, await executions.find(who, execution_id))


async def _checked(services: Services, name: str) -> Flow:
    files = services.executions.runner.files
    file = files.read(name)
    return await files.check(file.text, file.name)
