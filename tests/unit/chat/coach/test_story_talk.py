"""Stories with numbers: what is worked out of them, what is left over, and how they go on."""

import pytest

from maththera.chat.coach.story_talk import StoryStep, story_goes_on, story_of


def told(*messages: str) -> StoryStep:
    """The step of the last message of a story."""
    step = story_of(messages[0])
    for message in messages[1:]:
        assert step is not None
        step = story_goes_on(message, step.story)
    assert step is not None
    return step


@pytest.mark.parametrize(
    ("messages", "expression", "value"),
    [
        (("딱지가 46장있는데 19장 더받으면 모두 몇장이야",), "46+19", 65),
        (("3000원있는데 800원짜리 빵 사면 얼마 남아",), "3000-800", 2200),
        (("딸기 15개를 5명이 먹으면 몇 개씩이야",), "15/5", 3),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?",), "17/4", 4),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?", "누나도 먹는대"), "17/5", 3),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?", "친구 2명이 더 왔어"), "17/6", 2),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?", "3명이면?"), "17/3", 5),
        (("공책이 8권씩 3묶음이면 몇 권이야", "2묶음 더 사면?"), "24+16", 40),
        (("공책이 8권씩 3묶음이면 몇 권이야", "2권 쓰면?"), "24-2", 22),
    ],
)
def test_a_story_comes_to_its_amount(messages: tuple[str, ...], expression: str, value: int) -> None:
    step = told(*messages)
    assert (step.expression, step.story["value"]) == (expression, value)


def test_what_is_left_of_a_sharing_can_be_asked_for() -> None:
    step = told("초콜릿 20개를 6명이 똑같이 나누면 몇 개씩?", "남는 건 몇 개야")
    assert step.asks_left
    assert step.story["left"] == 2


def test_all_of_a_story_that_changed_is_what_there_is_now() -> None:
    step = told("풍선 12개에서 5개 터지면", "이모가 6개 더 줬어", "모두 몇 개야")
    assert step.asks_now
    assert step.story["value"] == 13


def test_two_amounts_that_were_compared_are_put_together() -> None:
    step = told("풍선 12개에서 5개 터지면 몇 개야", "형은 나보다 3개 더 많아", "모두 몇 개야")
    assert step.story["value"] == 17
