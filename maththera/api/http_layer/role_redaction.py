"""Removes from an answer what the caller's role may not see: from a child its diagnosis, from a guardian what the
child told of danger.

Tasks pass unchanged: they never hold the right answer. A training's steps do, because the front end plays them.
"""

from collections.abc import Mapping
from typing import Any, Final

from maththera.store.access.authorization import Role
from maththera.store.access.danger_redaction import redact_for_role

# Members that a child does not get.
_TURN_MEMBERS: Final = frozenset({"diagnosis", "adaptation"})
_SESSION_SUMMARY_MEMBERS: Final = frozenset({"causes", "placed"})
_PROFILE_MEMBERS: Final = frozenset({"patterns", "causes"})


def redact_summary(role: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A student's summary, or one of its sessions, as `role` may see it."""
    return {key: value for key, value in body.items() if role != "student" or key not in _PROFILE_MEMBERS}


def redact_session(role: Role, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A session view or a turn as `role` may see it."""
    if role != "student":
        seen: Mapping[str, Any] = redact_for_role(role, body)
        return seen
    seen = {key: value for key, value in body.items() if key not in _TURN_MEMBERS}
    if summary := seen.get("summary"):
        seen["summary"] = {key: value for key, value in summary.items() if key not in _SESSION_SUMMARY_MEMBERS}
    return seen
