import pytest

from maththera.chat.coach.message_entities import EntityReader
from tests.support.coach import knowledge

READER = EntityReader(knowledge())


@pytest.mark.parametrize(
    ("message", "units"),
    [
        ("C7 약점 알려줘", [7]),
        ("Cur-C12는 뭐야?", [12]),
        ("7단원 추천해줘", [7]),
        ("C16이랑 C0", []),
        ("받아올림 있는 덧셈 어떻게 공부해?", [7]),
        ("받아올림이 있는 두 자리 수의 덧셈", [8]),
        ("두 자리 덧셈이 어려워", [8]),
        ("덧셈이랑 뺄셈 중에 뭐부터 할까?", [8, 10]),
        ("세 자리 수의 덧셈이랑 구구단 중에", [11, 13]),
        ("구구단이 뭐야?", [13]),
        ("7단이 어려워", [13]),
        ("칠단 외우는 법", [13]),
        ("7단계까지 했어", []),
        ("두 자리 수의 덧셈이 뭐야?", [8]),
        ("자릿값이 뭐야?", [8]),
        ("몫이 뭐야", [14]),
        ("교환법칙이 뭐야", [13]),
        ("10의 짝꿍이 뭐야", [6]),
        ("0이 있는 받아내림", [12]),
        ("십몇에서 몇 빼기", [9]),
        ("나누어 곱하기", [15]),
        ("9까지의 수", [1]),
        ("수 세기가 뭐야", [1]),
        ("내 약점을 분석해줘", []),
        ("8+9가 어려워", []),
        ("올림픽 보고 싶다", []),
        ("하나만 풀래", []),
        ("안녕", []),
        ("", []),
    ],
)
def test_units_by_id_name_and_word(message: str, units: list[int]) -> None:
    assert READER.units(message) == [f"Cur-C{c}" for c in units]


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("8+6 풀어줘", [{"expression": "8+6"}]),
        ("8 더하기 6은 왜 14야", [{"expression": "8+6"}]),
        ("팔 더하기 육은?", [{"expression": "8+6"}]),
        ("여덟에 여섯을 더하면?", [{"expression": "8+6"}]),
        ("15에서 8을 빼면 뭐야", [{"expression": "15−8"}]),
        ("오십이 빼기 삼십팔", [{"expression": "52−38"}]),
        ("칠에 팔을 곱하면", [{"expression": "7×8"}]),
        ("56을 8로 나누면?", [{"expression": "56÷8"}]),
        ("17÷5는?", [{"expression": "17÷5"}]),
        ("7×8이랑 8×7", [{"expression": "7×8"}, {"expression": "8×7"}]),
        ("8+6, 그리고 8+6", [{"expression": "8+6"}]),
        ("세로셈으로 52-38", [{"problem_id": "X:52-38:v"}]),
        ("세로로 3-5", [{"expression": "3−5"}]),
        ("2026-03-02에 뭐 했지", []),
        ("1/2이 뭐야", []),
        ("3:30에 하자", []),
        ("2+3+4", [{"expression": "2+3+4"}]),
        ("(2+3)x4 풀어 줘", [{"expression": "(2+3)×4"}]),
        ("28에서 15를 빼고 3을 더하면?", [{"expression": "28−15+3"}]),
        ("사과 8개에서 5개 먹으면 몇 개 남아?", [{"expression": "8−5"}]),
        ("나는 9살이야", []),
        ("더하기가 뭐야", []),
    ],
)
def test_problems_in_signs_and_in_words(message: str, arguments: list[dict[str, str]]) -> None:
    assert [problem.arguments for problem in READER.problems(message)] == arguments


def test_ids_of_problems_are_no_expressions() -> None:
    message = "P-00847이랑 X:52-38:v 설명해줘"
    assert READER.problem_ids(message) == ["P-00847", "X:52-38:v"]
    assert READER.problems(message) == []
    assert READER.problem_ids("P-1, XP-00847") == []


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("8+6 내 답은 13", 13),
        ("팔 더하기 육은 십삼이야?", 13),
        ("52-38=26 이 왜 안 돼?", 26),
        ("98 + 90, 답이 178 나왔어", 178),
        ("일곱 곱하기 여덟은 오십사라고 썼어", 54),
        ("이십팔 더하기 십오는 십삼이라고 했는데", 13),
        ("8+6은 열셋 아니야?", 13),
        ("8+6은 왜 14야", 14),
        ("8+6 푸는 방법 3가지 알려줘", None),
        ("8+6 풀어줘", None),
        ("나는 9살이야", None),
    ],
)
def test_the_answer_that_was_given(message: str, answer: int | None) -> None:
    assert READER.answer(message) == answer


@pytest.mark.parametrize("message", ["ㅋ" * 4000, "8+" * 2000, "이십" * 2000, "팔 더하기 " * 600, "답은 " * 1300])
def test_long_nonsense_is_read_too(message: str) -> None:
    READER.units(message)
    READER.problems(message)
    READER.answer(message)
