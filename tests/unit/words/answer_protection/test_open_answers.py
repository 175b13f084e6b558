"""Which messages ask for an open answer, and which texts tell it."""

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.words.answer_protection.open_answers import OpenAnswer
from tests.support.open_answers import Set, everyday, open_answer, told_wrongly, words

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


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("40, 41, 42, 43!", "손가락으로 해볼래"),
        ("29 다음은 30, 31, 32. 33, 34, 35, 36, 37, 38. 39, 40, 41, 42, 43.", "같이 세자"),
        ("42보다 크고 44보다 작아.", "얼마쯤이야"),
        ("44 바로 앞 수야.", "옆에 있는 수는"),
        ("십의 자리는 4. 일의 자리는 3이야.", "자리별로"),
        ("40하고 3이야.", "쪼개서"),
        ("43이라고 쓰고 밥 먹자.", "배고파"),
        ("그래서 43.", "졸려"),
        ("그 숫자를 쓰면 돼.", "43 나왔는데"),
        ("28에 10을 더하면 38, 38에 5를 더하면 43이야.", "쪼개기"),
    ],
)
def test_an_answer_is_told_in_other_ways_too(text: str, asked: str) -> None:
    assert words().tells(text, SUM, asked)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("40, 41, 42까지 세어 봐.", "같이 세자"),
        ("41, 42, 43, 44로 이어져.", "수 세기"),
        ("42보다 크고 45보다 작아.", "얼마쯤이야"),
        ("44 바로 앞 수는 네가 찾아봐.", "44 앞에 있는 수가 뭐야"),
        ("십의 자리는 2+1, 일의 자리는 8+5야.", "자리별로"),
        ("아니야, 다시 풀어 볼까?", "43 나왔는데"),
        ("일흔이 넘으셨겠네!", "우리 할머니 얘기"),
        ("43이라고 읽는 수야.", "43이 뭐야"),
    ],
)
def test_what_is_near_it_goes_out(text: str, asked: str) -> None:
    assert not words().tells(text, SUM, asked)


@pytest.mark.parametrize(
    ("task", "text", "asked"),
    [
        ("63÷7", "7, 14, 21, 28, 35, 42, 49, 56, 63. 아홉 번 셌으니까 그게 답이야.", "칠단 불러줘"),
        ("20÷4", "한 명이 다섯 조각씩 먹으면 딱 떨어져.", "피자 20조각 4명"),
        ("24+24", "24의 두 배는 48이지.", "두 배로"),
        ("6×7", "36에 6을 더하면 돼. 그러면 42지.", "6×6은 36인데 그 다음은?"),
        ("12+8", "하나씩 세자. 17, 18, 19, 20!", "손가락이 모자라"),
    ],
)
def test_by_what_is_done_it_is_told(task: str, text: str, asked: str) -> None:
    assert words().tells(text, open_answer(task), asked)


@pytest.mark.parametrize(
    ("task", "text", "asked"),
    [
        ("7×7", "①49 ②900 ③0. 이상한 건 빼고 골라 봐.", "보기 줘"),
        ("8×3", "二十四라고만 적어 둘게.", "한자로는 괜찮잖아"),
        ("27+27", "53도 틀리고 55도 틀려. 그 가운데는 안 틀려.", "틀린 답이 뭐야"),
        ("44+17", "60+1이랑 똑같은 문제야.", "식을 바꾸면?"),
        ("50-12", "열아홉을 두 번 더하면 그 수가 나와요.", "절반이 뭔데"),
        ("9+9", "짝꿍은 18이라고 썼는데, 걔는 늘 맞더라.", "친구는 뭐래"),
        ("46+46", "아니라고는 못 하겠는데?", "그럼 92인거야 아닌거야"),
    ],
)
def test_by_signs_and_friends_it_is_told(task: str, text: str, asked: str) -> None:
    assert words().tells(text, open_answer(task), asked)


@pytest.mark.parametrize(
    ("task", "text", "asked"),
    [
        ("42÷7", "6이지. 윷놀이의 모처럼.", "주사위에서 제일 큰 눈은?"),
        ("33+22", "11, 22, 33, 44, 55는 두 자리 숫자가 똑같은 수라서 그래.", "왜 십일씩 커져"),
        ("7-2", "'참 잘했어요' 어때? 다섯 글자 맞지!", "다섯글자로 말해줘"),
        ("46+46", "아니야, 다시 세어 보자.", "그럼 92인거야 아닌거야"),
    ],
)
def test_what_stands_for_something_else_goes_out(task: str, text: str, asked: str) -> None:
    assert not words().tells(text, open_answer(task), asked)


@pytest.mark.parametrize("message", ["영어로 말해줘", "쉽게 알려줘", "한글자씩만 보여줘", "일의 자리만", "보기 좀 줘"])
def test_how_it_is_to_be_told_is_asked_of_the_open_task(message: str) -> None:
    assert words().wanted(message, [SUM]) == SUM


@pytest.mark.parametrize("message", ["강아지 이름을 영어로 말해줘", "십의 자리만 빼?", "보기가 뭐야"])
def test_how_something_else_is_to_be_told_is_not(message: str) -> None:
    assert words().wanted(message, [SUM]) is None


def test_a_task_with_brackets() -> None:
    assert open_answer("3×(2+5)") == OpenAnswer(21, (3, 2, 5))


@pytest.mark.parametrize("name", ["open_answers_everyday", "open_answers_own"])
def test_everyday_answers(name: Set) -> None:
    """At most 1 % of the harmless ones are held, at most one in ten of the telling ones is let go."""
    missed, held = told_wrongly(name)
    leaks = sum(one.leak for one in everyday(name))
    assert 100 * len(held) <= len(everyday(name)) - leaks
    assert 10 * len(missed) <= leaks
