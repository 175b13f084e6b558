"""Validators for JSON Schema that others wrote: the `jsonschema` library, with regular expressions in linear time.

A server or an author may write a pattern for which Python's own engine takes years. Patterns are therefore matched by
the Rust engine of pydantic-core, whose time grows only with the text. References to other addresses are not fetched.
"""

import re
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend, validator_for
from pydantic_core import SchemaError, SchemaValidator, core_schema
from referencing import Registry

from maththera.json_types import JsonObject

Faults = Iterator[ValidationError]

_REMEMBERED: Final = 1_000  # compiled patterns
_LEAST_WORK: Final = 10_000  # inner schemas applied to one value, however small it is
_WORK_PER_PART: Final = 100  # and so many more for each part of the value
_work_left: ContextVar[list[int] | None] = ContextVar("work left", default=None)
_COMBINED: Final = ("allOf", "if", "not", "dependentSchemas")  # here one part does not know all fields


def schema_validator(
    schema: Mapping[str, Any], root: Mapping[str, Any] | None = None, *, closed: bool = False
) -> Validator:
    """A validator for `schema`, whose references point into `root`, by default into itself. With `closed` an object
    that lists its fields has no others, also where `additionalProperties` is not given."""
    root = schema if root is None else root
    dialect = validator_for(root, default=Draft202012Validator)
    whole = (_closed(dialect) if closed else _linear(dialect))(root, registry=Registry())
    return whole if root is schema else whole.evolve(schema=schema)


class SchemaTooComplex(Exception):
    """The schema needs more work than its value can explain: alternatives of alternatives multiply."""


def schema_errors(validator: Validator, value: Any) -> list[ValidationError]:
    """The errors of a value. Raises SchemaTooComplex, and whatever an invalid schema leads to."""
    token = _work_left.set([_LEAST_WORK + _WORK_PER_PART * _parts(value)])
    try:
        return list(validator.iter_errors(value))
    finally:
        _work_left.reset(token)


def _parts(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_parts, inner))


def is_pattern(pattern: str) -> bool:
    """Whether the engine can use the pattern; look-around and back-references are unknown to it."""
    return _matcher(pattern) is not None


@cache
def _linear(dialect: type[Validator]) -> type[Validator]:
    """The dialect without Python's regular expressions. It skips `unevaluatedProperties`, and patterns that only
    Python's engine reads."""
    base = dialect.VALIDATORS.get("additionalProperties")

    def additional(validator: Validator, allowed: Any, instance: Any, schema: Mapping[str, Any]) -> Faults:
        patterns = schema.get("patternProperties", {})
        if patterns and isinstance(instance, dict):
            instance = {
                name: each for name, each in instance.items() if not any(matches(one, name) for one in patterns)
            }
            schema = {name: each for name, each in schema.items() if name != "patternProperties"}
        yield from (base(validator, allowed, instance, schema) if base else None) or ()

    own: JsonObject = {"pattern": _pattern, "patternProperties": _properties, "additionalProperties": additional}
    own |= {"uniqueItems": _unique, "unevaluatedProperties": lambda *_: None}
    return _extended(dialect, own)


@cache
def _closed(dialect: type[Validator]) -> type[Validator]:
    """The linear dialect in which listed fields are all fields."""
    linear = _linear(dialect)

    def properties(validator: Validator, fields: Any, instance: Any, schema: Mapping[str, Any]) -> Faults:
        yield from linear.VALIDATORS["properties"](validator, fields, instance, schema) or ()
        is_open = not fields or "additionalProperties" in schema or "patternProperties" in schema
        if isinstance(instance, dict) and not is_open and (unknown := instance.keys() - fields.keys()):
            message = f"unknown fields: {', '.join(sorted(unknown))}"
            yield ValidationError(message, validator="additionalProperties", validator_value=False)

    def combined(keyword: str) -> Any:
        return lambda validator, *rest: linear.VALIDATORS[keyword](_copy(validator, linear), *rest)

    own = {keyword: combined(keyword) for keyword in _COMBINED if keyword in linear.VALIDATORS}
    return _extended(linear, {**own, "properties": properties})


def _extended(dialect: type[Validator], own: Mapping[str, Any]) -> type[Validator]:
    """An extended dialect that keeps itself for inner schemas. The library's own `evolve` would switch to the dialect
    of an inner `$schema`, and so to Python's regular expressions."""
    found: Any = extend(dialect, own)  # type: ignore[no-untyped-call]
    found.evolve = lambda self, **changes: _copy(self, found, **changes)
    kept: type[Validator] = found
    return kept


def _copy(validator: Any, dialect: type[Validator], **changes: Any) -> Validator:
    """The validator of an inner schema, which costs one unit of work."""
    if (left := _work_left.get()) is not None:
        left[0] -= 1
        if left[0] < 0:
            raise SchemaTooComplex("the schema is too complex for this value")
    fields = {field.alias: getattr(validator, field.name) for field in validator.__attrs_attrs__ if field.init}
    return dialect(**{**fields, **changes})


def _pattern(validator: Validator, pattern: str, instance: Any, _: Mapping[str, Any]) -> Faults:
    if validator.is_type(instance, "string") and matches(pattern, instance) is False:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _properties(validator: Any, patterns: Mapping[str, Any], instance: Any, _: Mapping[str, Any]) -> Faults:
    if validator.is_type(instance, "object"):
        for pattern, schema in patterns.items():
            for name, each in instance.items():
                if matches(pattern, name):
                    yield from validator.descend(each, schema, path=name, schema_path=pattern)


def _unique(validator: Validator, wanted: bool, instance: Any, _: Mapping[str, Any]) -> Faults:
    """In linear time; the library compares each pair where elements have no order."""
    if wanted and validator.is_type(instance, "array") and len(set(map(_hashable, instance))) < len(instance):
        yield ValidationError("has elements that are equal")


def _hashable(value: Any) -> Any:
    """Equal for equal JSON: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, dict):
        return "object", frozenset((name, _hashable(each)) for name, each in value.items())
    if isinstance(value, list):
        return "array", *map(_hashable, value)
    return isinstance(value, bool), value


def matches(pattern: str, text: str) -> bool | None:
    """Whether the pattern matches somewhere in the text; None for a pattern that only Python's engine reads. Raises
    re.error for an invalid pattern."""
    matcher = _matcher(pattern)
    if matcher is None:
        re.compile(pattern)
        return None
    return matcher.isinstance_python(text)


@lru_cache(maxsize=_REMEMBERED)
def _matcher(pattern: str) -> SchemaValidator | None:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None
