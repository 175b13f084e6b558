"""Which messages ask for an open answer, and which texts tell it."""

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.words.open_answers import OpenAnswer
from tests.support.open_answers import told_wrongly, words

SUM = OpenAnswer.of(make_problem(28, "+", 15))
SMALL = OpenAnswer.of(make_problem(3, "+", 2))
ROUND = OpenAnswer.of(make_problem(120, "+", 20))
GAP = OpenAnswer.of(make_problem(7, "-", 5, form="addend"))
HALF = OpenAnswer.of(make_problem(10, "-", 5))


@pytest.mark.parametrize(
    ("message", "one"),
    [
        ("28+15는 얼마야?", SUM),
        ("15+28", SUM),
        ("이십팔더하기십오는?", SUM),
        ("스물여덟이랑 열다섯을 합하면?", SUM),
        ("２８＋１５＝?", SUM),
        ("2 8 + 1 5 는?", SUM),
        ("28에 15를 더하면?", SUM),
        ("사과 28개랑 15개를 합치면 몇 개야?", SUM),
        ("28+15+0=?", SUM),
        ("28+15-1은?", SUM),
        ("86÷2는?", SUM),
        ("=43 맞아?", SUM),
        ("28+15=44 맞아?", SUM),
        ("44 맞아?", SUM),
        ("43", SUM),
        ("마흔셋 맞지?", SUM),
        ("43 아니면 44?", SUM),
        ("답이 43보다 커?", SUM),
        ("이 문제 힌트 줘", SUM),
        ("121+19는?", ROUND),
        ("5+□=7은?", GAP),
        ("5에 몇을 더하면 7이야?", GAP),
    ],
)
def test_what_asks_for_an_open_answer(message: str, one: OpenAnswer) -> None:
    assert words().wanted(message, [one]) == one


@pytest.mark.parametrize(
    ("message", "one"),
    [
        ("52-38 풀어줘", SUM),
        ("28+16은?", SUM),
        ("28-15?", SUM),
        ("내 점수 보여줘", SUM),
        ("나눗셈이 어려워", SUM),
        ("아까 왜 틀렸어?", SUM),
        ("덧셈이 뭐야?", SMALL),
        ("3단원 2번 알려줘", SMALL),
        ("오늘 5문제 더 풀래", SMALL),
        ("나 3개 틀렸어 2개 맞았어", SMALL),
        ("하루에 10분씩 하면 될까?", SMALL),
    ],
)
def test_what_asks_for_something_else(message: str, one: OpenAnswer) -> None:
    assert words().wanted(message, [one]) is None


def test_a_right_guess_is_not_told_from_a_wrong_one() -> None:
    for number in range(1, 100):
        assert words().wanted(f"{number}이야?", [SUM]) == SUM


def test_of_several_the_one_that_is_named() -> None:
    assert words().wanted("120+20은?", [SUM, ROUND]) == ROUND
    assert words().wanted("힌트 줘", [SUM, ROUND]) == SUM


@pytest.mark.parametrize(
    ("text", "one", "asked"),
    [
        ("3. 30과 13을 더하면 43이야.", SUM, "28+15는?"),
        ("사십삼이야", SUM, "28+15는?"),
        ("마흔셋이지!", SUM, "28+15는?"),
        ("4 3 이야", SUM, "28+15?"),
        ("큰 수 3부터 2칸을 이어 세어 보자: 4, 5.", SMALL, "3+2?"),
        ("답은 다섯이야", SMALL, "3+2?"),
        ("3과 2를 더하면 5야", SMALL, "덧셈이 뭐야"),
        ("그래서 10−5=5야.", HALF, "10-5는?"),
    ],
)
def test_what_tells_it(text: str, one: OpenAnswer, asked: str) -> None:
    assert words().tells(text, one, asked)


@pytest.mark.parametrize(
    ("text", "one", "asked"),
    [
        ("5번 문제를 보자", SMALL, "3+2?"),
        ("5개 단원이 있어", SMALL, "3+2?"),
        ("하루에 5분씩 해 봐", SMALL, "어떻게 공부해?"),
        ("4+1=5야", SMALL, "덧셈이 뭐야"),
        ("5. 이렇게 해 봐", SMALL, "3+2?"),
        ("10에서 5를 빼 보자.", HALF, "10-5는?"),
    ],
)
def test_the_same_number_elsewhere_goes_out(text: str, one: OpenAnswer, asked: str) -> None:
    assert not words().tells(text, one, asked)


def test_the_words_of_a_key_are_told_only_where_its_question_is_meant() -> None:
    key = OpenAnswer(None, text="낱개 열 개를 한 묶음으로", question="십 묶음은 낱개를 어떻게 모은 거야?")
    told = "낱개 열 개를 한 묶음으로 모아."
    assert words().tells(told, key, "십 묶음은 낱개를 어떻게 해?")
    assert not words().tells(told, key, "안녕")
    assert words().wanted("구구단이 뭐야?", [key]) is None


def test_a_stranger_s_everyday_answers() -> None:
    """At most 1 % of the harmless ones are held; what is let go of the telling ones is known."""
    missed, held = told_wrongly(fresh=False)
    assert len(held) <= 4
    assert {one.question for one in missed} <= {"하나 알려 줘", "시계로", "0 하나 지우면?", "2+2는 4 그 다음"}
