"""What children told of danger, kept out of what a guardian is shown.

A message that tells of danger, its answer and every event of such a turn carry the mark: a member `safety` that is not
null, or the type `safety`. The words of an alert are elsewhere (`alerts`).
"""

from collections.abc import Mapping
from typing import Any, Final

from maththera.learners.access import Role, sees_danger

MARK: Final = "safety"


def tells_of_danger(record: Any) -> bool:
    """Whether a record, plain JSON, carries the mark itself or in one of its fields. What it lists are records of their
    own."""
    if not isinstance(record, Mapping):
        return False
    own = record.get(MARK) is not None or record.get("type") == MARK
    return own or any(tells_of_danger(field) for field in record.values())


def shown(role: Role, value: Any) -> Any:
    """Plain JSON as this role may see it: where it sees no danger, without every record that tells of it."""
    return value if sees_danger(role) else _without(value)


def _without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without(field) for name, field in value.items() if not tells_of_danger(field)}
    if isinstance(value, list):
        return [_without(item) for item in value if not tells_of_danger(item)]
    return value
