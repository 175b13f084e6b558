"""Removes from an answer what the caller's role may not see: from a child its diagnosis, from a guardian what the
child told of danger.

Tasks never hold the right answer. A training's steps do, because the front end plays them.
"""

from collections.abc import Mapping
from typing import Any, Final

from maththera.store.access.authorization import Role, redact_for_role

# Members that a child does not get.
_TURN_MEMBERS: Final = frozenset({"diagnosis", "adaptation", "response_pattern", "position"})
_SESSION_SUMMARY_MEMBERS: Final = frozenset({"causes", "placed", "number_sense", "position_before", "position_after"})
_PROBLEM_MEMBERS: Final = frozenset({"c_level", "w_total"})
_PROFILE_MEMBERS: Final = frozenset({"patterns", "causes"})

_CHILD_TEXTS: Final = frozenset({"child_name", "child_says"})
# The members of a skill that a child gets, beside the texts that are its own.
_SKILL_MEMBERS: Final = frozenset({"skill_id", "c_level", "strand", "needed", "word", "last_day", "passed", "due"})


def redact_summary(role: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A student's summary, or one of its sessions, as `role` may see it."""
    return {key: value for key, value in body.items() if role != "student" or key not in _PROFILE_MEMBERS}


def redact_knowledge(role: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A student's skills as `role` may see them: an adult with all numbers, a child with words made for it."""
    skills = [
        {key: value for key, value in one.items() if key not in _CHILD_TEXTS}
        if role != "student"
        else {
            **{key: value for key, value in one.items() if key in _SKILL_MEMBERS},
            "name": one["child_name"],
            "says": one["child_says"],
        }
        for one in body["skills"]
    ]
    return {**body, "skills": skills}


def redact_session(role: Role, body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A session view or a turn as `role` may see it."""
    if role != "student":
        seen: Mapping[str, Any] = redact_for_role(role, body)
        return seen
    seen = {key: value for key, value in body.items() if key not in _TURN_MEMBERS}
    if summary := seen.get("summary"):
        seen["summary"] = {key: value for key, value in summary.items() if key not in _SESSION_SUMMARY_MEMBERS}
    if "task" in seen:
        seen["task"] = redact_task(role, seen["task"])
    return seen


def redact_task(role: Role, task: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A task as `role` may see it: to a child nothing says how hard it is."""
    if role != "student" or task is None or task["problem"] is None:
        return task
    return {**task, "problem": {key: value for key, value in task["problem"].items() if key not in _PROBLEM_MEMBERS}}
