"""From YAML data to models. Fields that do not fit are reported and removed, so that the rest can still be checked.
Fields that other workflow languages have are named in the words of this one.
"""

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from maththera.config_files import fault_reason, nearest_name
from maththera.flows.language import messages
from maththera.flows.language.faults import Loc, suggestion
from maththera.flows.language.flow_schema import (
    ACTIONS,
    STEP_MODELS,
    FlowFile,
    FlowModel,
    Input,
    McpCall,
    OnError,
    Refused,
    Retry,
    Variant,
    Way,
    kind_of_step,
)
from maththera.flows.language.messages import Message, Text
from maththera.flows.language.value_templates import FaultCollector
from maththera.flows.language.yaml_source import Source
from maththera.json_types import JsonObject

_MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "needs": ("depends_on",),
    "after": ("depends_on",),
    "upstream": ("depends_on",),
    "if": ("condition",),
    "when": ("condition",),
    "runif": ("condition",),
    "run": ("code",),
    "script": ("code",),
    "jscode": ("code",),
    "uses": ("action", "mcp_call"),
    "type": ("action",),
    "with": ("params",),
    "args": ("params",),
    "arguments": ("params",),
    "parameters": ("params",),
    "env": ("variables", "params"),
    "values": ("items",),
    "matrix": ("items",),
    "jobs": ("steps",),
    "nodes": ("steps",),
    "tasks": ("steps",),
    "steps": ("tasks",),
    "on": ("schedule",),
    "cron": ("schedule",),
    "triggers": ("schedule",),
    "retries": ("retry",),
    "retrypolicy": ("retry",),
    "maxattempt": ("attempts",),
    "maximumattempts": ("attempts",),
    "interval": ("backoff",),
    "initialinterval": ("backoff",),
    "maxinterval": ("max_delay",),
    "maximuminterval": ("max_delay",),
    "timeoutminutes": ("timeout",),
    "starttoclosetimeout": ("timeout",),
    "errors": ("on_error",),
    "catch": ("on_error",),
    "allowfailure": ("on_error", "on_item_error"),
    "continueonerror": ("on_error", "on_item_error"),
    "continueonfail": ("on_error", "on_item_error"),
    "maxparallel": ("max_concurrency",),
    "concurrencylimit": ("max_concurrency",),
    "title": ("name",),
    "label": ("name",),
    "namespace": ("name",),
    "flowid": ("graph",),
    "workflow": ("graph",),
    "subflow": ("graph",),
    "message": ("question",),
    "default": ("fallback_value",),
    "switch": ("route",),
    "cases": ("route",),
}
"""Folded keyword (lower-case letters only) → the fields that may be meant, the likeliest first."""


def nearest_field(name: str, known: Iterable[str]) -> str | None:
    """Like `nearest_name`, for the name of a field; a keyword of another language is answered with the name here."""
    fields = list(known)
    folded = "".join(letter for letter in name.lower() if letter.isalnum())
    return next((each for each in _MEANT.get(folded, ()) if each in fields), None) or nearest_name(name, fields)


def _unknown_field(name: str, known: Iterable[str]) -> Message:
    fields = list(known)
    meant = nearest_field(name, fields)
    near = suggestion(name, fields) if meant is None else messages.DID_YOU_MEAN(name=meant)
    return messages.UNKNOWN_FIELD(name=name, near=near)


_ROUNDS: Final = 6
_STEP_FIELDS: Final = frozenset(
    each.alias or name for model in STEP_MODELS.values() for name, each in model.model_fields.items()
)
_PARTS: Final[dict[str, type[BaseModel]]] = {
    "flow": FlowModel,
    "inputs": Input,
    "mcp_call": McpCall,
    "retry": Retry,
    "on_error": OnError,
    "route": Way,
    "variants": Variant,
}
_REMOVABLE: Final = ("inputs", "outputs", "variants", "examples", "schedule", "on_error", "retry", "route", "form")
_HOLDING: Final = ("params", "route")
"""Fields that hold others. When one is not a list or an object, nothing is reported as missing inside of it."""

