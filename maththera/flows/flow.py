"""A checked flow, with everything that a run needs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from maththera.flows.language import messages
from maththera.flows.language.expressions import Expression
from maththera.flows.language.faults import Fault
from maththera.flows.language.flow_schema import FlowModel, Input, OnError, StepFields, Variant
from maththera.flows.language.messages import Message
from maththera.flows.language.python_steps import PythonCode
from maththera.flows.language.schema_types import SchemaType
from maththera.flows.language.value_checks import value_mistakes
from maththera.flows.language.value_templates import Value
from maththera.json_types import JsonObject, JsonSchema

_TYPES: Final = {
    "string": "string",
    "int": "integer",
    "number": "number",
    "bool": "boolean",
    "list": "array",
    "object": "object",
}


@dataclass(frozen=True, slots=True)
class Way:
    """A way of a route; `when` is None for the last one, which is taken when no other is."""

    when: Expression | None
    to: str


@dataclass(slots=True)
class FlowStep:
    """A step. `needs` and `chosen_by`: ids of steps in the same block; a step that others choose runs only when one of
    them does. `roots`: names outside of this step that it or its inner steps read. `repeatable`: it may run again when
    it is unknown whether it ran."""

    id: str
    kind: str
    result: str
    line: int
    fields: StepFields
    typed: SchemaType
    needs: frozenset[str] = frozenset()
    chosen_by: frozenset[str] = frozenset()
    condition: Expression | None = None
    arguments: Value | None = None
    code: PythonCode | None = None
    steps: tuple["FlowStep", ...] = ()
    ways: tuple[Way, ...] = ()
    roots: frozenset[str] = frozenset()
    repeatable: bool = True

    @property
    def title(self) -> str:
        """The name for people."""
        return self.fields.name or self.id

    @property
    def on_error(self) -> OnError | None:
        return self.fields.on_error

    def with_inner(self) -> Iterator["FlowStep"]:
        """The step, and then all that are inside of it."""
        yield self
        for step in self.steps:
            yield from step.with_inner()


class InputError(ValueError):
    """Inputs that a flow cannot start with. `errors`: name → reason."""

    def __init__(self, errors: Mapping[str, Message]) -> None:
        super().__init__("; ".join(f"{name}: {reason}" for name, reason in errors.items()))
        self.errors = dict(errors)


@dataclass(slots=True)
class Flow:
    """A flow. `steps` are in an order in which each comes after those it needs. `hash`: of the text. `graphs`: the
    built-in graphs and other flows that it calls."""

    path: str
    text: str
    hash: str
    model: FlowModel
    steps: tuple[FlowStep, ...]
    outputs: Mapping[str, Value]
    warnings: list[Fault] = field(default_factory=list)
    graphs: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def description(self) -> str:
        return self.model.description

    @property
    def version(self) -> str:
        return self.model.version

    @property
    def examples(self) -> list[str]:
        return self.model.examples

    @property
    def inputs(self) -> list[Input]:
        return self.model.inputs

    @property
    def schedule(self) -> str | None:
        return self.model.schedule

    @property
    def overlaps(self) -> bool:
        """Whether a scheduled run begins while the one before has not ended."""
        return self.model.overlap == "allow"

    @property
    def variants(self) -> list[Variant]:
        return self.model.variants

    def all_steps(self) -> Iterator[FlowStep]:
        return (each for step in self.steps for each in step.with_inner())

    def input_schema(self) -> JsonSchema:
        return inputs_schema(self.inputs)

    def output_schema(self) -> JsonSchema:
        properties = {
            name: value.typed.schema for name, value in self.outputs.items() if "$ref" not in repr(value.typed)
        }
        return {"type": "object", "properties": {**{name: {} for name in self.outputs}, **properties}}

    def complete_inputs(self, inputs: Mapping[str, Any]) -> JsonObject:
        """The inputs of a run with defaults; raises InputError for missing, unknown and wrong ones."""
        missing = dict.fromkeys(self.missing(inputs), messages.INPUT_MISSING())
        return self._filled(inputs, missing)

    def missing(self, inputs: Mapping[str, Any]) -> list[str]:
        """The inputs that a run still needs."""
        return [each.name for each in self.inputs if each.needed and inputs.get(each.name) is None]

    def planned(self, inputs: Mapping[str, Any]) -> JsonObject:
        """Like `complete_inputs`, but a missing input stands as its reference."""
        return {**self._filled(inputs, {}), **{name: f"$inputs.{name}" for name in self.missing(inputs)}}

    def _filled(self, inputs: Mapping[str, Any], errors: dict[str, Message]) -> JsonObject:
        declared = {each.name: each for each in self.inputs}
        errors |= {name: messages.UNKNOWN_INPUT() for name in inputs if name not in declared}
        values: JsonObject = {}
        for name, each in declared.items():
            value = inputs.get(name)
            values[name] = each.default if value is None else value
            for _, reason in (
                value_mistakes(value, SchemaType.of({"type": _TYPES[each.type]})) if value is not None else ()
            ):
                errors[name] = reason
        if errors:
            raise InputError(errors)
        return values


def inputs_schema(inputs: list[Input]) -> JsonSchema:
    """The JSON Schema of a flow's inputs."""
    return {
        "type": "object",
        "properties": {
            each.name: {
                "type": _TYPES[each.type],
                **({"description": each.description} if each.description else {}),
                **({"default": each.default} if "default" in each.model_fields_set else {}),
            }
            for each in inputs
        },
        "required": [each.name for each in inputs if each.needed],
        "additionalProperties": False,
    }
