"""What the documentation says of flows, runs, tools and reports, with one worked case: a diagnostic report."""

from typing import Any, Final

from fastapi.responses import FileResponse
from pydantic import BaseModel

from maththera.api import flow_answers as answers
from maththera.api.execution_answers import Begun, Execution, Executions, Unclear
from maththera.api.flow_bodies import ExecuteBody, FlowText, ResumeBody, RunBody, SaveBody
from maththera.api.openapi import BAD_BODY, answered, body, errors, reference

_ID: Final = "b4cd53940fde46709cb9c46252110ad7"
_HASH: Final = "a8c0dfcd6f0353c487ff2489ed13b66f3e416104c670811477edfd28f700cb8f"
_NAME: Final = "진단_리포트_생성"
_INPUTS: Final = {"student_id": "s1", "period_days": 30}
_RESULT: Final = {"report_url": "/api/v1/reports/89213bf1….pdf?expires=…&signature=…", "concept_gaps_found": 3}

_RUNNING: Final = {"execution_id": _ID, "status": "running", "flow": _NAME, "inputs": _INPUTS}
_UNCLEAR: Final = {
    "execution_id": None,
    "status": "unclear",
    "question": "어느 학생인가요?",
    "candidates": [
        {"flow": _NAME, "description": "학생의 학습 데이터를 종합하여 진단 리포트 생성", "confidence": 0.91}
    ],
    "inputs": {"period_days": 30},
    "missing": ["student_id"],
}
_VIEW: Final = {
    "execution_id": _ID,
    "status": "completed",
    "flow": _NAME,
    "command": "학생 s1의 진단 리포트를 만들어 줘",
    "student_id": "s1",
    "inputs": _INPUTS,
    "created_at": "2026-11-22T09:13:37+00:00",
    "ended_at": "2026-11-22T09:13:39+00:00",
    "completed_steps": ["get_failures", "find_gaps", "create_report"],
    "error_log": [],
    "waiting": [],
    "result": _RESULT,
    "closing": "분석 완료! 개념 갭 3개를 찾았습니다.",
    "error": None,
}
_WAITING: Final = _VIEW | {"status": "running", "ended_at": None, "result": None, "closing": None}
_STREAM: Final = (
    'id: 1795306417046-0\r\ndata: {"type":"started","flow":"진단_리포트_생성","version":"1.1"}\r\nretry: 2000\r\n\r\n'
    'id: 1795306418673-0\r\ndata: {"type":"final","status":"completed","result":{}}\r\nretry: 2000\r\n\r\n'
)
_TEXT: Final = (
    "flow:\n  name: 선수개념\n  inputs:\n    - {name: topic, type: string}\n  steps:\n    - id: prerequisites\n"
    "      mcp_call:\n        server: logic-engine-mcp\n        tool: get_prerequisites\n"
    "        params: {concept_id: $inputs.topic}\n  outputs:\n    tree: $prerequisites_result.prerequisite_tree\n"
)
_FAULT: Final = {
    "path": "flows/x.yaml",
    "line": 14,
    "column": 15,
    "where": "steps[0].mcp_call.tool",
    "message": "unknown tool 'get_concept_gap' on 'logic-engine-mcp'; did you mean 'find_concept_gap'?",
    "text": "flows/x.yaml:14:15 steps[0].mcp_call.tool: unknown tool 'get_concept_gap' on 'logic-engine-mcp'; did you "
    "mean 'find_concept_gap'?",
}
_FLOW: Final = {
    "name": _NAME,
    "version": "1.1",
    "description": "학생의 학습 데이터를 종합하여 진단 리포트 생성",
    "examples": ["학생 A의 취약점을 분석해 줘"],
    "hash": _HASH,
    "schedule": None,
    "input_schema": {"type": "object", "properties": {"student_id": {"type": "string"}}, "required": ["student_id"]},
    "output_schema": {"type": "object", "properties": {"report_url": {"type": "string"}}},
    "steps": [{"id": "get_failures", "name": "실패 패턴 분석", "kind": "mcp_call"}],
}
_FILE: Final = {"file": _NAME, "text": _TEXT, "hash": _HASH, "flow": _FLOW, "faults": [], "warnings": []}
_TOOL: Final = {
    "server": "logic-engine-mcp",
    "name": "get_prerequisites",
    "description": "어떤 개념이나 단원을 배우기 전에 알아야 하는 선수 개념을 나무 모양으로 알려 줍니다.",
    "input_schema": {"type": "object", "properties": {"concept_id": {"type": "string"}}, "required": ["concept_id"]},
    "output_schema": {"type": "object", "properties": {"prerequisite_tree": {"type": "array"}}},
    "writes": False,
    "idempotent": True,
}
_SERVER: Final = {
    "state": "up",
    "restarts": 0,
    "calls": 12,
    "failed": 0,
    "in_flight": 1,
    "waiting": 0,
    "tools": 3,
    "up_since": 1795306417.05,
    "error": None,
}
_PLAN: Final[dict[str, Any]] = {
    "id": "get_failures",
    "name": "실패 패턴 분석",
    "kind": "mcp_call",
    "what": "lab-node-mcp.get_failure_pattern",
    "values": {"student_id": "s1"},
    "after": [],
    "when": None,
    "steps": [],
}
_TESTED: Final = {
    "passed": True,
    "tests": [{"file": "flows/tests/x.yaml", "line": 3, "name": "갭이 있는 학생", "failures": []}],
    "faults": [],
    "uncovered": {f"{_NAME} 1.1": []},
}


