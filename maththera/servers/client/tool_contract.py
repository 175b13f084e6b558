"""A tool as its server describes it, ready to be called: its spec, and the checks of what goes in and comes out."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from jsonschema.exceptions import ValidationError, best_match
from jsonschema.exceptions import ValidationError as SchemaViolation
from jsonschema.protocols import Validator
from mcp_types import CallToolResult, TextContent, Tool

from maththera.json_types import JsonObject
from maththera.runtime.json_schema import schema_errors, schema_validator
from maththera.runtime.tool_interface import Code, ToolError, ToolSpec
from maththera.servers.config import ToolRules
from maththera.servers.toolkit.argument_errors import name_of, unsendable_arguments

_REFUSAL: Final = re.compile(
    r"^(Invalid |Input validation error|Error executing tool \S+: (Invalid |\d+ validation error))", re.M
)
"""How servers made with the usual libraries refuse arguments: the same call again is refused again."""
_MOST_FAULTS: Final = 5  # in one message
_MISSING: Final = re.compile(r"'(.+)' is a required property$")

TEXT_RESULT: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "content": {"type": "array", "items": {"type": "object"}}},
    "required": ["text"],
}
"""What comes from a tool that declares no output schema: its texts, joined, and what else it sent."""


@dataclass(frozen=True, slots=True)
class ToolContract:
    spec: ToolSpec
    rules: ToolRules
    arguments: Validator
    result: Validator

    @classmethod
    def from_listing(cls, server: str, tool: Tool, rules: ToolRules) -> "ToolContract":
        """`rules` win over the server's own hints. As MCP has it, a tool that says nothing writes, and not safely."""
        hints = tool.annotations
        writes = not (hints and hints.read_only_hint) if rules.writes is None else rules.writes
        safe = bool(hints and hints.idempotent_hint) if rules.idempotent is None else rules.idempotent
        spec = ToolSpec(
            server=server,
            name=tool.name,
            description=tool.description or "",
            input_schema=tool.input_schema,
            output_schema=tool.output_schema or TEXT_RESULT,
            writes=writes,
            idempotent=safe or not writes,
        )
        return cls(spec, rules, schema_validator(spec.input_schema), schema_validator(spec.output_schema))

    def check_arguments(self, arguments: Mapping[str, Any]) -> None:
        """ToolError `bad_arguments` that names each one that does not fit, in Korean, as people see it."""
        if unfit := unsendable_arguments(arguments):
            raise ToolError("bad_arguments", self.spec.server, self.spec.name, unfit)
        if faults := _faults(self.arguments, dict(arguments), schema_error_text, " "):
            raise ToolError("bad_arguments", self.spec.server, self.spec.name, faults)

    def read_result(self, result: CallToolResult) -> JsonObject:
        """The structured content, checked; ToolError `failed` with what the tool said, or `bad_output`."""
        texts = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        if result.is_error:
            code: Code = "bad_arguments" if _REFUSAL.search(texts) else "failed"
            raise ToolError(code, self.spec.server, self.spec.name, texts.strip() or "failed without a word")
        value = result.structured_content
        if value is None and self.spec.output_schema is TEXT_RESULT:
            value = {"text": texts}
            if others := [block for block in result.content if not isinstance(block, TextContent)]:
                value["content"] = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in others]
        return self.checked(value)

    def checked(self, value: object) -> JsonObject:
        """`value`, if it is what the output schema promises; ToolError `bad_output` otherwise."""
        if not isinstance(value, dict):
            raise ToolError("bad_output", self.spec.server, self.spec.name, "the result is no structured content")
        if faults := _faults(self.result, value, _fault_text, "; "):
            raise ToolError("bad_output", self.spec.server, self.spec.name, f"not what its schema promises: {faults}")
        return value


def _faults(validator: Validator, value: Any, told: Callable[[SchemaViolation], str], between: str) -> str:
    """The first few; what tells of several fields at once does so once."""
    try:
        faults = [*dict.fromkeys(map(told, schema_errors(validator, value)))]
    except Exception as error:  # whatever comes of applying a schema that is none
        return f"the tool's schema cannot be applied: {type(error).__name__}: {str(error)[:300]}"
    more = f" (+{len(faults) - _MOST_FAULTS})" if len(faults) > _MOST_FAULTS else ""
    return between.join(faults[:_MOST_FAULTS]) + more


def _fault_text(fault: SchemaViolation) -> str:
    """`field: reason`, also where it is the field that is missing."""
    path = [str(key) for key in fault.absolute_path]
    if missing := _MISSING.match(fault.message):
        return f"{'.'.join([*path, missing[1]])}: is missing"
    return f"{'.'.join(path) or 'all'}: {fault.message[:300]}"


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