_NEEDS: Final = {
    "string_type": messages.A_TEXT,
    "int_type": messages.WHOLE_NUMBER,
    "int_from_float": messages.WHOLE_NUMBER,
    "float_type": messages.A_NUMBER,
    "bool_type": messages.TRUE_OR_FALSE,
    "list_type": messages.A_LIST,
    "dict_type": messages.FIELDS,
    "model_type": messages.FIELDS,
    "model_attributes_type": messages.FIELDS,
}
_SHAPE: Final = frozenset(
    ("missing", "extra_forbidden", "list_type", "dict_type", "model_type", "model_attributes_type", "value_error")
)
"""Errors that say which fields belong where: not reported where rows are indented wrongly, which is reported."""

_NUMBERED: Final[Mapping[str, tuple[str, Text]]] = {
    "greater_than_equal": ("ge", messages.AT_LEAST),
    "greater_than": ("gt", messages.MORE_THAN),
    "less_than_equal": ("le", messages.AT_MOST),
    "too_short": ("min_length", messages.AT_LEAST_ELEMENTS),
    "string_too_short": ("min_length", messages.NOT_EMPTY),
    "string_too_long": ("max_length", messages.TOO_MANY_CHARACTERS),
}


@dataclass(slots=True)
class ParsedFlow:
    """A flow as far as it could be read. `broken`: ids of steps that could not be read; their results are unknown.
    `misspelt`: places where a misspelt field was removed, so that a missing field there may be that one."""

    flow: FlowModel | None
    broken: set[str] = field(default_factory=set)
    misspelt: set[Loc] = field(default_factory=set)


def parse_flow(document: Source, notes: FaultCollector) -> ParsedFlow:
    data = document.data
    if not isinstance(data, Mapping) or not isinstance(data.get("flow"), Mapping):
        if not document.moved:
            notes.fault(("flow",), messages.NEEDS_FLOW())
        return ParsedFlow(None)
    data = _numbers_as_written(document, copy.deepcopy(dict(data)))
    shaped = ParsedFlow(None)
    _unclear_kinds(data["flow"], ("flow",), notes, shaped, moved=document.moved)
    for _ in range(_ROUNDS):
        try:
            shaped.flow = FlowFile.model_validate(data).flow
        except ValidationError as error:
            errors = error.errors(include_url=False)
            unknown = [_loc(detail["loc"]) for detail in errors if detail["type"] == "extra_forbidden"]
            for detail in errors:
                if not is_reported_misspelling(detail, unknown) and not (document.moved and detail["type"] in _SHAPE):
                    _report(detail, data, notes)
            shaped.misspelt |= {loc[:-1] for loc in unknown}
            shaped.misspelt |= {loc[:-1] for loc in (_loc(detail["loc"]) for detail in errors) if loc[-1] in _HOLDING}
            for detail in errors:
                _remove_invalid(_loc(detail["loc"]), detail, data, shaped)
        else:
            break
    return shaped


def _numbers_as_written(document: Source, data: JsonObject) -> JsonObject:
    """Reads versions as the texts that the author wrote: 1.10 is not 1.1."""
    flow = data["flow"]
    if isinstance(flow.get("version"), int | float):
        flow["version"] = document.nodes.raw(("flow", "version"))
    for place, variant in enumerate(flow.get("variants") or []):
        if isinstance(variant, dict) and isinstance(variant.get("version"), int | float):
            variant["version"] = document.nodes.raw(("flow", "variants", place, "version"))
    return data


def _unclear_kinds(block: Any, loc: Loc, notes: FaultCollector, shaped: ParsedFlow, *, moved: bool) -> None:
    """Reports steps that are neither a call nor a known action, and their fields that no kind of step has; where rows
    were `moved`, only unknown actions."""
    for name in ("steps", "tasks"):
        steps = block.get(name)
        for place, step in enumerate(steps if isinstance(steps, list) else []):
            here = (*loc, name, place)
            if not isinstance(step, dict):
                continue
            if reason := _kind_mistake(step):
                where, message = reason
                if not moved or ("action" in step and "mcp_call" not in step):
                    notes.fault((*here, *where), message)
                for key in set() if moved else step.keys() - _STEP_FIELDS - {*where}:
                    notes.fault((*here, key), _unknown_field(str(key), _STEP_FIELDS), key=True)
                _replace_by_stub(block[name], place, shaped)
            else:
                _unclear_kinds(step, here, notes, shaped, moved=moved)


