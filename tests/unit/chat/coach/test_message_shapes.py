"""Who is named in a message of a child, and what its numbers come to."""

import pytest

from maththera.chat.coach.message_shapes import comes_to, counted_others, named_people

OWN = ("민수", "민수이")


@pytest.mark.parametrize("message", ["하늘이 오늘 했어?", "서연이 어제 풀었어", "근데 하늘이 이번 주에 했대?"])
def test_whether_somebody_else_worked_is_asked_of_somebody_else(message: str) -> None:
    assert counted_others(message, OWN)


@pytest.mark.parametrize("message", ["나 오늘 했어?", "수학이 오늘 했던 거야?", "오늘 했어", "숙제 오늘 했어"])
def test_ones_own_days_are_ones_own(message: str) -> None:
    assert counted_others(message, OWN) == named_people(message, OWN) == ()


def test_a_name_before_a_day_is_a_name() -> None:
    assert named_people("준호 오늘 했어?", OWN) == ("준호",)
    assert named_people("민수 오늘 했어?", OWN) == ()


@pytest.mark.parametrize(
    ("message", "value"),
    [("40이랑 8 해서 48", 48), ("48", None), ("40이랑 8 해서 47", None), ("40+8=48", None), ("48 다음은 49", None)],
)
def test_parts_that_come_to_what_was_explained(message: str, value: int | None) -> None:
    assert comes_to(message, "12×4") == value
