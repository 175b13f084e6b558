"""Removes what children wrote about danger from what a guardian is shown.

A message about danger, its answer and every event of such a turn carry a mark: a member `safety` that is not null, or
the type `safety`. The words of an alert are stored in `review_queue`.
"""

from collections.abc import Mapping
from typing import Any, Final

from maththera.store.access.authorization import Role, may_see_danger

SAFETY_MARK: Final = "safety"


def has_safety_mark(record: Any) -> bool:
    """True if a record (plain JSON) carries the mark, itself or in one of its fields. Members of lists are records of
    their own."""
    if not isinstance(record, Mapping):
        return False
    own = record.get(SAFETY_MARK) is not None or record.get("type") == SAFETY_MARK
    return own or any(has_safety_mark(field) for field in record.values())


def redact_for_role(role: Role, value: Any) -> Any:
    """Plain JSON as this role may see it: without marked records unless the role may see danger."""
    return value if may_see_danger(role) else _without(value)


def _without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without(field) for name, field in value.items() if not has_safety_mark(field)}
    if isinstance(value, list):
        return [_without(item) for item in value if not has_safety_mark(item)]
    return value
