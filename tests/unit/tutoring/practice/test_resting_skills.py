"""A skill that was missed in three sessions running rests a week."""

from typing import Any

from maththera.tutoring.practice.resting_skills import Struggles, resting, struggles_after


def tried(skill_id: str, *, right: bool, aided: bool = False) -> list[Any]:
    return [skill_id, right, 1, aided, False, 1.0, 0.0, True]


MISSED = [tried("C10.borrow", right=False), tried("C10.borrow", right=False)]


def test_three_sessions_without_a_right_first_try_bring_a_week_of_rest() -> None:
    struggles: Struggles = {}
    for day in (1, 2):
        struggles = struggles_after(struggles, MISSED, day)
        assert not resting(struggles, day)
    struggles = struggles_after(struggles, MISSED, 3)
    assert resting(struggles, 3) == resting(struggles, 9) == {"C10.borrow"}
    assert not resting(struggles, 10)


def test_one_right_first_try_or_a_session_without_it_changes_the_count_as_it_should() -> None:
    once = struggles_after({}, MISSED, 1)
    assert struggles_after(once, [*MISSED, tried("C10.borrow", right=True)], 2) == {}
    assert struggles_after(once, [], 2) == once
    assert struggles_after({}, [tried("C10.borrow", right=False, aided=True)], 1) == {}


def test_after_its_rest_a_skill_begins_anew() -> None:
    assert struggles_after({"C10.borrow": [0, 8]}, [], 5) == {"C10.borrow": [0, 8]}
    assert struggles_after({"C10.borrow": [0, 8]}, [], 8) == {}
    assert struggles_after({"C10.borrow": [0, 8]}, MISSED, 9) == {"C10.borrow": [1, 0]}
