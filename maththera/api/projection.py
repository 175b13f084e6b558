"""What each role sees of a session. Adults see everything, but for guardians what was told of danger; a child does
not see what was thought about it.

Tasks need no projection: they never hold the right answer. A training's steps do, because the front end plays it.
"""

from collections.abc import Mapping
from typing import Any, Final

from maththera.learners.access import Role
from maththera.learners.guarded import shown

_OF_TURN: Final = frozenset({"diagnosis", "adaptation"})
_OF_SUMMARY: Final = frozenset({"causes"})


_OF_STUDENT: Final = frozenset({"patterns", "causes"})


def of_student(role: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A student's summary, or one of its sessions, as `role` may see it."""
    return {key: value for key, value in body.items() if role != "student" or key not in _OF_STUDENT}


def for_role(role: Role, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A session view or a turn as `role` may see it."""
    if role != "student":
        seen: Mapping[str, Any] = shown(role, body)
        return seen
    seen = {key: value for key, value in body.items() if key not in _OF_TURN}
    if summary := seen.get("summary"):
        seen["summary"] = {key: value for key, value in summary.items() if key not in _OF_SUMMARY}
    return seen
