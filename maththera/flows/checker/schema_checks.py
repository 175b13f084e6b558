"""The checks of JSON Schemas in a flow: the form of an approval, the answer of a model. JSON Schema ignores unknown
keywords, so with a misspelt one a run would accept any answer, or none."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from maththera.flows.language.faults import Loc, suggestion
from maththera.runtime.json_schema import is_pattern

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


def schema_mistakes(schema: Any) -> Iterator[tuple[Loc, str]]:
    """The mistakes in a schema: where, and why."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, Mapping):
        yield (), f"needs fields with a 'type', not '{schema}'"
        return
    for name in schema:
        if name not in _KEYWORDS:
            near = suggestion(name, _KEYWORDS)
            near = near if "did you mean" in near else "; fields stand under 'properties'"
            yield (name,), f"'{name}' is no keyword of JSON Schema{near}"
    if isinstance(schema.get("pattern"), str) and not is_pattern(schema["pattern"]):
        yield (
            ("pattern",),
            f"'{schema['pattern']}' is no pattern that can be used; look-around and back-references are not known here",
        )
    yield from _kind_mistakes(schema.get("type", []))
    yield from _required_mistakes(schema)
    for path, inner in _inner(schema):
        yield from (((*path, *rest), reason) for rest, reason in schema_mistakes(inner))


def _kind_mistakes(kinds: Any) -> Iterator[tuple[Loc, str]]:
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind not in KINDS:
            yield ("type",), f"'{kind}' is not one of the allowed values{suggestion(str(kind), KINDS)}"


def _required_mistakes(schema: Mapping[str, Any]) -> Iterator[tuple[Loc, str]]:
    required, properties = schema.get("required", []), schema.get("properties", {})
    if not isinstance(required, list):
        yield ("required",), f"needs a list of names, not '{required}'"
        return
    for place, name in enumerate(required):
        if isinstance(properties, Mapping) and name not in properties and "$ref" not in schema:
            near = suggestion(str(name), properties)
            yield ("required", place), f"'{name}' is required, but not among the properties{near}"


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
