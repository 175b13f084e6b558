import pytest

from maththera.flows.commands.speech_acts import speech_act

pytestmark = pytest.mark.slow  # the analyser takes seconds to load


@pytest.mark.parametrize(
    "sentence",
    [
        "s1 진단 리포트", "s1 진단 리포트 뽑기", "진단해봐", "진단 리포트 뽑아", "학습지 좀 주라", "만들어 주실래요?",
        "좀 만들어 줄 수 있을까요", "s1 진단 리포트 만들 수 있어?", "만들어 주셨으면 좋겠어요", "만들어 줬으면 해",
        "리포트가 필요해요", "부탁드려도 될까요?", "확인해 주시기 바랍니다", "편지를 써야지", "리포트 보고 싶어요",
        "곱셈을 못 해서 맞춤 문제 좀 내줘", "덧셈이 안 되는데 문제 만들어줘", "아직 배우지 않은 개념 알려줘",
        "설명 안 되는 오류들 검토하자", "배울 준비가 됐는지 점검", "어디가 약한지 알려줘", "이번 주에 풀 학습지", "",
    ],
)  # fmt: skip
def test_what_is_wanted_has_no_mood(sentence):
    assert speech_act(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("편지 쓰되 보내지는 마", "forbids"),
        ("리포트 만들지 말아줘", "forbids"),
        ("만들지 않아도 돼", "forbids"),
        ("안 만들어도 됩니다", "forbids"),
        ("만들지 않기", "forbids"),
        ("리포트 받았어요", "reports"),
        ("만들라고 했어", "reports"),
        ("만들까?", "wonders"),
        ("만들어도 괜찮아요?", "wonders"),
        ("너무 느려요", "states"),
        ("자꾸 틀려요", "states"),
        ("리포트 있어?", "states"),
        ("리포트 어디 있어?", "states"),
        ("만드는 중이야?", "states"),
        ("고마워", "states"),
        ("이해도 얼마야", "asks"),
        ("어디가 약해?", "asks"),
    ],
)
def test_moods(sentence, expected):
    assert speech_act(sentence) == expected
