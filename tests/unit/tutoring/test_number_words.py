import pytest

from maththera.tutoring.number_words import number_of


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("영", 0),
        ("공", 0),
        ("사", 4),
        ("열넷", 14),
        ("열네", 14),
        ("십사", 14),
        ("일십사", 14),
        ("스물", 20),
        ("스무", 20),
        ("아흔아홉", 99),
        ("백", 100),
        ("백팔십팔", 188),
        ("백스물셋", 123),
        ("천이백오", 1205),
    ],
)
def test_readings(words: str, number: int) -> None:
    assert number_of(words) == number


@pytest.mark.parametrize(
    "words", ["", "나무", "십나", "나십", "이삼", "하나둘", "두세", "십백", "열십", "이열", "넷십"]
)
def test_no_number(words: str) -> None:
    assert number_of(words) is None
