"""Mocked tools, models, people and graphs of a flow's test, and a first test with the least that the tools' schemas ask
for."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import yaml

from maththera.flows.flow import Flow
from maththera.flows.language import messages
from maththera.flows.language.flow_schema import ToolStep
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import SchemaType
from maththera.flows.language.value_checks import mistake_texts, value_mistakes
from maththera.flows.runs.step_actions import CURRENT_STEP
from maththera.flows.runs.step_outcomes import StepError
from maththera.flows.runs.step_services import StepServices
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue, ToolError, ToolSpec

_ERRORS: Final = ("failed", "timeout", "died", "bad_output", "bad_arguments", "unknown_tool")


class MockedTools:
    """Tools that give the results written in a test; a call of any other tool fails."""

    def __init__(self, catalogue: Catalogue, flow: Flow, mocks: Mapping[str, Any]) -> None:
        self.calls: list[tuple[str, JsonObject]] = []
        self._catalogue = catalogue
        self._mocks = mocks
        self._asked: dict[str, int] = defaultdict(int)
        self._by_id = {step.id: step for step in flow.all_steps()}

    def catalogue(self) -> Catalogue:
        return self._catalogue

    def mistakes(self) -> Iterable[tuple[str, tuple[str | int, ...], Message]]:
        """Mocked results that the tool's schema forbids, and mocks of unknown tools or steps."""
        for name, mock in self._mocks.items():
            typed = self._typed(name)
            if typed is None:
                yield name, (), messages.NEITHER_TOOL_NOR_STEP(name=name)
                continue
            for place, result in enumerate(_results(mock)):
                where: tuple[str | int, ...] = (place,) if _in_turn(mock) else ()
                if isinstance(result, dict) and set(result) == {"error"}:
                    continue
                for path, reason in value_mistakes(result, typed):
                    yield name, (*where, *path), reason

    def knows(self, name: str) -> bool:
        """Whether a name is a tool, or a step of the flow."""
        return name in self._by_id or any(name in tools for tools in self._catalogue.values())

    def _typed(self, name: str) -> SchemaType | None:
        if name in self._by_id:
            return self._by_id[name].typed
        specs = [tools[name] for tools in self._catalogue.values() if name in tools]
        return SchemaType.of(specs[0].output_schema) if specs else None

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109, ARG002
        attempts: int | None = None,  # noqa: ARG002
    ) -> JsonObject:
        spec: ToolSpec = self._catalogue[server][tool]
        self.calls.append((tool, dict(arguments)))
        if wrong := mistake_texts(dict(arguments), SchemaType.of(spec.input_schema)):
            raise ToolError("bad_arguments", server, tool, str(wrong[0]))
        name = step if (step := step_id_of(CURRENT_STEP.get())) in self._mocks else tool
        if name not in self._mocks:
            raise ToolError("bad_arguments", server, tool, f"the test has no mock for '{tool}'")
        result = self._next(name)
        if isinstance(result, dict) and set(result) == {"error"}:
            code = result["error"]
            raise ToolError(code if code in _ERRORS else "failed", server, tool, f"mocked: {code}")
        return dict(result)

    async def ask(self, prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]) -> JsonObject:  # noqa: ARG002
        step = next(each for each in self._by_id.values() if getattr(each.fields, "prompt", None) == prompt)
        if step.id not in self._mocks:
            raise StepError(f"the test has no mock for '{step.id}'")
        result = self._next(step.id)
        if set(result) == {"error"}:
            raise StepError(f"mocked: {result['error']}")
        return dict(result)

    def instead_of_graphs(self, services: StepServices) -> StepServices:
        """The graphs with those that the test mocks replaced."""
        names = {step.fields.graph for step in self._by_id.values() if step.kind == "graph" and step.id in self._mocks}  # type: ignore[attr-defined]
        flows = {name: flow for name, flow in services.flows.items() if name not in names}
        graphs: JsonObject = {**services.graphs, **{name: lambda: _MockedGraph(self) for name in names}}
        return replace(services, graphs=graphs, flows=flows)

    def _next(self, name: str) -> Any:
        results = _results(self._mocks[name])
        place = min(self._asked[name], len(results) - 1)
        self._asked[name] += 1
        return results[place]


