import pytest

from maththera.arithmetic.answers import parse_answer


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("188", 188),
        (" 14 ", 14),
        ("14요", 14),
        ("188 이요", 188),
        ("188이요", 188),
        ("１４", 14),
        ("1,200", 1200),
        ("014", 14),
        ("-3", -3),
        ("−3", -3),
        ("마이너스 3", -3),
        ("마이너스 삼", -3),
        ("답은 14", 14),
        ("답은십사", 14),
        ("정답은 188입니다!", 188),
        ("제 생각엔 14 같아요", 14),
        ("백팔십팔", 188),
        ("백 팔십팔이요", 188),
        ("천이백", 1200),
        ("만", 10_000),
        ("만 이천", 12_000),
        ("구만구천구백구십구", 99_999),
        ("사십이", 42),
        ("이요", 2),
        ("영", 0),
        ("공이요", 0),
        ("일흔둘", 72),
        ("열", 10),
        ("스물", 20),
        ("스무 개", 20),
        ("열네 개", 14),
        ("열 네 개요", 14),
        ("네 개", 4),
        ("백스물세 개", 123),
        ("네 14요", 14),
        ("하나요", 1),
        ("아흔아홉이에요", 99),
        ("일곱", 7),
    ],
)
def test_what_was_meant(text: str, number: int) -> None:
    assert parse_answer(text) == number


@pytest.mark.parametrize("number", [0, 188, -3])
def test_a_number_is_itself(number: int) -> None:
    assert parse_answer(number) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "몰라",
        "요",
        "네",
        "한",
        "개",
        "14 아니면 15",
        "14 15",
        "1 4",
        "둘 셋",
        "14 말고 십오",
        "3+5",
        "5-3",
        "- 3",
        "답 - 14",
        "14.5",
        "3²",
        "½",
        "사십이요",
        "이십이에요",
        "십십",
        "백스물백",
        "스물백",
        "삼십다섯열",
        "14만",
        "1234567890",
        "일억",
        "x" * 41,
    ],
)
def test_no_number_or_more_than_one(text: str) -> None:
    assert parse_answer(text) is None
