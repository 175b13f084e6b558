"""The checks of what steps call: whether the tool, graph, flow or prompt exists, and whether its parameters fit."""

from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from maththera.config_files import nearest_name
from maththera.flows.checker.name_scopes import Scope
from maththera.flows.flow import FlowStep
from maththera.flows.language import messages
from maththera.flows.language.faults import Loc, suggestion
from maththera.flows.language.flow_schema import GraphStep, LlmStep, ToolStep
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import ANYTHING, SchemaType
from maththera.flows.language.value_templates import FaultCollector, Value, compile_value
from maththera.runtime.json_schema import is_pattern
from maththera.runtime.tool_interface import Catalogue, ToolSpec


@dataclass(frozen=True, slots=True)
class Callee:
    """A graph or flow that a graph step can call, with the JSON Schemas of its inputs and outputs. `one_of`: parameters
    of which exactly one is given."""

    takes: Mapping[str, Any] = field(default_factory=dict)
    gives: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["flow", "graph"] = "flow"
    one_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Callables:
    """The prompts, tools and graphs there are. None leaves the calls unchecked."""

    catalogue: Catalogue | None
    graphs: Collection[str] | Mapping[str, Callee] | None
    prompts: Collection[str] | None

    def spec(self, server: str, tool: str) -> ToolSpec | None:
        return (self.catalogue or {}).get(server, {}).get(tool)

    def callee(self, name: str) -> Callee | None:
        return self.graphs.get(name) if isinstance(self.graphs, Mapping) else None


