"""Checks of values against JSON Schema, with the place and the reason of each mistake in words for flow authors."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, cast

from jsonschema.exceptions import ValidationError

from maththera.flows.language import messages
from maththera.flows.language.faults import Loc, suggestion
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import SchemaType, kind_of, kind_text, type_text
from maththera.runtime.json_schema import matches, schema_errors, schema_validator

_DECISIVE: Final = ("type", "enum", "const")  # where one of these fails, it alone is reported for the place
_LONGEST: Final = 300  # characters of the library's own messages


def value_mistakes(value: Any, typed: SchemaType, *, extra_allowed: bool = False) -> list[tuple[Loc, Message]]:
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


def mistake_texts(value: Any, typed: SchemaType) -> list[Message]:
    """The mistakes in a value, each behind its place in it."""
    return [
        messages.ABOUT(what=".".join(map(str, path)), reason=reason) if path else reason
        for path, reason in value_mistakes(value, typed)
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


def _worded(error: ValidationError, typed: SchemaType) -> Iterator[tuple[Loc, Message]]:
    loc = tuple(error.absolute_path)
    wanted, value, schema = cast("Any", error.validator_value), cast("Any", error.instance), cast("Any", error.schema)
    match error.validator:
        case "required":
            for name in wanted:
                if error.message == f"{name!r} is a required property":
                    yield loc, messages.MISSING(name=name)
        case "additionalProperties" if not isinstance(wanted, dict):
            known, patterns = schema.get("properties", {}), schema.get("patternProperties", ())
            for name in value:
                if name not in known and not any(matches(pattern, name) for pattern in patterns):
                    yield (*loc, name), messages.UNKNOWN_FIELD(name=name, near=suggestion(name, known))
        case "type" | "anyOf" | "oneOf" if error.validator == "type" or error.context:
            needed = type_text(SchemaType(schema, typed.root))
            yield loc, messages.NEEDS(wanted=needed, given=kind_text(kind_of(value)))
        case keyword:
            own = messages.DOES_NOT_FIT(reason=error.message[:_LONGEST])
            yield loc, _reason(str(keyword), wanted, value) or own


def _reason(keyword: str, wanted: Any, value: Any) -> Message | None:
    match keyword:
        case "const":
            return messages.MUST_BE(value=repr(wanted))
        case "enum" if isinstance(value, str):
            return messages.NOT_AMONG(value=value, near=suggestion(value, map(str, wanted)))
        case "enum":
            return messages.ONE_OF(values=", ".join(map(repr, wanted)))
        case "pattern":
            return messages.NO_MATCH(value=value[:60], pattern=wanted)
    return _size_reason(keyword, wanted) if isinstance(value, str | list) else _range_reason(keyword, wanted, value)


def _size_reason(keyword: str, wanted: Any) -> Message | None:
    match keyword:
        case "minLength" if wanted > 1:
            return messages.AT_LEAST_CHARACTERS(bound=wanted)
        case "minLength":
            return messages.NOT_EMPTY()
        case "maxLength":
            return messages.TOO_MANY_CHARACTERS(bound=wanted)
        case "minItems":
            return messages.ENOUGH_ELEMENTS(bound=wanted)
        case "maxItems":
            return messages.TOO_MANY_ELEMENTS(bound=wanted)
    return None


def _range_reason(keyword: str, wanted: Any, value: Any) -> Message | None:
    match keyword:
        case "minimum":
            return messages.BELOW_LEAST(value=f"{value:g}", bound=f"{wanted:g}")
        case "exclusiveMinimum":
            return messages.ABOVE(bound=f"{wanted:g}")
        case "maximum":
            return messages.ABOVE_MOST(value=f"{value:g}", bound=f"{wanted:g}")
        case "exclusiveMaximum":
            return messages.BELOW(bound=f"{wanted:g}")
    return None
