"""What an author's page asks about a text that is not saved: its marks, its picture, its plan, its tests."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from pydantic import Field

from maththera.api.executions import EXAMPLE_INPUTS, FlowUser
from maththera.api.flow_runs import FlowTests
from maththera.api.flows import EXAMPLE_TEXT, LARGEST_FLOW, LONGEST_FLOW, Flow, FlowAuthor, FlowText, described
from maththera.api.http_layer.auth import Services, caller_who
from maththera.api.http_layer.json_body import ApiRoute, FromJson
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.response_models import Answer, example
from maththera.flows import flow as compiled
from maththera.flows.flow import InputError
from maththera.flows.flow_drawing import Drawing, drawing
from maththera.flows.flow_tests.mocks import SAMPLE_STUDENT, sample_suite
from maththera.flows.inspection import InspectedText, KnownName, MarkedFault, OutlinedStep, names_of, outline
from maththera.flows.language.faults import FlowError
from maththera.flows.language.flow_schema import editor_schema
from maththera.flows.language.messages import Message
from maththera.flows.runs.run_plan import PlannedStep, plan
from maththera.json_types import JsonObject, JsonSchema
from maththera.store.access.authorization import may_write_flows

router = APIRouter(prefix="/api/v1", tags=["flows"], route_class=ApiRoute)

_SUITE: Final = "flow: 선수개념\ntests:\n- name: 예시 학생\n  inputs:\n    topic: 예시\n"
_SPAN: Final = {"line": 10, "column": 15, "end_line": 10, "end_column": 32}


class InspectBody(FlowText):
    """`inputs`: with which the plan is made."""

    model_config = example({"text": EXAMPLE_TEXT, "inputs": EXAMPLE_INPUTS})

    inputs: JsonObject = Field(default_factory=dict)


class FlowInspection(Answer):
    """`steps`: as they are written, also while there are faults. `names`: what may stand behind a $. `drawing`, `plan`,
    `names` and `flow` are there once the text has no faults. `input_errors`: input → why it does not fit; then there is
    no plan."""

    model_config = example(
        {
            "marks": [
                {
                    "severity": "error",
                    "span": _SPAN,
                    "where": "steps[0].mcp_call.tool",
                    "message": "unknown tool 'get_prerequisite' on 'logic-engine-mcp'; "
                    "did you mean 'get_prerequisites'?",
                    "korean": "'logic-engine-mcp'에 'get_prerequisite'라는 도구는 없어요. "
                    "혹시 'get_prerequisites'인가요?",
                    "repairs": [{"title": "고치기: get_prerequisites", "span": _SPAN, "text": "get_prerequisites"}],
                }
            ],
            "steps": [{"id": "prerequisites", "name": "prerequisites", "kind": "mcp_call", "line": 6, "parent": None}],
            "names": [],
            "drawing": None,
            "plan": None,
            "input_errors": {},
            "flow": None,
        }
    )

    marks: list[MarkedFault]
    steps: list[OutlinedStep]
    names: list[KnownName]
    drawing: Drawing | None
    plan: list[PlannedStep] | None
    input_errors: dict[str, Message]
    flow: Flow | None


class DraftTestBody(FlowText):
    """`tests`: the text of a file of tests; null for the saved ones."""

    model_config = example({"text": EXAMPLE_TEXT, "tests": _SUITE})

    tests: Annotated[str, Field(max_length=LONGEST_FLOW)] | None = None


class SampleTests(Answer):
    model_config = example({"tests": _SUITE})

    tests: str


class EditorSchema(Answer):
    """`document`: JSON Schema of a flow's file. `studio_url`: of LangGraph Studio with the flows; `{flow}` stands for
    the name of one. `sample_student`: the id of a made-up child; tools give sample answers about it."""

    model_config = example(
        {
            "document": {"type": "object", "properties": {"flow": {"type": "object"}}},
            "studio_url": None,
            "sample_student": SAMPLE_STUDENT,
        }
    )

    document: JsonSchema
    studio_url: str | None
    sample_student: str


@router.post(
    "/flows/inspect", summary="What is to be said of a text, while it is written", response_description="All of it"
)
async def inspect_flow(
    _: FlowUser, services: Services, sent: Annotated[InspectBody, FromJson(largest=LARGEST_FLOW)]
) -> FlowInspection:
    """Lines and columns count characters (of Unicode) from 1; the end is the place after the last one."""
    try:
        flow = await services.executions.runner.files.check(sent.text)
    except FlowError as error:
        return await asyncio.to_thread(_faulty, sent.text, error)
    return await asyncio.to_thread(_sound, flow, sent.inputs)


@router.post(
    "/flows/test",
    summary="Run tests of a text without saving it",
    response_description="The tests",
    responses=errors("flow_invalid"),
    dependencies=[Depends(caller_who(may_write_flows))],
)
async def test_flow_text(
    services: Services, sent: Annotated[DraftTestBody, FromJson(largest=2 * LARGEST_FLOW)]
) -> FlowTests:
    """No tool is called. The text stands in for all saved versions of its flow."""
    files = services.executions.runner.files
    return FlowTests.model_validate(await files.run_draft_tests(await files.check(sent.text), sent.tests))


@router.post(
    "/flows/sample-tests",
    summary="A first test of a text, with a sample learner",
    response_description="The test",
    responses=errors("flow_invalid"),
)
async def sample_flow_tests(
    _: FlowAuthor, services: Services, sent: Annotated[FlowText, FromJson(largest=LARGEST_FLOW)]
) -> SampleTests:
    """The tools answer with what their schemas ask for and one element in each list; an author writes the rest."""
    files = services.executions.runner.files
    flow = await files.check(sent.text)
    return SampleTests(tests=sample_suite(flow, files.tools()))


@router.get("/flow-schema", summary="The language of flows", response_description="Its schema")
async def read_flow_schema(_: FlowUser, services: Services) -> EditorSchema:
    return EditorSchema(document=editor_schema(), studio_url=services.studio_url, sample_student=SAMPLE_STUDENT)


def _faulty(text: str, error: FlowError) -> FlowInspection:
    read = InspectedText.of(text)
    marks = [read.mark(fault, "error") for fault in error.faults]
    return FlowInspection(
        marks=marks, steps=read.steps(), names=[], drawing=None, plan=None, input_errors={}, flow=None
    )


def _sound(flow: compiled.Flow, inputs: Mapping[str, object]) -> FlowInspection:
    planned, mistakes = None, {}
    try:
        planned = plan(flow, inputs)
    except InputError as error:
        mistakes = error.errors
    read = InspectedText.of(flow.text) if flow.warnings else None
    return FlowInspection(
        marks=[read.mark(warning, "warning") for warning in flow.warnings] if read else [],
        steps=outline(flow),
        names=names_of(flow),
        drawing=drawing(flow),
        plan=planned,
        input_errors=mistakes,
        flow=Flow(**described(flow)),
    )
