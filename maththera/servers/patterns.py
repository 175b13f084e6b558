"""Regular expressions in the schemas of strangers, by an engine whose time grows with the text only: for some of them
Python's own, which the library of schemas takes, would stop the whole process."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Final

from jsonschema.exceptions import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from pydantic_core import SchemaError, SchemaValidator, core_schema

Faults = Iterator[ValidationError]

_REMEMBERED: Final = 1_000


@cache
def with_safe_patterns(dialect: type[Validator]) -> type[Validator]:
    """A dialect of JSON Schema that never asks Python's engine. It passes over `unevaluatedProperties`, and over
    patterns that only Python's engine reads, such as those with look-around."""
    base = dialect.VALIDATORS.get("additionalProperties")

    def additional(validator: Validator, allowed: Any, instance: Any, schema: Mapping[str, Any]) -> Faults:
        patterns = schema.get("patternProperties", {})
        if patterns and isinstance(instance, dict):
            instance = {name: each for name, each in instance.items() if not any(_found(one, name) for one in patterns)}
            schema = {name: each for name, each in schema.items() if name != "patternProperties"}
        yield from (base(validator, allowed, instance, schema) if base else None) or ()

    own: dict[str, Any] = {"pattern": _pattern, "patternProperties": _properties, "additionalProperties": additional}
    own["unevaluatedProperties"] = lambda *_: None
    found: type[Validator] = extend(dialect, own)  # type: ignore[no-untyped-call]
    return found


def _pattern(validator: Validator, pattern: str, instance: Any, _: Mapping[str, Any]) -> Faults:
    if validator.is_type(instance, "string") and _found(pattern, instance) is False:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _properties(validator: Any, patterns: Mapping[str, Any], instance: Any, _: Mapping[str, Any]) -> Faults:
    if validator.is_type(instance, "object"):
        for pattern, schema in patterns.items():
            for name, each in instance.items():
                if _found(pattern, name):
                    yield from validator.descend(each, schema, path=name, schema_path=pattern)


def _found(pattern: str, text: str) -> bool | None:
    """Whether the text has it; None for a pattern that cannot be tried."""
    matcher = _matcher(pattern)
    return None if matcher is None else matcher.isinstance_python(text)


@lru_cache(maxsize=_REMEMBERED)
def _matcher(pattern: str) -> SchemaValidator | None:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        re.compile(pattern)  # which tells of what is no pattern at all
        return None
