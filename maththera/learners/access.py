"""Who may see or change what of a learner: the one place where an object is checked against its owner."""

from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["student", "guardian", "teacher", "author", "admin"]
Action = Literal["read", "write", "export", "consent", "review", "erase"]


@dataclass(frozen=True, slots=True)
class Principal:
    """The bearer of a token. `subject`: the student ids it stands for (one for a student, none for author, admin)."""

    token_id: str
    role: Role
    subject: frozenset[str] = frozenset()


_OWN: Final[dict[Role, frozenset[Action]]] = {
    "student": frozenset({"read", "write"}),
    "guardian": frozenset({"read", "export", "consent"}),
    "teacher": frozenset({"read", "write", "export", "consent", "review"}),
    "author": frozenset(),
    "admin": frozenset(),
}
"""What each role may do with the students of its subject."""


_WITH_FLOWS: Final[frozenset[Role]] = frozenset({"teacher", "author", "admin"})
_AUTHORS: Final[frozenset[Role]] = frozenset({"author", "admin"})
_REVIEWERS: Final[frozenset[Role]] = frozenset({"teacher", "admin"})
"""Safety alerts are in the queue as well. No guardian is among them: the danger may live at home, so whether and what a
guardian is told is the school's decision."""


def within_reach(principal: Principal) -> frozenset[str] | None:
    """The students this caller may know of; None for all of them."""
    return None if principal.role == "admin" else principal.subject


def reviews(principal: Principal) -> bool:
    """Whether the role has a review queue."""
    return principal.role in _REVIEWERS


def sees_danger(role: Role) -> bool:
    """Whether records show this role what a child told of danger, and what it was answered. A guardian is told by the
    school, or not; the child's own words stay the child's."""
    return role != "guardian"


def reads_rule_candidates(principal: Principal) -> bool:
    """Candidates name no child, so whoever teaches or writes flows may see what was found."""
    return principal.role in _WITH_FLOWS


def runs_flows(principal: Principal) -> bool:
    """Whether the role has to do with flows, their runs and their tools."""
    return principal.role in _WITH_FLOWS


def writes_flows(principal: Principal) -> bool:
    """Whether the role saves and tests flows."""
    return principal.role in _AUTHORS


def schedules_flows(principal: Principal) -> bool:
    """Whether the role saves what then runs by itself, with the rights of an admin."""
    return principal.role == "admin"


def owns(principal: Principal, token_id: str) -> bool:
    """Whether a run that was begun with this token is the caller's to see, answer and cancel."""
    return principal.role == "admin" or principal.token_id == token_id


def may(principal: Principal, action: Action, student_id: str | None) -> bool:
    """Whether this caller may do that with anything of this student's; None: of nobody known, which is the admin's."""
    if principal.role == "admin":
        return True
    return student_id in principal.subject and action in _OWN[principal.role]