class CallChecker:
    """Checks the calls of one flow's steps. Each check sets the arguments of the step and returns the names that it
    reads. `misspelt`: places where a missing parameter is not reported, as a misspelt one may be meant. `graphs`: the
    graphs that the flow calls."""

    def __init__(self, known: Callables, misspelt: Set[Loc], notes: FaultCollector) -> None:
        self._known, self._misspelt, self._notes = known, misspelt, notes
        self.graphs: set[str] = set()

    def tool(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        call = cast("ToolStep", compiled.fields).mcp_call
        here = (*loc, "mcp_call")
        if self._known.catalogue is None:
            compiled.repeatable = False  # unknown, so it counts as not repeatable
            compiled.arguments = compile_value(call.params, (*here, "params"), scope, self._notes)
            return compiled.arguments.roots
        tools = self._known.catalogue.get(call.server)
        spec = tools.get(call.tool) if tools is not None else None
        if tools is None:
            near = suggestion(call.server, self._known.catalogue)
            self._notes.fault((*here, "server"), messages.UNKNOWN_SERVER(name=call.server, near=near))
        elif not tools:
            self._notes.fault((*here, "server"), messages.NO_TOOLS(name=call.server))
        elif spec is None:
            elsewhere = next((name for name, others in self._known.catalogue.items() if call.tool in others), None)
            near = messages.NEAR_AND(
                near=suggestion(call.tool, tools),
                more=messages.NOTHING_NEAR if elsewhere is None else messages.ELSEWHERE(server=elsewhere),
            )
            self._notes.fault((*here, "tool"), messages.UNKNOWN_TOOL(name=call.tool, server=call.server, near=near))
        where = (*here, "params") if "params" in call.model_fields_set else here
        wanted = SchemaType.of(spec.input_schema) if spec is not None else None
        compiled.arguments = self._parameters(call.params, where, scope, wanted, messages.TOOL)
        if spec is not None:
            compiled.repeatable = spec.idempotent or not spec.writes
            if spec.writes and compiled.fields.cache is not None:
                self._notes.warn((*loc, "cache"), messages.CACHED_WRITE(tool=call.tool))
        return compiled.arguments.roots

    def graph(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        step = cast("GraphStep", compiled.fields)
        if self._known.graphs is not None and step.graph not in self._known.graphs:
            near = suggestion(step.graph, self._known.graphs)
            self._notes.fault((*loc, "graph"), messages.UNKNOWN_GRAPH(name=step.graph, near=near))
        self.graphs.add(step.graph)
        known = self._known.callee(step.graph)
        wanted = SchemaType.of(known.takes) if known is not None and known.takes else None
        where = (*loc, "params") if "params" in step.model_fields_set else loc
        compiled.arguments = self._parameters(step.params, where, scope, wanted, _kind(known))
        if known is not None and known.one_of:
            self._one_of(known, step.params, where)
        compiled.repeatable = False
        return compiled.arguments.roots

    def _one_of(self, known: Callee, params: Mapping[str, Any], loc: Loc) -> None:
        given = [name for name in known.one_of if params.get(name) is not None]
        one, other = known.one_of
        if len(given) > 1:
            message = messages.ONE_NOT_BOTH(kind=_kind(known), one=one, other=other)
            self._notes.fault((*loc, given[1]), message, key=True)
        elif not given and not any(_similar(name, wanted) for name in params for wanted in known.one_of):
            self._notes.fault(loc, messages.NEEDS_ONE_OF(kind=_kind(known), one=one, other=other), key=True)

    def model(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        step = cast("LlmStep", compiled.fields)
        if self._known.prompts is not None and step.prompt not in self._known.prompts:
            near = suggestion(step.prompt, self._known.prompts)
            self._notes.fault((*loc, "prompt"), messages.UNKNOWN_PROMPT(name=step.prompt, near=near))
        check_schema(step.output_schema, (*loc, "schema"), self._notes)
        compiled.arguments = compile_value(step.variables, (*loc, "variables"), scope, self._notes)
        return compiled.arguments.roots

    def _parameters(
        self, params: Mapping[str, Any], loc: Loc, scope: Scope, wanted: SchemaType | None, what: Message
    ) -> Value:
        if wanted is None:
            return compile_value(params, loc, scope, self._notes)
        properties = wanted.properties()
        required = wanted.schema.get("required", ())
        for name in required:
            if name not in params and not {loc, loc[:-1]} & self._misspelt:
                near = next((each for each in params if each not in properties and _similar(each, name)), None)
                if near is None:
                    self._notes.fault(loc, messages.NEEDS_PARAMETER(kind=what, name=name), key=True)
        open_ended = bool(wanted.schema.get("additionalProperties", not properties))
        values: dict[str, Value] = {}
        for name, raw in params.items():
            if name not in properties and not open_ended:
                message = messages.UNKNOWN_PARAMETER(name=name, near=suggestion(name, properties))
                self._notes.fault((*loc, name), message, key=True)
            values[name] = compile_value(raw, (*loc, name), scope, self._notes, properties.get(name))
        roots = frozenset().union(*(value.roots for value in values.values()))
        evaluate = {name: value.evaluate for name, value in values.items()}
        return Value(lambda run: {name: each(run) for name, each in evaluate.items()}, roots, ANYTHING)


def check_schema(schema: Mapping[str, Any], loc: Loc, notes: FaultCollector) -> None:
    """Checks a JSON Schema that the author wrote."""
    for path, reason in schema_mistakes(schema):
        notes.fault((*loc, *path), reason)


def _similar(one: str, other: str) -> bool:
    return nearest_name(one, [other]) is not None


def _kind(callee: Callee | None) -> Message:
    return messages.GRAPH if callee is not None and callee.kind == "graph" else messages.FLOW


KINDS: Final = ("string", "integer", "number", "boolean", "array", "object", "null")
_MAPS: Final = ("properties", "$defs", "patternProperties")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONE: Final = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")
_KEYWORDS: Final = frozenset(
    {"type", "enum", "const", "required", "title", "description", "default", "examples", "deprecated", *_MAPS}
    | {"format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    | {"multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "readOnly", "writeOnly"}
    | {"$schema", "$id", "$ref", "$comment", *_LISTS, *_ONE}
)


def schema_mistakes(schema: Any) -> Iterator[tuple[Loc, Message]]:
    """The mistakes in a schema: where, and why."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield (), messages.NEEDS_TYPE(value=schema)
        return
    for name in schema:
        if name not in _KEYWORDS:
            known = nearest_name(name, _KEYWORDS) is not None
            near = suggestion(name, _KEYWORDS) if known else messages.UNDER_PROPERTIES()
            yield (name,), messages.NO_KEYWORD(name=name, near=near)
    if isinstance(schema.get("pattern"), str) and not is_pattern(schema["pattern"]):
        yield ("pattern",), messages.NO_PATTERN(pattern=schema["pattern"])
    yield from _kind_mistakes(schema.get("type", []))
    yield from _required_mistakes(schema)
    for path, inner in _inner(schema):
        yield from (((*path, *rest), reason) for rest, reason in schema_mistakes(inner))


def _kind_mistakes(kinds: Any) -> Iterator[tuple[Loc, Message]]:
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind not in KINDS:
            yield ("type",), messages.NOT_AMONG(value=kind, near=suggestion(str(kind), KINDS))


def _required_mistakes(schema: Mapping[str, Any]) -> Iterator[tuple[Loc, Message]]:
    required, properties = schema.get("required", []), schema.get("properties", {})
    if not isinstance(required, list):
        yield ("required",), messages.NEEDS_NAMES(value=required)
        return
    for place, name in enumerate(required):
        if isinstance(properties, Mapping) and name not in properties and "$ref" not in schema:
            yield ("required", place), messages.REQUIRED_UNKNOWN(name=name, near=suggestion(str(name), properties))


def _inner(schema: Mapping[str, Any]) -> Iterator[tuple[Loc, Any]]:
    for keyword in _MAPS:
        fields = schema.get(keyword, {})
        if not isinstance(fields, Mapping):
            yield (keyword,), fields
        else:
            yield from (((keyword, name), each) for name, each in fields.items())
    for keyword in _LISTS:
        choices = schema.get(keyword, [])
        yield from (((keyword, place), each) for place, each in enumerate(choices if isinstance(choices, list) else ()))
    yield from (((keyword,), schema[keyword]) for keyword in _ONE if keyword in schema)
