"""Error texts in Korean for arguments that do not fit a tool: which one, and what it should be."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from maththera.config_files import fault_reason

_MOST: Final = 5
_MOST_BITS: Final = 63
_REASONS: Final[Mapping[str, str]] = {
    "missing": "꼭 필요합니다",
    "extra_forbidden": "이 도구에 없는 인수입니다",
    "string_type": "글이어야 합니다",
    "string_unicode": "글자로 읽을 수 없습니다",
    "string_too_short": "{min_length}자 이상이어야 합니다",
    "string_too_long": "{max_length}자 이하여야 합니다",
    "int_type": "정수여야 합니다",
    "int_parsing": "정수여야 합니다",
    "int_from_float": "정수여야 합니다",
    "float_type": "수여야 합니다",
    "float_parsing": "수여야 합니다",
    "finite_number": "유한한 수여야 합니다",
    "bool_type": "참 또는 거짓이어야 합니다",
    "bool_parsing": "참 또는 거짓이어야 합니다",
    "list_type": "목록이어야 합니다",
    "dict_type": "객체여야 합니다",
    "model_type": "객체여야 합니다",
    "model_attributes_type": "객체여야 합니다",
    "too_short": "{min_length}개 이상이어야 합니다",
    "too_long": "{max_length}개 이하여야 합니다",
    "greater_than": "{gt}보다 커야 합니다",
    "greater_than_equal": "{ge} 이상이어야 합니다",
    "less_than": "{lt}보다 작아야 합니다",
    "less_than_equal": "{le} 이하여야 합니다",
    "literal_error": "{expected} 가운데 하나여야 합니다",
    "enum": "{expected} 가운데 하나여야 합니다",
}
"""By pydantic's type of error; the holes are of its context."""


def argument_error_text(error: ValidationError) -> str:
    """One sentence for each argument, the first few."""
    faults = error.errors(include_url=False)
    lines = [f"{name_of(fault['loc'])}: {_reason(fault)}." for fault in faults[:_MOST]]
    if len(faults) > _MOST:
        lines.append(f"그 밖에 {len(faults) - _MOST}가지가 더 맞지 않습니다.")
    return "\n".join(lines)


def unsendable_arguments(arguments: Mapping[str, Any]) -> str | None:
    """The error text for arguments that JSON between programs, or a database, cannot carry; None without any."""
    unfit = [name for name, value in arguments.items() if _is_unsendable(value)]
    return f"{', '.join(unfit)}: 쓸 수 없는 글자(NUL)나 너무 긴 수가 들어 있습니다." if unfit else None


def _is_unsendable(value: Any) -> bool:
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


def name_of(path: Sequence[str | int]) -> str:
    """`target_dna.concepts[0]`."""
    name = ""
    for key in path:
        name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
    return name or "인수"


def _reason(fault: ErrorDetails) -> str:
    context = {
        name: f"{limit:g}" if isinstance(limit, float) else limit for name, limit in fault.get("ctx", {}).items()
    }
    if isinstance(expected := context.get("expected"), str):
        context["expected"] = expected.replace(" or ", ", ").replace("'", "")
    known = _REASONS.get(fault["type"])
    return known.format(**context) if known is not None else fault_reason(fault)
