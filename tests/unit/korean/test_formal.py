"""Reported sentences, said formally."""

import pytest

from maththera.korean.formal import formal


@pytest.mark.parametrize(
    ("reported", "said"),
    [
        ("오늘 숙제를 못했다", "오늘 숙제를 못했습니다."),
        ("배가 아프다", "배가 아픕니다."),
        ("내일 늦는다", "내일 늦습니다."),
        ("병원에 간다", "병원에 갑니다."),
        ("뺄셈이 힘들다", "뺄셈이 힘듭니다."),
        ("열이 없다", "열이 없습니다."),
        ("감기라", "감기입니다."),
        ("체험학습이라", "체험학습입니다."),
        ("한 번 봐 달라", "한 번 봐 주시면 감사하겠습니다."),
    ],
)
def test_a_reported_sentence_is_said_formally(reported: str, said: str) -> None:
    assert formal(reported) == said


@pytest.mark.parametrize("reported", ["공부하라", "먹으라", "왜 그러냐", "", "다"])
def test_what_is_no_statement_is_left(reported: str) -> None:
    assert formal(reported) == ""
