"""What each role sees of a session. Adults see everything; a child never sees what was thought about it, and never
the right answer of a task that is still open."""

from collections.abc import Mapping
from typing import Any, Final

# Of a turn and of a session view; a summary names causes too.
_FOR_ADULTS: Final = frozenset({"diagnosis", "adaptation", "causes", "cause_tag", "candidates"})
_ANSWERS: Final = frozenset({"answer", "correct_answer", "expected", "right_answer"})
_HIDDEN: Final = _FOR_ADULTS | _ANSWERS


def for_role(role: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    return _without(body) if role == "student" else body


def _without(body: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _inside(value) for key, value in body.items() if key not in _HIDDEN}


def _inside(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _without(value)
    if isinstance(value, list):
        return [_inside(item) for item in value]
    return value
