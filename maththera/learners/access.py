"""Who may see or change what of a learner: the one place where an object is checked against its owner."""

from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["student", "guardian", "teacher", "author", "admin"]
Action = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class Principal:
    """The bearer of a token. `subject`: the student ids it stands for (one for a student, none for author, admin)."""

    token_id: str
    role: Role
    subject: frozenset[str] = frozenset()


_OWN: Final[dict[Role, frozenset[Action]]] = {
    "student": frozenset({"read", "write"}),
    "guardian": frozenset({"read"}),
    "teacher": frozenset({"read", "write"}),
    "author": frozenset(),
    "admin": frozenset(),
}
"""What each role may do with the students of its subject."""


def may(principal: Principal, action: Action, student_id: str) -> bool:
    """Whether this caller may do that with anything of this student's."""
    if principal.role == "admin":
        return True
    return student_id in principal.subject and action in _OWN[principal.role]
