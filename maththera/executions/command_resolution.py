"""From a command, a Korean sentence or the name of a flow, to a flow with its inputs."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.executions.flow_files import FlowFiles
from maththera.flows.commands.command_interpreter import interpret
from maththera.flows.commands.command_matcher import Call, Candidate, Matcher
from maththera.flows.commands.command_rules import CommandRules, load_known_names
from maththera.flows.flow import Flow
from maththera.json_types import JsonObject
from maththera.korean.dates import KOREA
from maththera.llm.model_client import Models
from maththera.store.access.authorization import Principal, visible_students
from maththera.store.schools import Schools
from maththera.store.students import StudentRecords

_MOST_CALLS: Final = 10
DIRECT: Final = "도구_호출"
"""The name of a run that calls tools without a flow."""


_Name = Annotated[str, Field(max_length=128)]


class ToolCall(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    server: _Name
    tool: _Name
    params: dict[_Name, Any] = {}


class CommandContext(BaseModel):
    """What a client sends along with a command. `flow` or `tools`: what to run, so that the sentence is not
    interpreted. `inputs`: values that the sentence leaves open."""

    model_config = ConfigDict(extra="forbid", strict=True)

    flow: str | None = Field(None, description="Run this flow.")
    version: str | None = Field(None, description="Of the flow; by default the highest, or the student's variant.")
    tools: Annotated[list[ToolCall], Field(min_length=1, max_length=_MOST_CALLS)] | None = Field(
        None, description="Call these tools, one after the other."
    )
    inputs: JsonObject = {}


@dataclass(frozen=True, slots=True)
class ResolvedCommand:
    """A flow to run, or else a question to the person with the candidates."""

    flow: Flow | None
    inputs: JsonObject
    confidence: float = 1.0
    question: str | None = None
    candidates: tuple[Candidate, ...] = ()
    missing: tuple[str, ...] = ()


class CommandResolver:
    def __init__(
        self,
        files: FlowFiles,
        schools: Schools,
        students: StudentRecords,
        rules: CommandRules,
        models: Models | None = None,
    ) -> None:
        self._files, self._schools, self._rules, self._models = files, schools, rules, models
        self._students = students
        self._matcher: tuple[object, Matcher] | None = None

    async def understand(
        self, who: Principal, command: str, student_id: str | None, context: CommandContext
    ) -> ResolvedCommand:
        """What a command means to a caller, who may call the own students by their names. Raises UnknownFlow for a name
        that there is not, FlowError for a call that no tool takes."""
        given = dict(context.inputs)
        if student_id is not None:
            given.setdefault("student_id", student_id)
        if context.tools is not None:
            return await self._tool_call_flow(context.tools)
        catalog = await self._files.catalog()
        if context.flow is not None:
            flow = catalog.best(context.flow, context.version, student_id=given.get("student_id"))
            return ResolvedCommand(flow, _accepted(flow, given))
        children = await self._students.names(sorted(visible_students(who) or ()), given.get("student_id"))
        if (question := children.which(command)) is not None:
            return ResolvedCommand(None, given, question=question, missing=("student_id",))
        matcher = (await self._current()).knowing(
            {name: child for child, name in children.names.items() if name != child}
        )
        choice = await interpret(command, matcher, datetime.now(KOREA).date(), self._models, given)
        if choice.kind == "ask" or choice.name is None:
            return ResolvedCommand(
                None, choice.parameters, choice.confidence, choice.question, choice.candidates, choice.missing
            )
        if choice.kind == "tools":
            found = await self._tool_call_flow(list(map(_tool_call, choice.calls)))
            return replace(found, confidence=choice.confidence)
        flow = catalog.best(choice.name, student_id=choice.parameters.get("student_id"))
        return ResolvedCommand(flow, _accepted(flow, {**given, **choice.parameters}), choice.confidence)

    async def _current(self) -> Matcher:
        catalog = await self._files.catalog()
        if self._matcher is None or self._matcher[0] is not catalog:
            schools = {school.name: school.school_code for school in await self._schools.all()}
            names = load_known_names(self._files.folder.parent, self._rules, schools=schools)
            flows, tools = catalog.latest().values(), self._files.tools()
            matcher = await asyncio.to_thread(Matcher, flows, tools, self._rules, names)
            self._matcher = (catalog, matcher)
        return self._matcher[1]

    async def _tool_call_flow(self, calls: list[ToolCall]) -> ResolvedCommand:
        """A flow made of tool calls, as JSON, which is YAML. The values become inputs, so that a `$` in them is not a
        reference and no child's name stands in the text of a flow."""
        inputs: JsonObject = {}
        steps = []
        for number, call in enumerate(calls):
            names = {
                name: _input_name(name, number, inputs) for name, value in call.params.items() if value is not None
            }
            inputs |= {own: call.params[name] for name, own in names.items()}
            params = {name: f"$inputs.{own}" for name, own in names.items()}
            after = {"depends_on": [f"call_{number - 1}"]} if number else {}
            target = {"server": call.server, "tool": call.tool, "params": params}
            steps.append({"id": f"call_{number}", "output": f"result_{number}", "mcp_call": target, **after})
        flow = {
            "name": DIRECT,
            "inputs": [{"name": name, "type": _type(value)} for name, value in inputs.items()],
            "steps": steps,
            "outputs": {f"{number}_{call.tool}": f"$result_{number}" for number, call in enumerate(calls)},
        }
        checked = await self._files.check(json.dumps({"flow": flow}, ensure_ascii=False), DIRECT)
        return ResolvedCommand(checked, inputs)


def _input_name(parameter: str, number: int, taken: Mapping[str, Any]) -> str:
    plain = parameter if parameter.isidentifier() else "value"
    return plain if plain not in taken else f"{plain}_{number}_{len(taken)}"


def _tool_call(call: Call) -> ToolCall:
    return ToolCall(server=call.server, tool=call.tool, params=call.arguments)


def _accepted(flow: Flow, given: Mapping[str, Any]) -> JsonObject:
    """The inputs without `student_id` where the flow takes none; other unknown inputs stay, and are errors later."""
    names = {each.name for each in flow.inputs}
    return {name: value for name, value in given.items() if name in names or name != "student_id"}


def _type(value: Any) -> str:
    match value:
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "list"
    return "object"
