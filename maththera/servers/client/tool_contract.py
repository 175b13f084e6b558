"""A tool as its server describes it, ready to be called: its spec, and the checks of what goes in and comes out."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jsonschema.exceptions import ValidationError as SchemaViolation
from jsonschema.protocols import Validator
from mcp_types import CallToolResult, TextContent, Tool

from maththera.json_types import JsonObject
from maththera.runtime.json_schema import schema_errors, schema_validator
from maththera.runtime.tool_interface import Code, ToolError, ToolSpec
from maththera.servers.client.schema_errors import schema_error_text
from maththera.servers.config import ToolRules

_MOST_BITS: Final = 63
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
        if unfit := [name for name, value in arguments.items() if _is_unsendable(value)]:
            reason = "쓸 수 없는 글자(NUL)나 너무 긴 수가 들어 있습니다."
            raise ToolError("bad_arguments", self.spec.server, self.spec.name, f"{', '.join(unfit)}: {reason}")
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


def _is_unsendable(value: Any) -> bool:
    """Whether JSON between programs, or a database, cannot carry it."""
    match value:
        case str():
            return "\0" in value
        case int():
            return value.bit_length() > _MOST_BITS
        case list():
            return any(map(_is_unsendable, value))
        case dict():
            return any(map(_is_unsendable, value)) or any(map(_is_unsendable, value.values()))
    return False


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
