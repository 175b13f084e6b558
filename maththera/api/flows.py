"""The authors' flows: list, read, save, check, draw, plan, test, run."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Request, Response

from maththera.api import flow_docs as docs
from maththera.api.auth import resources
from maththera.api.bodies import read
from maththera.api.executions import answer, worker
from maththera.api.executions import router as executions_router
from maththera.api.flow_bodies import LARGEST_FLOW, flow_text, run, save
from maththera.api.problems import Problem
from maththera.executions.flow_files import FileChanged, FlowFile, FlowFiles, NoSuchFile
from maththera.flows.drawing import mermaid
from maththera.flows.faults import Fault, FlowError
from maththera.flows.flow import Flow
from maththera.flows.planning import plan
from maththera.learners.access import Principal, schedules_flows, writes_flows

router = APIRouter(prefix="/api/v1/flows", tags=["flows"])

Name = Annotated[str, Path(description="Of the file, without `.yaml`.")]


@router.get("", summary="All flows", **docs.FLOWS)
async def list_flows(request: Request) -> Response:
    """Those that can run, and of the others what is wrong with them."""
    await worker(request)
    catalog = await files(request).catalog()
    found = [{"file": FilePath(flow.path).stem, **described(flow)} for flow in catalog]
    return answer({"flows": found, "faults": _faults(catalog.faults)})


@router.get("/{name}", summary="The text of a flow", **docs.FLOW)
async def read_flow(request: Request, name: Name) -> Response:
    await worker(request)
    file = files(request).read(name)
    try:
        flow = await files(request).check(file.text, file.name)
    except FlowError as error:
        return answer({**_file(file), "flow": None, "faults": _faults(error.faults), "warnings": []})
    return answer({**_file(file), "flow": described(flow), "faults": [], "warnings": _faults(flow.warnings)})


@router.put("/{name}", summary="Save a flow", **docs.SAVE)
async def save_flow(request: Request, name: Name) -> Response:
    """Saves what can run, if nobody else has saved since `hash`; 201 for a new file. What has a schedule, or is called
    by a flow that has one, runs with the rights of an admin: only an admin saves it."""
    who = await author(request)
    sent = await read(request, save, largest=LARGEST_FLOW)
    if not schedules_flows(who) and await files(request).runs_by_itself(await files(request).check(sent.text, name)):
        raise Problem("forbidden", "It runs by itself, with the rights of an admin: an admin has to save it.")
    flow = await files(request).save(name, sent.text, sent.hash)
    body = {
        **_file(FlowFile(name, sent.text)),
        "flow": described(flow),
        "faults": [],
        "warnings": _faults(flow.warnings),
    }
    return answer(body, 200 if sent.hash else 201)


@router.post("/lint", summary="Check a text without saving it", **docs.LINT)
async def lint_flow(request: Request) -> Response:
    await worker(request)
    sent = await read(request, flow_text, largest=LARGEST_FLOW)
    try:
        flow = await files(request).check(sent.text)
    except FlowError as error:
        return answer({"ok": False, "faults": _faults(error.faults), "warnings": []})
    return answer({"ok": True, "faults": [], "warnings": _faults(flow.warnings)})


@router.get("/{name}/graph", summary="A flow as Mermaid", **docs.GRAPH)
async def draw_flow(request: Request, name: Name) -> Response:
    await worker(request)
    return answer({"mermaid": mermaid(await _checked(request, name))})


@router.post("/{name}/plan", summary="What a run would call, without calling", **docs.PLAN)
async def plan_flow(request: Request, name: Name) -> Response:
    await worker(request)
    sent = await read(request, run)
    flow = await _checked(request, name)
    return answer({"steps": [asdict(step) for step in plan(flow, sent.inputs)]})


@router.post("/{name}/test", summary="Run the tests of a flow", **docs.TEST)
async def test_flow(request: Request, name: Name) -> Response:
    """Those of `flows/tests/{name}.yaml`: no tool is called."""
    await author(request)
    return answer(await files(request).tested(await _checked(request, name)))


@router.post("/{name}/run", status_code=202, summary="Run a flow", **docs.RUN)
async def run_flow(request: Request, name: Name) -> Response:
    who = await worker(request, fresh=True)
    sent = await read(request, run)
    flow = await _checked(request, name)
    execution_id = await resources(request).executions.begin(who, flow, sent.inputs)
    body = {"execution_id": execution_id, "status": "running", "flow": flow.name, "inputs": sent.inputs}
    return answer(body, 202, {"Location": f"{executions_router.prefix}/executions/{execution_id}"})


async def author(request: Request) -> Principal:
    who = await worker(request)
    if not writes_flows(who):
        raise Problem("forbidden", f"Not with the role {who.role}.")
    return who


def files(request: Request) -> FlowFiles:
    return resources(request).executions.runner.files


def described(flow: Flow) -> dict[str, Any]:
    return {
        "name": flow.name,
        "version": flow.version,
        "description": flow.description,
        "examples": flow.examples,
        "hash": flow.hash,
        "schedule": flow.schedule,
        "input_schema": flow.input_schema(),
        "output_schema": flow.output_schema(),
        "steps": [{"id": step.id, "name": step.title, "kind": step.kind} for step in flow.steps],
    }


def install_errors(app: FastAPI) -> None:
    @app.exception_handler(NoSuchFile)
    async def _no_file(_: Request, __: NoSuchFile) -> Response:
        return Problem("not_found", "There is no such flow.").response()

    @app.exception_handler(FileChanged)
    async def _changed(_: Request, error: FileChanged) -> Response:
        current = _file(error.current) if error.current else None
        return Problem(
            "flow_changed", "Nothing was overwritten; `current` is what is saved.", current=current
        ).response()

    @app.exception_handler(FlowError)
    async def _invalid(_: Request, error: FlowError) -> Response:
        errors = [
            {"loc": f"{fault.line}:{fault.column} {fault.where}".strip(), "msg": fault.message}
            for fault in error.faults
        ]
        return Problem("flow_invalid", str(error.faults[0]), errors=errors).response()


async def _checked(request: Request, name: str) -> Flow:
    file = files(request).read(name)
    return await files(request).check(file.text, file.name)


def _file(file: FlowFile) -> dict[str, Any]:
    return {"file": file.name, "text": file.text, "hash": file.hash}


def _faults(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    return [{**asdict(fault), "text": str(fault)} for fault in faults]
