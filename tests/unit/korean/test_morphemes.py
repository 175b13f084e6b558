from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from maththera.korean import morphemes as room
from maththera.korean.morphemes import morphemes


def test_stems_and_particles_come_apart() -> None:
    assert [(each.form, each.tag) for each in morphemes("약점을 보여줘")][:3] == [
        ("약점", "NNG"),
        ("을", "JKO"),
        ("보이", "VV"),
    ]


def test_terms_stay_whole() -> None:
    assert "받아올림" in [each.form for each in morphemes("받아올림이 뭐야?")]


def test_irregular_verbs_carry_no_mark() -> None:
    assert all("-" not in each.tag for each in morphemes("도와줘서 고마워"))


def test_places_count_characters() -> None:
    text = "열에서 셋을 빼"
    assert all(text[each.start : each.end] for each in morphemes(text))


def test_one_analyser_however_many_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Mock(side_effect=lambda **_: Mock(tokenize=Mock(return_value=[])))
    monkeypatch.setattr("kiwipiepy.Kiwi", made)
    room._loaded.cache_clear()
    morphemes.cache_clear()
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(morphemes, ["하나", "둘", "셋", "넷"]))
    finally:
        room._loaded.cache_clear()
        morphemes.cache_clear()
    made.assert_called_once()


def test_a_full_stop_is_no_part_of_a_number() -> None:
    assert [each.form for each in morphemes("답은 62.") if each.tag == "SN"] == ["62"]
    assert [each.form for each in morphemes("3.5배") if each.tag == "SN"] == ["3.5"]