def takes(model: type[BaseModel], **examples: object) -> dict[str, Any]:
    return body(reference(model), {name.replace("_", " "): example for name, example in examples.items()})


def operation(answers: dict[int | str, Any], *codes: str, takes: dict[str, Any] | None = None) -> dict[str, Any]:
    found = {"responses": answers | errors("forbidden", *codes, *(BAD_BODY if takes else ()))}
    return found | ({"openapi_extra": takes} if takes else {})


EXECUTE: Final = operation(
    answered(202, Begun, _RUNNING, "It runs") | answered(200, Unclear, _UNCLEAR, "Asked back, nothing runs"),
    "not_found",
    takes=takes(
        ExecuteBody,
        A_sentence={"command": "학생 s1의 취약점을 분석하고 맞춤형 문제를 생성해줘"},
        A_flow_by_name={"context": {"flow": _NAME, "inputs": _INPUTS}},
        A_tool={"context": {"tools": [{"server": "logic-engine-mcp", "tool": "get_prerequisites",
                                       "params": {"concept_id": "Cur-C7"}}]}},
    ),
)  # fmt: skip
LIST: Final = operation(answered(200, Executions, {"executions": [_VIEW]}, "At most 100"))
VIEW: Final = operation(answered(200, Execution, _VIEW, "The run"), "not_found")
_EVENT_STREAM: Final = {"text/event-stream": {"schema": {"type": "string"}, "example": _STREAM}}
EVENTS: Final = operation({200: {"description": "Events", "content": _EVENT_STREAM}}, "not_found")
CANCEL: Final = operation(
    answered(200, Execution, _VIEW | {"status": "cancelled"}, "It has ended"), "not_found", "execution_state"
)
RESUME: Final = operation(
    answered(202, Execution, _WAITING, "It goes on"),
    "not_found",
    "execution_state",
    takes=takes(ResumeBody, Approved={"answer": {"approved": True}}),
)
TOOLS: Final = operation(
    answered(200, answers.Tools, {"tools": [_TOOL], "servers": {"logic-engine-mcp": _SERVER}}, "The tools")
)
FLOWS: Final = operation(
    answered(200, answers.Flows, {"flows": [{"file": _NAME, **_FLOW}], "faults": [_FAULT]}, "The flows")
)
FLOW: Final = operation(answered(200, answers.FlowFile, _FILE, "The flow"), "not_found")
SAVE: Final = operation(
    answered(200, answers.FlowFile, _FILE, "Saved") | answered(201, answers.FlowFile, _FILE, "Saved as a new flow"),
    "not_found",
    "flow_changed",
    takes=takes(SaveBody, A_new_flow={"text": _TEXT}, A_flow_that_was_edited={"text": _TEXT, "hash": _HASH}),
)
LINT: Final = operation(
    answered(200, answers.Lint, {"ok": False, "faults": [_FAULT], "warnings": []}, "What is wrong"),
    takes=takes(FlowText, A_flow={"text": _TEXT}),
)
GRAPH: Final = operation(
    answered(200, answers.Graph, {"mermaid": "flowchart TD\n  get_failures --> find_gaps\n"}, "The graph"), "not_found"
)
PLAN: Final = operation(
    answered(200, answers.Plan, {"steps": [_PLAN]}, "The steps, in an order they can run in"),
    "not_found",
    takes=takes(RunBody, Inputs={"inputs": _INPUTS}),
)
TEST: Final = operation(
    answered(200, answers.FlowTests, _TESTED, "The tests"),
    "not_found",
)
RUN: Final = operation(
    answered(202, Begun, _RUNNING, "It runs"), "not_found", takes=takes(RunBody, Inputs={"inputs": _INPUTS})
)
REPORT: Final[dict[str, Any]] = {
    "response_class": FileResponse,
    "responses": {
        200: {
            "description": "The PDF",
            "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}, "example": "%PDF-1.7 …"}},
        }
    }
    | errors("not_found"),
}
