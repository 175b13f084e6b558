"""What is spelt alike by ear has one key, and other words have others."""

import pytest

from maththera.korean.pronunciation import sounds


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("조아", "좋아"), ("낯개", "낱개"), ("자근", "작은"), ("머그면", "먹으면"), ("가타", "같아"), ("업따", "없다"),
     ("대고", "되고"), ("새기", "세기"), ("삼배고시보", "삼백오십오"), ("달라지지아나", "달라지지 않아")],
)  # fmt: skip
def test_words_that_sound_alike_have_one_key(typed: str, meant: str) -> None:
    assert sounds(typed).key == sounds(meant).key


@pytest.mark.parametrize(("one", "other"), [("작은", "적은"), ("큰", "작은"), ("7부터", "1부터"), ("4+7", "47")])
def test_other_words_have_other_keys(one: str, other: str) -> None:
    assert sounds(one).key != sounds(other).key


def test_each_sound_knows_its_character() -> None:
    heard = sounds("둘 다")
    assert [*zip(heard.key, heard.at, strict=True)] == [("ㄷ", 0), ("ㅜ", 0), ("ㄹ", 0), ("ㄷ", 2), ("ㅏ", 2)]
    assert heard.starts == (0, 3)