class _MockedGraph:
    def __init__(self, tools: MockedTools) -> None:
        self._tools = tools

    async def ainvoke(self, _: object) -> Any:
        return dict(self._tools._next(step_id_of(CURRENT_STEP.get())))


def step_id_of(path: str) -> str:
    """`outer/loop[3].inner` → `inner`."""
    return path.rpartition("/")[2].rpartition(".")[2].partition("[")[0]


def _results(mock: Any) -> list[Any]:
    return mock if _in_turn(mock) else [mock]


def _in_turn(mock: Any) -> bool:
    return isinstance(mock, list) and bool(mock)


SAMPLE_STUDENT: Final = "예시_학생"
"""The id of a made-up child, to try a flow with. It has no records."""
_STUDENTS: Final[JsonObject] = {"student_id": SAMPLE_STUDENT, "student_ids": [SAMPLE_STUDENT]}
_DEEPEST: Final = 6
_MOST: Final = 5  # of a list
_TEXTS: Final = {"date": "2026-03-02", "date-time": "2026-03-02T09:00:00+09:00"}
_INPUTS: Final[JsonObject] = {"string": "예시", "int": 1, "number": 1, "bool": True, "list": [], "object": {}}


def sample_suite(flow: Flow, catalogue: Catalogue) -> str:
    """The text of a file of tests."""
    inputs = {each.name: deepcopy(_STUDENTS.get(each.name, _INPUTS[each.type])) for each in flow.inputs if each.needed}
    mocks = dict(_mocks(flow, catalogue))
    case = {"name": "예시 학생", "inputs": inputs, "mocks": mocks, "expect": {"status": "completed"}}
    suite = {"flow": {"name": flow.name, "version": flow.version}, "tests": [case]}
    return yaml.safe_dump(suite, allow_unicode=True, sort_keys=False)


def sample_result(spec: ToolSpec) -> JsonObject:
    """What a tool may answer, so that a flow can go on with it."""
    found: JsonObject = sample_of(SchemaType.of(spec.output_schema))
    return found


def sample_of(typed: SchemaType, depth: int = 0) -> Any:
    """A value of a type, with what the schema asks for and one element in each list; null where it may be null or nests
    too deep."""
    branches = list(typed.branches())
    schema = branches[0].schema
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if any(branch.schema.get("type") == "null" for branch in branches) or depth > _DEEPEST:
        return None
    match schema.get("type"):
        case "object":
            fields, needed = schema.get("properties", {}), schema.get("required", ())
            found = {name: sample_of(branches[0].inner(fields.get(name)), depth + 1) for name in needed}
            return found | {name: students for name, students in deepcopy(_STUDENTS).items() if name in found}
        case "array":
            many = min(schema.get("minItems", depth + 2 <= _DEEPEST), schema.get("maxItems", _MOST), _MOST)
            return [sample_of(branches[0].inner(schema.get("items")), depth + 1)] * many
        case "integer" | "number":
            least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
            return min(least, schema.get("maximum", least))
        case "boolean":
            return True
        case "string":
            return _TEXTS.get(schema.get("format", ""), "예시"[: schema.get("maxLength")])
    return None


def _mocks(flow: Flow, catalogue: Catalogue) -> Iterator[tuple[str, Any]]:
    """The tools by their names; people, models and called flows by their steps."""
    for step in flow.all_steps():
        if isinstance(step.fields, ToolStep):
            call = step.fields.mcp_call
            yield call.tool, sample_result(catalogue[call.server][call.tool])
        elif step.kind in ("approve", "llm", "graph"):
            yield step.id, sample_of(step.typed)
