"""The written entries on the basics, and adults' 해요체."""

import re

import pytest

from maththera.chat.coach.basics import Basics, aspect_of
from maththera.chat.coach.polite_lines import polite
from maththera.settings import home
from maththera.words.output_gate.speech_levels import wrong_level_sentences

BASICS = Basics.load(home())
ENTRIES = [
    (name, text)
    for name, one in BASICS.root.items()
    for text in (one.what, one.why, one.use, one.without, one.example)
    if text
]


@pytest.mark.parametrize(
    ("said", "names", "aspect"),
    [
        ("받아올림을 왜 해?", ["받아올림"], "why"),
        ("반올림이 뭐야", ["반올림"], "what"),
        ("빼기는 왜 배워요?", ["뺄셈"], "use"),
        ("구구단 안 외우면 어떻게 돼?", ["구구단"], "without"),
        ("5×0은 왜 0이야", ["0을 곱하기", "0"], "why"),
        ("10에서 3을 빼면?", [], "what"),
        ("200은 뭐야", [], "what"),
    ],
)
def test_what_a_message_names_and_asks(said: str, names: list[str], aspect: str) -> None:
    assert BASICS.named_in(said) == names
    assert aspect_of(said) == aspect


@pytest.mark.parametrize(("name", "text"), ENTRIES)
def test_an_entry_is_short_and_in_both_speech_levels(name: str, text: str) -> None:
    assert len(text) <= 90, name
    assert [*wrong_level_sentences(text, "casual")] == []
    assert [one for one in wrong_level_sentences(polite(text), "polite") if not re.search("처럼", one)] == []


@pytest.mark.parametrize(
    ("casual", "own"),
    [
        ("1. 10을 꺼내 풀어. 50−10=40", "1. 10을 꺼내 풀어요. 50−10=40"),
        ("응, 맞아! 13이야.", "네, 맞아요! 13이에요."),
        ("그다음 8을 빼면 돼: 22−8=14.", "그다음 8을 빼면 돼요: 22−8=14."),
        ("이미 해요체예요. 예: 52를 씀.", "이미 해요체예요. 예: 52를 씀."),
        ("‘같이 봐’라고 말해 줘.", "‘같이 봐’라고 말해 주세요."),
    ],
)
def test_the_same_sentence_for_an_adult(casual: str, own: str) -> None:
    assert polite(casual) == own
