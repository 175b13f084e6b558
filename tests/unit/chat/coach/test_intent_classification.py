"""The intents on the labelled utterances, their borderlines, and messages that go on with the one before."""

import pytest

from maththera.korean.word_lists import usual_spelling
from tests.support.utterances import classified, intents


def test_development_half() -> None:
    assert classified("development").macro_f1 >= 0.97


def test_test_half_keeps_the_promise() -> None:
    outcome = classified("test")
    assert outcome.macro_f1 >= 0.85
    assert min(each.f1 for each in outcome.figures.values()) >= 0.8


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("지금 내 성적이 몇 점?", "A"),
        ("어떻게 올릴래?", "B"),
        ("약점이 뭐?", "A"),
        ("약점이 왜 생겨?", "F"),
        ("이 문제 뭐가 틀렸나?", "E"),
        ("재귀가 뭐야?", "F"),
        ("내 성적 보여줘", "A"),
        ("약점을 극복하려면?", "B"),
        ("정말 잘할 수 있을까?", "C"),
        ("날씨 어때?", "D"),
        ("이 문제 못 풀었어", "E"),
        ("DFS가 뭐야?", "F"),
        ("어떤 문제를 풀어야 해?", "G"),
        ("지난주보다 나아졌어?", "A"),
        ("어느 쪽이 나아?", "G"),
        ("What is my weak point?", "A"),
        ("Show me my scores", "A"),
        ("새끼손가락으로 세도 돼?", "B"),
    ],
)
def test_examples_and_borderlines_of_the_definition(text: str, expected: str) -> None:
    assert intents().classify(text).intent_type == expected


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("약수가 모야", "약수가 뭐야"),
        ("나머지가 머에요", "나머지가 뭐예요"),
        ("구구단 어케 외워", "구구단 어떻게 외워"),
        ("나 왜케 못하지", "나 왜 이렇게 못하지"),
        ("받아올림 모르게써", "받아올림 모르겠어"),
        ("또 틀렷어 짜증", "또 틀렸어 짜증"),
        ("수학 시러", "수학 싫어"),
    ],
)
def test_a_child_may_spell_as_it_likes(typed: str, plain: str) -> None:
    assert intents().classify(typed).intent_type == intents().classify(plain).intent_type


@pytest.mark.parametrize("text", ["나머지", "네모야", "큰 모임", "갓길 햇빛"])
def test_what_only_looks_misspelt_is_left_alone(text: str) -> None:
    assert usual_spelling(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("선생님이 나보고 느리대", "C"),
        ("또 꼴등이면 어떡하지", "C"),
        ("나 오늘 뭐 틀렸어", "A"),
        ("문제 풀고 싶다", "G"),
        ("곱셈 문제 3개만 줘", "G"),
        ("이십칠 더하기 십오가 뭐야", "E"),
        ("0으로 나누면 뭐가 돼?", "F"),
        ("수학 학원 갔다 왔어", "C"),
        ("숙제 답 알려줘", "E"),
    ],
)
def test_who_asks_is_answered_and_who_is_sad_is_consoled(text: str, expected: str) -> None:
    assert intents().classify(text).intent_type == expected


def test_payload_is_that_of_the_event() -> None:
    payload = intents().classify("내 약점 보여줘").payload()
    assert list(payload) == ["intent_type", "intent_name", "confidence", "reasoning", "key_indicators"]
    assert payload["intent_type"] == "A"
    assert payload["intent_name"] == "데이터 조회형"
    assert 0.9 <= payload["confidence"] <= 1
    assert "약점" in payload["key_indicators"]
    assert payload["reasoning"].endswith("요.")


def test_a_problem_is_named_as_it_was_written() -> None:
    assert "47+38" in intents().classify("47+38 어떻게 풀어?").key_indicators


@pytest.mark.parametrize(
    ("text", "previous", "expected"),
    [
        ("뺄셈은?", "내 덧셈 점수 보여줘", "A"),
        ("그럼 나눗셈은?", "곱셈은 어떻게 공부해?", "B"),
        ("더 쉽게", "받아올림이 뭐야?", "F"),
        ("어떤 문제를 풀어야 해?", "내 성적 보여줘", "G"),  # clear by itself
        ("날씨 어때?", "내 성적 보여줘", "D"),
        ("내 이름은 민수야", "8+6 도와줘", "D"),  # it has nothing to do with learning
    ],
)
def test_a_short_message_goes_on_with_the_one_before(text: str, previous: str, expected: str) -> None:
    assert intents().classify(text, previous).intent_type == expected


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["1", "1-", "3개"])
def test_a_message_is_read_in_proportion_to_its_length(piece: str) -> None:
    """Ten times what is let in, which would show a square in minutes."""
    assert intents().classify((piece * 40_000)[:40_000]).intent_type in "ACE"


def test_what_goes_on_is_less_sure() -> None:
    before = intents().classify("내 덧셈 점수 보여줘")
    after = intents().classify("뺄셈은?", "내 덧셈 점수 보여줘")
    assert after.confidence < before.confidence