def _kind_mistake(step: Mapping[str, Any]) -> tuple[Loc, Message] | None:
    action = step.get("action")
    if "action" in step and "mcp_call" in step:
        return ("action",), messages.BOTH_CALLS()
    if "action" in step and action not in ACTIONS:
        return ("action",), messages.UNKNOWN_ACTION(name=action, near=suggestion(str(action), ACTIONS))
    if "action" not in step and "mcp_call" not in step:
        if step.get("route"):
            step["action"] = "route"  # type: ignore[index]  # a step that only chooses
            return None
        known = {"mcp_call", "action"}
        near = next((name for name in step if nearest_field(name, known) is not None), None)
        if near is not None:
            return (near,), _unknown_field(near, known)
        return (), messages.DOES_NOTHING()
    return None


def _replace_by_stub(steps: list[Any], place: int, shaped: ParsedFlow) -> None:
    """A stand-in for a step that cannot be read: it keeps the id, so that other steps can depend on it."""
    step = steps[place] if isinstance(steps[place], dict) else {}
    name = step.get("id")
    name = name if isinstance(name, str) and name.isidentifier() else f"unreadable_{place}_{len(shaped.broken)}"
    output = step.get("output")
    waits = step.get("depends_on")
    waits = [waits] if isinstance(waits, str) else waits
    shaped.broken.add(name)
    steps[place] = {
        "id": name,
        "action": "route",
        "output": output if isinstance(output, str) and output.isidentifier() else None,
        "depends_on": waits if isinstance(waits, list) and all(isinstance(each, str) for each in waits) else [],
    }


def _loc(loc: tuple[int | str, ...]) -> Loc:
    """The place of an error without the tags that pydantic adds after the place of a step."""
    kept: list[int | str] = []
    tagged = False
    for key in loc:
        if tagged:
            tagged = False
            continue
        kept.append(key)
        tagged = isinstance(key, int) and len(kept) > 1 and kept[-2] in ("steps", "tasks")
    return tuple(kept)


def is_reported_misspelling(detail: ErrorDetails, unknown: Sequence[Loc]) -> bool:
    """Whether a missing field is there under a similar name, which is reported already."""
    if detail["type"] != "missing":
        return False
    *around, name = _loc(detail["loc"])
    near = [str(loc[-1]) for loc in unknown if list(loc[:-1]) == around]
    return any(nearest_field(each, [str(name)]) is not None for each in near)


def _report(detail: ErrorDetails, data: Any, notes: FaultCollector) -> None:
    loc = _loc(detail["loc"])
    kind, name = detail["type"], str(loc[-1]) if loc else ""
    if kind == "missing":
        notes.fault(loc, messages.MISSING(name=name))
    elif kind == "extra_forbidden":
        notes.fault(loc, _unknown_field(name, _fields(loc[:-1], data)), key=True)
    else:
        notes.fault(_existing(loc, data), reason_of(detail, name))


def _existing(loc: Loc, data: Any) -> Loc:
    """The place without what pydantic adds for the alternatives of a union."""
    kept: list[int | str] = []
    for key in loc:
        if (isinstance(data, dict) and key in data) or (
            isinstance(data, list) and isinstance(key, int) and key < len(data)
        ):
            data = data[cast("Any", key)]
            kept.append(key)
        else:
            break
    return tuple(kept)


