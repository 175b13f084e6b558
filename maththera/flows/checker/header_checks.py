"""The checks of what stands above the steps of a flow: schedule, variants, inputs."""

import keyword
import re
from collections.abc import Collection
from typing import Final

from maththera.flows.cron import schedule_mistakes
from maththera.flows.flow import inputs_schema
from maththera.flows.language.faults import Loc
from maththera.flows.language.flow_schema import FlowModel, Input
from maththera.flows.language.schema_types import SchemaType
from maththera.flows.language.value_checks import value_mistakes
from maththera.flows.language.value_templates import FaultCollector

_REFERENCE: Final = re.compile(r"\$[^\W\d]")


def check_head(flow: FlowModel, notes: FaultCollector) -> None:
    """Checks schedule and variants."""
    if flow.schedule is not None:
        for reason in schedule_mistakes(flow.schedule):
            notes.fault(("flow", "schedule"), reason)
        for place, each in enumerate(flow.inputs):
            if each.needed:
                reason = f"a flow with a schedule starts by itself, so '{each.name}' needs a default"
                notes.fault(("flow", "inputs", place, "name"), reason)
    seen: set[str] = set()
    for place, variant in enumerate(flow.variants):
        if variant.version in seen:
            notes.fault(("flow", "variants", place, "version"), f"version '{variant.version}' is listed twice")
        seen.add(variant.version)


def check_inputs(flow: FlowModel, broken: Collection[str], notes: FaultCollector) -> SchemaType:
    """The type of the inputs; a broken input has an unknown type."""
    seen: set[str] = set()
    for place, each in enumerate(flow.inputs):
        loc: Loc = ("flow", "inputs", place)
        if each.name in seen:
            notes.fault((*loc, "name"), f"input '{each.name}' is declared twice")
        seen.add(each.name)
        if keyword.iskeyword(each.name):
            notes.fault((*loc, "name"), f"'{each.name}' is a word of the language; call it something else")
        if "default" in each.model_fields_set:
            _check_default(each, (*loc, "default"), notes, broken=f"inputs.{each.name}" in broken)
    schema = inputs_schema(flow.inputs)
    for name in list(schema["properties"]):
        if f"inputs.{name}" in broken:
            schema["properties"][name] = {}
    return SchemaType.of(schema)


def _check_default(each: Input, loc: Loc, notes: FaultCollector, *, broken: bool) -> None:
    if each.required:
        notes.fault(loc, "a required input has no default; leave out one of the two")
    if isinstance(each.default, str) and _REFERENCE.match(each.default):
        notes.fault(loc, "a default is a value; references are read in steps and outputs only")
    if each.default is not None and not broken:
        own = SchemaType.of(inputs_schema([each])["properties"][each.name])
        for path, reason in value_mistakes(each.default, own):
            notes.fault((*loc, *path), reason)


def warn_of_unused(flow: FlowModel, broken: Collection[str], notes: FaultCollector) -> None:
    """Warns of inputs that nothing reads."""
    text = notes.document.text
    for place, each in enumerate(flow.inputs):
        used = f"$inputs.{each.name}" in text or f"$inputs['{each.name}']" in text
        if not used and f"inputs.{each.name}" not in broken:
            notes.warn(("flow", "inputs", place, "name"), f"input '{each.name}' is never used")
