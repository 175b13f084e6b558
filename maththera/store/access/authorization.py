"""Permissions: which role may do what with which student, and what a guardian is not shown.

No other module decides this."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

Role = Literal["student", "guardian", "teacher", "author", "admin"]
Action = Literal["read", "write", "export", "consent", "manage", "review", "erase"]


@dataclass(frozen=True, slots=True)
class Principal:
    """The bearer of a token. `subject`: the student ids it stands for (one for a student, none for author, admin)."""

    token_id: str
    role: Role
    subject: frozenset[str] = frozenset()


_OWN: Final[dict[Role, frozenset[Action]]] = {
    "student": frozenset({"read", "write"}),
    "guardian": frozenset({"read", "export", "consent"}),
    "teacher": frozenset({"read", "write", "export", "consent", "manage", "review"}),
    "author": frozenset(),
    "admin": frozenset(),
}
"""What each role may do with the students of its subject. `manage`: what a child is called, and how it signs in."""


_WITH_FLOWS: Final[frozenset[Role]] = frozenset({"teacher", "author", "admin"})
_AUTHORS: Final[frozenset[Role]] = frozenset({"author", "admin"})
_REVIEWERS: Final[frozenset[Role]] = frozenset({"teacher", "admin"})
"""Safety alerts are in the queue as well. Guardians are left out: the danger may be at home, so the school decides what
they are told."""


def visible_students(principal: Principal) -> frozenset[str] | None:
    """The students that the caller may know of; None for all."""
    return None if principal.role == "admin" else principal.subject


def may_have_classes(principal: Principal) -> bool:
    """True for roles that make and see classes."""
    return principal.role in _REVIEWERS


def may_see_class(principal: Principal, owner_token: str, members: Collection[str]) -> bool:
    """True if the caller may see and change this class: a teacher who made it, or who stands for all in it."""
    own = principal.token_id == owner_token or (bool(members) and principal.subject.issuperset(members))
    return principal.role == "admin" or (may_have_classes(principal) and own)


def may_review(principal: Principal) -> bool:
    """True for roles with a review queue."""
    return principal.role in _REVIEWERS


def may_see_danger(role: Role) -> bool:
    """True if records show this role a child's messages about danger and their answers. Guardians do not see them: the
    school decides what they are told."""
    return role != "guardian"


def may_read_rule_candidates(principal: Principal) -> bool:
    """True for teachers and authors as well: rule candidates name no child."""
    return principal.role in _WITH_FLOWS


def may_teach_procedures(principal: Principal) -> bool:
    """True for adults of the school, who propose, try, approve and switch off learned procedures."""
    return principal.role in _WITH_FLOWS


def may_run_flows(principal: Principal) -> bool:
    """True for roles that use flows, their runs and their tools."""
    return principal.role in _WITH_FLOWS


def may_write_flows(principal: Principal) -> bool:
    """True for roles that save and test flows."""
    return principal.role in _AUTHORS


def may_schedule_flows(principal: Principal) -> bool:
    """True for admins alone: a scheduled flow runs with an admin's rights."""
    return principal.role == "admin"


def owns_run(principal: Principal, token_id: str) -> bool:
    """True if the caller may see, answer and cancel a run that was begun with this token."""
    return principal.role == "admin" or principal.token_id == token_id


def is_allowed(principal: Principal, action: Action, student_id: str | None) -> bool:
    """True if the caller may do this with records of this student. Records without a student (None) are the admin's."""
    if principal.role == "admin":
        return True
    return student_id in principal.subject and action in _OWN[principal.role]


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
