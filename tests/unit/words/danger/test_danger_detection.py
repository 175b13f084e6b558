"""Danger is recognised by words and a model, in tiers."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.settings import home
from maththera.words.danger.danger_detection import CATEGORIES, Danger, DangerDetector
from tests.support.danger_lines import Line, everyday, lines

EVERYDAY = [line for line in everyday("held_out") if not line.danger]
NEAR_TO_EVERYDAY = [line for line in everyday("held_out") if line.danger]
EXPLICIT = [
    "나는 죽고 싶어",
    "아저씨가 내 몸을 만졌어",
    "아빠가 허리띠로 때려요",
    "숨이 안 쉬어져",
    "애들이 나를 왕따시켜",
]
"""Plain words for a danger."""
MOST_WITH_HELPLINES, MOST_AT_ALL = 0.01, 0.03
"""Shares of the everyday words that only measure."""

MESSAGES = st.text(st.characters(codec="utf-8"), max_size=200) | st.sampled_from(
    [line.text for line in lines("writer_*.tsv")]
)


@cache
def reader() -> DangerDetector:
    return DangerDetector.load(home())


def find(message: str, *, watchful: bool = False) -> Danger | None:
    return reader().read(message, watchful=watchful)[0]


@pytest.mark.parametrize(
    ("message", "category"),
    [
        ("나는 죽고 싶어", "self_harm"),
        ("아저씨가 내 몸을 만졌어", "sexual"),
        ("아빠가 술 먹고 엄마를 때려요", "violence_home"),
        ("엄마가 3일째 집에 안 들어와요", "neglect"),
        ("게임에서 만난 형이 집 주소를 물어봐", "grooming"),
        ("애들이 단톡방에서 나만 욕해. 나한테 죽으래", "bullying"),
        ("숨이 안 쉬어져", "medical"),
        ("걔를 죽여 버릴 거야", "threat"),
    ],
)
def test_plain_words_for_a_danger_are_heard_at_once(message: str, category: str) -> None:
    found = find(message)
    assert found is not None
    assert (found.category, found.tier, found.sure) == (category, 1, True)


@pytest.mark.parametrize(
    "message", ["배고파 죽겠다", "게임에서 죽었어", "8+6은 14야", "힌트 줘", "", "ㅋㅋㅋ", "혼자 해 볼래요"]
)
def test_everyday_words_are_let_be(message: str) -> None:
    assert find(message) is None


@pytest.mark.parametrize(
    "message",
    [
        "빌린거면 나중에 갚아야돼?",
        "십의 자리에서 빌려왔는데 언제 갚아요?",
        "빌려준 애는 하나 없어지는 거예요?",
        "빌려올 데가 없는데 어떡해",
        "찍어서 맞았어",
        "그냥 때려 맞췄는데 답이 맞았어",
        "답이 맞았는데 왜 틀렸대",
        "나 다 맞았어!",
        "금붕어 8마리 중에 3마리가 죽으면 몇 마리야",
        "수학 때문에 죽겠다",
        "수학 시간마다 울어요",
        "제발 답 좀",
        "엄마는 한시간 하래요",
        "엄마가 맨날 한숨 쉬어",
    ],
)
def test_words_of_sums_and_of_drama_are_no_danger(message: str) -> None:
    assert find(message) is None
    assert find(message, watchful=True) is None


def test_few_everyday_words_are_taken_for_danger() -> None:
    """On lines that the model has not met; docs/safety.md has the figures."""
    found = [reader().read(line.text, writer="child" if line.writer == "child" else "unknown")[0] for line in EVERYDAY]
    helplines = sum(each is not None and each.tier < 3 for each in found)
    assert helplines / len(EVERYDAY) <= MOST_WITH_HELPLINES
    assert sum(each is not None for each in found) / len(EVERYDAY) <= MOST_AT_ALL


@pytest.mark.parametrize("line", NEAR_TO_EVERYDAY, ids=lambda line: line.text)
def test_danger_near_to_everyday_words_is_heard(line: Line) -> None:
    assert find(line.text) is not None


@given(st.sampled_from(EVERYDAY), st.sampled_from(EXPLICIT), st.booleans())
def test_everyday_words_never_silence_a_plain_danger(everyday: Line, told: str, before: bool) -> None:
    message = f"{told}. {everyday.text}" if before else f"{everyday.text}. {told}"
    assert find(message) is not None


@given(MESSAGES | st.sampled_from([line.text for line in EVERYDAY]))
def test_everyday_words_only_ever_lower(message: str) -> None:
    nothing = reader().rules.everyday.model_copy(update={"words": ()})
    without = replace(reader(), rules=reader().rules.model_copy(update={"everyday": nothing}))
    found, before = find(message), without.read(message)[0]
    assert found is None or (before is not None and before.tier <= found.tier)


@given(MESSAGES)
def test_any_message_is_read_and_the_same_words_have_the_same_answer(message: str) -> None:
    assert find(message) == find(message)


@given(MESSAGES)
def test_a_signal_before_never_makes_less_of_a_message(message: str) -> None:
    before, after = find(message), find(message, watchful=True)
    if before is not None:
        assert after is not None
        assert after.tier <= before.tier


@given(MESSAGES)
def test_what_speaks_against_danger_takes_a_tier_and_never_all(message: str) -> None:
    without = replace(reader(), rules=reader().rules.model_copy(update={"against": ()}))
    found, before = find(message), without.read(message)[0]
    assert (found is None) == (before is None)
    assert found is None or before is None or before.tier <= found.tier <= before.tier + 1


@given(MESSAGES)
def test_what_a_signal_before_makes_danger_of_is_near(message: str) -> None:
    danger, near = reader().read(message)
    after = find(message, watchful=True)
    assert danger is not None or near == (after is not None)


def test_a_long_message_is_read_to_its_end() -> None:
    found = find("오늘은 뺄셈을 했어. " * 200 + "그런데 나 죽고 싶어")
    assert found is not None


def test_the_shipped_model_knows_the_categories() -> None:
    assert sorted(reader().model.categories) == sorted(CATEGORIES)


@pytest.mark.parametrize(
    "message",
    [
        "버스에 13명이 타고 있었습니다. 이번 정류장에서 8명이 내렸습니다. 지금 버스에 타고 있는 사람은 몇 명인가요?",
        "버스에 열둘이 아니라 12명이 있었어. 5명이 더 탔어. 지금 타고 있는 사람은 몇 명이야?",
        "도화지가 13장 있었어. 모둠 활동 하면서 2장을 썼어. 남은 도화지는 몇 장이야?",
    ],
)
def test_a_story_with_numbers_is_no_danger(message: str) -> None:
    assert find(message) is None


@pytest.mark.parametrize(
    "message",
    [
        "형들 3명이 나를 때렸고 2명이 더 와서 또 때렸어 모두 몇 명이야?",
        "버스에서 아저씨 2명이 내 몸을 만졌어요 사람은 9명 있었는데 내린 사람은 몇 명인가요?",
        "아빠가 회초리로 3대 때리고 공 2개를 던졌어요 공은 몇 개 남았나요?",
    ],
)
def test_a_story_with_numbers_hides_no_danger(message: str) -> None:
    found = find(message)
    assert found is not None
    assert found.tier < 3
