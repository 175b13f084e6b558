"""A picture stands beside words of its own numbers."""

import pytest

from maththera.arithmetic.strategies import Picture
from maththera.lessons.courses.course import Check, Paragraph
from maththera.lessons.explanation_turns import turns_of

HOPS = Picture("number_line", "groups", (3, 5))


def told(again: str) -> Paragraph:
    check = Check(ask="2×4는 얼마야?", key=8)
    return Paragraph(id="hops", text="3씩 5번 뛰면 15야.", picture=HOPS, check=check, again=again)


def test_the_other_way_to_see_it_has_the_other_picture() -> None:
    (turn,) = turns_of(told("3을 5번 더해 봐."))
    assert turn.picture == HOPS
    assert turn.other is not None
    assert turn.other.mode != HOPS.mode
    assert turn.other.shown == HOPS.shown


@pytest.mark.parametrize("again", [False, True])
def test_words_about_the_check_have_no_picture_of_the_example(again: bool) -> None:
    (turn,) = turns_of(told("2개씩 4묶음을 그려 봐."), again=again)
    beside = {turn.text: turn.picture, turn.again: turn.other}
    assert beside == {"3씩 5번 뛰면 15야.": HOPS, "2개씩 4묶음을 그려 봐.": None}


def test_words_without_numbers_of_their_own_may_stand_beside_any() -> None:
    (turn,) = turns_of(told("10까지 한 칸씩 가 봐."))
    assert turn.other is not None
