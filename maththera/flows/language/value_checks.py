"""Checks of values against JSON Schema, with the place and the reason of each mistake in words for flow authors."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, cast

from jsonschema.exceptions import ValidationError

from maththera.flows.language.faults import Loc, suggestion
from maththera.flows.language.schema_types import SchemaType, kind_of, kind_text, type_text
from maththera.runtime.json_schema import matches, schema_errors, schema_validator

_DECISIVE: Final = ("type", "enum", "const")  # where one of these fails, it alone is reported for the place
_LONGEST: Final = 300  # characters of the library's own messages


def value_mistakes(value: Any, typed: SchemaType, *, extra_allowed: bool = False) -> list[tuple[Loc, str]]:
    """Everything in `value` that its schema forbids. A field that the schema does not list is a mistake, unless
    `extra_allowed` or the schema's own `additionalProperties` allows it. An invalid schema forbids nothing."""
    if not typed.schema:
        return []
    errors: list[ValidationError] = []
    with suppress(Exception):  # any error of applying an invalid schema
        for error in schema_errors(schema_validator(typed.schema, typed.root, closed=True), value):
            errors += _nearest(error)
    return [
        mistake
        for error in _decisive(errors)
        if not (extra_allowed and error.validator == "additionalProperties")
        for mistake in _worded(error, typed)
    ]


def _nearest(error: ValidationError) -> Iterable[ValidationError]:
    """The error; where several shapes are allowed, the errors of the shape that is nearest to the value."""
    shapes: defaultdict[Any, list[ValidationError]] = defaultdict(list)
    for each in error.context or ():
        shapes[each.relative_schema_path[0]].append(each)
    same_kind = [
        errors for errors in shapes.values() if not any(each.validator == "type" and not each.path for each in errors)
    ]
    if error.validator not in ("anyOf", "oneOf") or not same_kind:
        return [error]
    return [inner for each in min(same_kind, key=len) for inner in _nearest(each)]


def _decisive(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    """The errors without those that follow from a wrong type or value at the same place."""
    places: dict[Loc, list[ValidationError]] = {}
    for error in errors:
        places.setdefault(tuple(error.absolute_path), []).append(error)
    for found in places.values():
        first = min(found, key=_rank)
        yield from found if _rank(first) == len(_DECISIVE) else [first]


def _rank(error: ValidationError) -> int:
    keyword = str(error.validator)
    return _DECISIVE.index(keyword) if keyword in _DECISIVE else len(_DECISIVE)


def _worded(error: ValidationError, typed: SchemaType) -> Iterator[tuple[Loc, str]]:
    loc = tuple(error.absolute_path)
    wanted, value, schema = cast("Any", error.validator_value), cast("Any", error.instance), cast("Any", error.schema)
    match error.validator:
        case "required":
            for name in wanted:
                if error.message == f"{name!r} is a required property":
                    yield loc, f"'{name}' is missing"
        case "additionalProperties" if not isinstance(wanted, dict):
            known, patterns = schema.get("properties", {}), schema.get("patternProperties", ())
            for name in value:
                if name not in known and not any(matches(pattern, name) for pattern in patterns):
                    yield (*loc, name), f"unknown field '{name}'{suggestion(name, known)}"
        case "type" | "anyOf" | "oneOf" if error.validator == "type" or error.context:
            yield loc, f"needs {type_text(SchemaType(schema, typed.root))}, not {kind_text(kind_of(value))}"
        case keyword:
            yield loc, _reason(str(keyword), wanted, value) or error.message[:_LONGEST]


def _reason(keyword: str, wanted: Any, value: Any) -> str | None:
    match keyword:
        case "const":
            return f"must be {wanted!r}"
        case "enum" if isinstance(value, str):
            return f"'{value}' is not one of the allowed values{suggestion(value, map(str, wanted))}"
        case "enum":
            return f"must be one of {', '.join(map(repr, wanted))}"
        case "pattern":
            return f"'{value:.60}' does not match {wanted}"
    return _size_reason(keyword, wanted) if isinstance(value, str | list) else _range_reason(keyword, wanted, value)


def _size_reason(keyword: str, wanted: Any) -> str | None:
    match keyword:
        case "minLength" if wanted > 1:
            return f"needs at least {wanted} characters"
        case "minLength":
            return "must not be empty"
        case "maxLength":
            return f"has more than {wanted} characters"
        case "minItems":
            return f"needs at least {wanted} elements"
        case "maxItems":
            return f"has more than {wanted} elements"
    return None


def _range_reason(keyword: str, wanted: Any, value: Any) -> str | None:
    match keyword:
        case "minimum":
            return f"{value:g} is below the least allowed, {wanted:g}"
        case "exclusiveMinimum":
            return f"must be above {wanted:g}"
        case "maximum":
            return f"{value:g} is above the most allowed, {wanted:g}"
        case "exclusiveMaximum":
            return f"must be below {wanted:g}"
    return None
