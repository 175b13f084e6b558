"""The authors' flows: list, read, save, delete, check, look at earlier texts."""

from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Response
from pydantic import Field

from maththera.api.executions import FlowUser
from maththera.api.http_layer.auth import Services, caller_who
from maththera.api.http_layer.json_body import ApiRoute, FromJson
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, Problems, said
from maththera.api.http_layer.response_models import Answer, example, from_row
from maththera.executions.flow_files import FileChanged, NoSuchFile, NotFlowOwner
from maththera.executions.flow_files import FlowFile as StoredFile
from maththera.executions.flow_files import SavedVersion as StoredVersion
from maththera.flows import flow as compiled
from maththera.flows.language.faults import Fault, FlowError
from maththera.flows.language.yaml_source import normalized_name
from maththera.json_types import JsonObject, JsonSchema
from maththera.store.access.authorization import Principal, may_schedule_flows, may_write_flows
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/flows", tags=["flows"], route_class=ApiRoute)

LONGEST_FLOW: Final = 60_000
LARGEST_FLOW: Final = 6 * LONGEST_FLOW + 1024
"""Bytes of a body with a flow: JSON may write a character in six, and a Korean one has three."""

FileName = Annotated[str, Path(description="Of the file, without `.yaml`.")]
Digest = Annotated[str, Path(description="The `hash` of a text.")]
FlowAuthor = Annotated[Principal, Depends(caller_who(may_write_flows))]

_HASH: Final = "a8c0dfcd6f0353c487ff2489ed13b66f3e416104c670811477edfd28f700cb8f"
EXAMPLE_TEXT: Final = (
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
    "korean": "'logic-engine-mcp'에 'get_concept_gap'이라는 도구는 없어요. 혹시 'find_concept_gap'인가요?",
    "text": "flows/x.yaml:14:15 steps[0].mcp_call.tool: unknown tool 'get_concept_gap' on 'logic-engine-mcp'; did you "
    "mean 'find_concept_gap'?",
}
_FLOW: Final = {
    "name": "진단_리포트_생성",
    "version": "1.1",
    "description": "학생의 학습 데이터를 종합하여 진단 리포트 생성",
    "examples": ["학생 A의 취약점을 분석해 줘"],
    "hash": _HASH,
    "schedule": None,
    "input_schema": {"type": "object", "properties": {"student_id": {"type": "string"}}, "required": ["student_id"]},
    "output_schema": {"type": "object", "properties": {"report_url": {"type": "string"}}},
    "steps": [{"id": "get_failures", "name": "실패 패턴 분석", "kind": "mcp_call"}],
}
_SAVED: Final = {
    "hash": _HASH,
    "version": "1.1",
    "deleted": False,
    "saved_at": "2026-11-22T09:13:37+00:00",
    "saved_by": "a1b2c3",
}


class FlowText(Strict):
    model_config = example({"text": EXAMPLE_TEXT})

    text: Annotated[str, Field(max_length=LONGEST_FLOW)]


class SaveFlowBody(FlowText):
    """`hash`: of the text that was edited, as `GET` gave it; null for a new flow."""

    model_config = example({"text": EXAMPLE_TEXT}, {"text": EXAMPLE_TEXT, "hash": _HASH})

    hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


class FlowFault(Answer):
    """`line` and `column` count from 1; `where` is the field; `korean` is the message; `text` is all of it in a line of
    English."""

    path: str
    line: int
    column: int
    where: str
    message: str
    korean: str
    text: str


class FlowStep(Answer):
    id: str
    name: str
    kind: str


class Flow(Answer):
    """`hash`: of the text. `schedule`: as cron writes it."""

    name: str
    version: str
    description: str
    examples: list[str]
    hash: str
    schedule: str | None
    input_schema: JsonSchema
    output_schema: JsonSchema
    steps: list[FlowStep]


class ListedFlow(Flow):
    """`file`: by which it is read, saved and run."""

    file: str


class Flows(Answer):
    model_config = example({"flows": [{"file": _FLOW["name"], **_FLOW}], "faults": [_FAULT]})

    flows: list[ListedFlow]
    faults: list[FlowFault]


class FlowFile(Answer):
    """`flow`: null while there are faults. `hash`: what to send when saving."""

    model_config = example(
        {"file": _FLOW["name"], "text": EXAMPLE_TEXT, "hash": _HASH, "flow": _FLOW, "faults": [], "warnings": []}
    )

    file: str
    text: str
    hash: str
    flow: Flow | None
    faults: list[FlowFault]
    warnings: list[FlowFault]


class SavedVersion(Answer):
    """`saved_by`: the id of a token; null for what came along with Maththera. `deleted`: the flow was, and there is no
    text."""

    hash: str | None
    version: str | None
    deleted: bool
    saved_at: str | None
    saved_by: str | None


class SavedVersions(Answer):
    model_config = example({"file": _FLOW["name"], "versions": [_SAVED]})

    file: str
    versions: list[SavedVersion]


class SavedText(SavedVersion):
    model_config = example({"file": _FLOW["name"], **_SAVED, "text": EXAMPLE_TEXT})

    file: str
    text: str


class FlowCheck(Answer):
    model_config = example({"ok": False, "faults": [_FAULT], "warnings": []})

    ok: bool
    faults: list[FlowFault]
    warnings: list[FlowFault]


@router.get("", summary="All flows", response_description="The flows")
async def list_flows(_: FlowUser, services: Services) -> Flows:
    """Those that can run, and of the others what is wrong with them."""
    catalog = await services.executions.runner.files.catalog()
    found = [ListedFlow(file=FilePath(flow.path).stem, **described(flow)) for flow in catalog]
    return Flows(flows=found, faults=_faults(catalog.faults))