def reason_of(detail: ErrorDetails, name: str) -> Message:
    """The reason of a pydantic error in the words of the checker."""
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind in _NEEDS:
        return messages.NEEDS(wanted=_NEEDS[kind], given=_shown(value))
    if kind == "literal_error":
        allowed = [each.strip("'") for each in str(context.get("expected", "")).replace(" or ", ", ").split(", ")]
        return messages.NOT_ALLOWED(value=_shown(value), near=suggestion(str(value), allowed))
    if kind == "string_pattern_mismatch":
        if name == "version":
            return messages.NO_VERSION(value=_shown(value))
        return messages.NO_IDENTIFIER(value=_shown(value))
    if kind in _NUMBERED:
        field_name, text = _NUMBERED[kind]
        return text(bound=f"{context.get(field_name):g}")
    if isinstance(refused := context.get("error"), Refused):
        return refused.message
    return messages.DOES_NOT_FIT(reason=fault_reason(detail))


def _shown(value: Any) -> Message:
    if value is None:
        return messages.NOTHING
    if isinstance(value, dict | list):
        return messages.FIELDS if isinstance(value, dict) else messages.A_LIST
    return Message.same(str(value).lower() if isinstance(value, bool) else f"'{value}'"[:60])


def _fields(loc: Loc, data: Any) -> list[str]:
    """The names of the fields that are allowed at `loc`."""
    return list(_fields_of(_model_at(loc, data) or FlowFile))


def _fields_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {each.alias or name: each for name, each in model.model_fields.items()}


def _model_at(loc: Loc, data: Any) -> type[BaseModel] | None:
    """The model that reads what stands at `loc`; None where that may be anything."""
    names = [key for key in loc if isinstance(key, str)]
    if not names:
        return FlowFile
    if names[-1] in ("steps", "tasks") and isinstance(loc[-1], int):
        for key in loc:
            data = data[cast("Any", key)]
        return STEP_MODELS[kind_of_step(data)]
    return _PARTS.get(names[-1])


def _remove_invalid(loc: Loc, detail: ErrorDetails, data: Any, shaped: ParsedFlow) -> None:
    """Removes the data that does not fit; a step, input or way that is nothing without it is removed as a whole."""
    loc = loc if detail["type"] in ("missing", "extra_forbidden") else _existing(loc, data)
    if len(_existing(loc[:-1], data)) < len(loc) - 1:
        return  # removed already, with what it was in
    holder, found = data, data
    for depth, key in enumerate(loc):
        if not (isinstance(found, dict | list)) or (isinstance(found, dict) and key not in found):
            holder = found
            break
        holder, found = found, cast("Any", found)[key]
        if depth == len(loc) - 1 and detail["type"] != "missing" and isinstance(holder, dict) and _optional(loc, data):
            holder.pop(cast("str", key))
            return
    _replace(loc, data, shaped)


def _optional(loc: Loc, data: Any) -> bool:
    model = _model_at(loc[:-1], data)
    found = _fields_of(model).get(str(loc[-1])) if model is not None else None
    return found is None or not found.is_required()


def _replace(loc: Loc, data: Any, shaped: ParsedFlow) -> None:
    """The smallest thing around `loc` that can be replaced."""
    for end in range(len(loc), 0, -1):
        head, key = loc[: end - 1], loc[end - 1]
        holder = data
        for each in head:
            holder = holder[cast("Any", each)]
        if isinstance(key, int) and head and head[-1] in ("steps", "tasks"):
            _replace_by_stub(holder, key, shaped)
            return
        if isinstance(key, int) and head and head[-1] == "inputs":
            given = holder[key].get("name") if isinstance(holder[key], dict) else None
            name = given if isinstance(given, str) and given.isidentifier() else f"unreadable_{key}"
            holder[key] = {"name": name, "type": "object", "required": False}
            shaped.broken.add(f"inputs.{name}")
            return
        if key in _REMOVABLE and isinstance(holder, dict) and key in holder:
            holder.pop(key)
            return
    flow = data["flow"]
    flow["name"] = flow["name"] if isinstance(flow.get("name"), str) and flow["name"] else "unreadable"
    if not isinstance(flow.get("steps"), list) or not flow["steps"]:
        flow["steps"] = [{}]
        _replace_by_stub(flow["steps"], 0, shaped)
