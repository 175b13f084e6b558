"""Danger is recognised by words and a model, in tiers."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.settings import home
from maththera.words.danger.danger_detection import CATEGORIES, Danger, DangerDetector
from tests.support.danger_lines import lines

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