@router.get("/{name}", summary="The text of a flow", response_description="The flow")
async def read_flow(_: FlowUser, services: Services, name: FileName) -> FlowFile:
    files = services.executions.runner.files
    file = files.read(name)
    try:
        return _file(file, await files.check(file.text, file.name))
    except FlowError as error:
        return _file(file, None, error.faults)


@router.put(
    "/{name}",
    summary="Save a flow",
    response_description="Saved",
    responses=errors("flow_changed") | {201: {"model": FlowFile, "description": "Saved as a new flow"}},
)
async def save_flow(
    response: Response,
    who: FlowAuthor,
    services: Services,
    name: FileName,
    sent: Annotated[SaveFlowBody, FromJson(largest=LARGEST_FLOW)],
) -> FlowFile:
    """Saves a flow that passes the checks. `hash` is that of the text the author edited: another one in the meantime is
    refused. 201 for a new file, which is called as the flow, or as the flow and its version (`name_1.1`). It lies in
    the data directory, with every text that was there before.

    What has a schedule, or is called by a flow that has one, runs with the rights of an admin: only an admin saves it.
    """
    files = services.executions.runner.files
    if not may_schedule_flows(who) and await files.runs_by_itself(await files.check(sent.text, name)):
        raise ApiProblem("forbidden", "It runs by itself, with the rights of an admin: an admin has to save it.")
    flow = await files.save(who, name, sent.text, sent.hash)
    response.status_code = 200 if sent.hash else 201
    return _file(StoredFile(normalized_name(name), sent.text), flow)


@router.delete(
    "/{name}",
    status_code=204,
    summary="Delete a flow that was saved",
    response_description="It is deleted",
    responses=errors("flow_invalid"),
)
async def delete_flow(who: FlowAuthor, services: Services, name: FileName) -> None:
    """Deletes a saved flow. Flows shipped with Maththera stay; one that a saved text had replaced runs again. An author
    may delete only flows that no other author has saved. Runs under way go on, and the versions are kept."""
    await services.executions.runner.files.delete(who, name)


@router.get("/{name}/versions", summary="The texts that were saved of a flow", response_description="The versions")
async def list_flow_versions(_: FlowUser, services: Services, name: FileName) -> SavedVersions:
    """The newest first, also of a flow that was deleted."""
    found = await services.executions.runner.files.versions(name)
    return SavedVersions(file=normalized_name(name), versions=[SavedVersion(**_saved(each)) for each in found])


@router.get("/{name}/versions/{digest}", summary="A text of before", response_description="The text")
async def read_flow_version(_: FlowUser, services: Services, name: FileName, digest: Digest) -> SavedText:
    versions = await services.executions.runner.files.versions(name)
    found = next((each for each in versions if each.hash == digest), None)
    if found is None or found.text is None:
        raise NoSuchFile(name)
    return SavedText(file=normalized_name(name), **_saved(found), text=found.text)


@router.post("/lint", summary="Check a text without saving it", response_description="What is wrong")
async def check_flow(
    _: FlowUser, services: Services, sent: Annotated[FlowText, FromJson(largest=LARGEST_FLOW)]
) -> FlowCheck:
    try:
        flow = await services.executions.runner.files.check(sent.text)
    except FlowError as error:
        return FlowCheck(ok=False, faults=_faults(error.faults), warnings=[])
    return FlowCheck(ok=True, faults=[], warnings=_faults(flow.warnings))


def _changed(error: FileChanged) -> ApiProblem:
    current = error.current and {"file": error.current.name, "text": error.current.text, "hash": error.current.hash}
    return ApiProblem("flow_changed", "Nothing was overwritten; `current` is what is saved.", current=current)


def _invalid(error: FlowError) -> ApiProblem:
    errors = [
        {"loc": f"{fault.line}:{fault.column} {fault.where}".strip(), **said(fault.message)} for fault in error.faults
    ]
    return ApiProblem("flow_invalid", str(error.faults[0]), errors=errors)


PROBLEMS: Final[Problems] = {
    NoSuchFile: lambda _: ApiProblem("not_found", "There is no such flow."),
    NotFlowOwner: lambda error: ApiProblem("forbidden", f"It stays: {error}."),
    FileChanged: _changed,
    FlowError: _invalid,
}


def described(flow: compiled.Flow) -> JsonObject:
    return {
        "name": flow.name,
        "version": flow.version,
        "description": flow.description,
        "examples": list(flow.examples),
        "hash": flow.hash,
        "schedule": flow.schedule,
        "input_schema": flow.input_schema(),
        "output_schema": flow.output_schema(),
        "steps": [FlowStep(id=step.id, name=step.title, kind=step.kind) for step in flow.steps],
    }


def _file(file: StoredFile, flow: compiled.Flow | None, faults: Sequence[Fault] = ()) -> FlowFile:
    """Without `flow` where the text has `faults`."""
    return FlowFile(
        file=file.name,
        text=file.text,
        hash=file.hash,
        flow=Flow(**described(flow)) if flow else None,
        faults=_faults(faults),
        warnings=_faults(flow.warnings) if flow else [],
    )


def _saved(version: StoredVersion) -> JsonObject:
    told = {"hash": version.hash, "version": version.version, "deleted": version.text is None}
    return {**told, "saved_at": version.saved_at, "saved_by": version.saved_by}


def _faults(faults: Sequence[Fault]) -> list[FlowFault]:
    return [
        from_row(FlowFault, one, message=one.message.english, korean=one.message.korean, text=str(one))
        for one in faults
    ]
