"""Error texts in Korean for arguments that a tool's schema forbids, found before the tool is called."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from jsonschema.exceptions import ValidationError, best_match

from maththera.servers.toolkit.argument_errors import name_of

_LONGEST: Final = 300  # characters
_TYPES: Final[Mapping[str, str]] = {
    "string": "글이어야 합니다",
    "integer": "정수여야 합니다",
    "number": "수여야 합니다",
    "boolean": "참 또는 거짓이어야 합니다",
    "array": "목록이어야 합니다",
    "object": "객체여야 합니다",
    "null": "비워 두어야 합니다",
}
_REASONS: Final[Mapping[str, Callable[[Any], str]]] = {
    "type": lambda kinds: _typed([kinds] if isinstance(kinds, str) else kinds),
    "minLength": lambda least: f"{least}자 이상이어야 합니다",
    "maxLength": lambda most: f"{most}자 이하여야 합니다",
    "minimum": lambda least: f"{least} 이상이어야 합니다",
    "maximum": lambda most: f"{most} 이하여야 합니다",
    "exclusiveMinimum": lambda low: f"{low}보다 커야 합니다",
    "exclusiveMaximum": lambda high: f"{high}보다 작아야 합니다",
    "minItems": lambda least: f"{least}개 이상이어야 합니다",
    "maxItems": lambda most: f"{most}개 이하여야 합니다",
    "enum": lambda allowed: f"{', '.join(map(str, allowed))} 가운데 하나여야 합니다",
    "const": lambda allowed: f"{allowed}여야 합니다",
    "pattern": lambda pattern: f"{pattern} 꼴이어야 합니다",
}
"""By keyword of the schema; each is given the keyword's value."""


def schema_error_text(fault: ValidationError) -> str:
    """`field: reason.`, also where it is the field that is missing or unknown."""
    fault = _inner(fault)
    path, keyword, wanted = (*fault.absolute_path,), str(fault.validator), cast("Any", fault.validator_value)
    instance, schema = cast("Any", fault.instance), cast("Any", fault.schema)
    if keyword == "required":
        missing = [name for name in wanted if name not in instance]
        return " ".join(f"{name_of((*path, name))}: 꼭 필요합니다." for name in missing)
    if keyword == "additionalProperties" and wanted is False:
        unknown = [name for name in instance if name not in schema.get("properties", {})]
        return " ".join(f"{name_of((*path, name))}: 이 도구에 없는 인수입니다." for name in unknown)
    reason = _REASONS.get(keyword, lambda _: "")(wanted)
    return f"{name_of(path)}: {reason or fault.message}"[:_LONGEST].rstrip(".") + "."


def _typed(kinds: Iterable[str]) -> str:
    named = [_TYPES[kind] for kind in kinds if kind in _TYPES]
    return named[0] if named else ""


def _inner(fault: ValidationError) -> ValidationError:
    """The error of the nearest of several allowed shapes; null is never the nearest of a value."""
    while fault.context:
        meant = [each for each in fault.context if (each.validator, each.validator_value) != ("type", "null")]
        found = best_match(meant or fault.context)
        if found is None:
            break
        fault = found
    return fault
