import pytest

from maththera.store.access.authorization import Action, Principal, Role, is_allowed


@pytest.mark.parametrize(
    ("role", "own", "others"),
    [
        ("student", {"read", "write"}, set()),
        ("guardian", {"read"}, set()),
        ("teacher", {"read", "write"}, set()),
        ("author", set(), set()),
        ("admin", {"read", "write"}, {"read", "write"}),
    ],
)
def test_each_role_reaches_its_own_students_only(role: Role, own: set[Action], others: set[Action]) -> None:
    principal = Principal("t", role, frozenset({"mine"}))
    actions: tuple[Action, ...] = ("read", "write")
    assert {action for action in actions if is_allowed(principal, action, "mine")} == own
    assert {action for action in actions if is_allowed(principal, action, "other")} == others
