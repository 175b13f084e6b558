"""What the checks of courses and drafts see in a text: equations and levels of speech."""

import pytest

from maththera.words.output_gate.false_statements import wrong_equations
from maththera.words.output_gate.speech_levels import Speech, wrong_level_sentences


@pytest.mark.parametrize(
    "text",
    ["8+5=8+2+3=13", "5 + 1 = 6이야.", "3+□=5", "98×□=980", "17÷5=3…2", "12-7=5, 5+7=12", "(8+2)+3=13",
     "0.5+0.5=1.0", "9−4=5."],
)  # fmt: skip
def test_right_equations_and_gaps_are_left_alone(text: str) -> None:
    assert list(wrong_equations(text)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("8+5=8+2+3=14", "8+5=8+2+3=14"),
        ("그래서 47+26=63이라고 하자.", "47+26=63"),
        ("7×8=54. 다음은", "7×8=54"),
        ("12 ÷ 5 = 2", "12 ÷ 5 = 2"),
        ("2+3=5이고 2+3=6이야", "2+3=6"),
    ],
)
def test_wrong_equations_are_found(text: str, wrong: str) -> None:
    assert list(wrong_equations(text)) == [wrong]


@pytest.mark.parametrize(
    ("text", "speech"),
    [
        ("이제 알겠지? 그러니까 6이야. 다 가지는 거니까.", "casual"),
        ("답은 6이 아니다.", "casual"),
        ("선생님이 “이해했습니까?” 하고 물었어.", "casual"),
        ("함께 보겠습니다. 어떠신가요? 그렇지요!", "polite"),
        ("“요약해 줘.”라고 적어 보세요.", "polite"),
        ("제목은 말투가 없다", "polite"),
    ],
)
def test_speech_in_its_own_level(text: str, speech: Speech) -> None:
    assert list(wrong_level_sentences(text, speech)) == []


@pytest.mark.parametrize(
    ("text", "speech", "strange"),
    [
        ("좋아. 이제 해 봅시다. 그렇습니다.", "casual", ["그렇습니다."]),
        ("할까요?", "casual", ["할까요?"]),
        ("왜 그렇게 합니까?", "casual", ["왜 그렇게 합니까?"]),
        ("보겠습니다. 이건 쉬워.", "polite", ["이건 쉬워."]),
    ],
)
def test_sentences_of_the_other_level_are_found(text: str, speech: Speech, strange: list[str]) -> None:
    assert list(wrong_level_sentences(text, speech)) == strange
