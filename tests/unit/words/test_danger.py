"""Danger is recognised by words and a model, in tiers."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.documents import ConfigError
from maththera.settings import home
from maththera.words.danger import CATEGORIES, Danger, DangerReader
from maththera.words.danger_model import VERSION, load_model, plain
from tests.support.danger_lines import lines

MESSAGES = st.text(st.characters(codec="utf-8"), max_size=200) | st.sampled_from(
    [line.text for line in lines("writer_*.tsv")]
)


@cache
def reader() -> DangerReader:
    return DangerReader.load(home())


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


def test_spaces_and_letters_of_other_widths_change_nothing() -> None:
    assert plain("죽고  싶어!!!! ㅠㅠㅠ １２３") == plain("죽고 싶어!! ㅠㅠ 7")


def test_a_long_message_is_read_to_its_end() -> None:
    found = find("오늘은 뺄셈을 했어. " * 200 + "그런데 나 죽고 싶어")
    assert found is not None


def _broken(tmp_path: Path, text: str) -> str:
    path = tmp_path / "danger_model.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_model(path)
    return str(caught.value).removeprefix(str(path))


HEAD = f"{VERSION}\nbias\t0\nshortest\t8\ncategories\ta,b\nkinds_bias\t0,0\nsha256\tx\n\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ":1: must begin"),
        (HEAD.replace("shortest\t8\n", "") + "가\t1\n", ":2: the numbers at the top: 'shortest'"),
        (HEAD + "가\t1\n나\tviele\n", ":9: a run and its whole numbers"),
        (HEAD + "가\t1\t2\n", ":8: 1 weights for 2 categories"),
        (HEAD + "가\t1\n", ":2: the weights below are not those"),
    ],
)
def test_a_broken_model_says_where(tmp_path: Path, text: str, told: str) -> None:
    assert _broken(tmp_path, text).startswith(told)


def test_a_missing_model_says_which_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nothing\.tsv"):
        load_model(tmp_path / "nothing.tsv")


def test_the_shipped_model_knows_the_categories() -> None:
    assert sorted(reader().model.categories) == sorted(CATEGORIES)
