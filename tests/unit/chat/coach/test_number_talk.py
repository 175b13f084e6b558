"""Talk of numbers: what is heard as such, what is not, and that no answer of an open task is told."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.drafts import Board, ReplyTexts
from maththera.chat.coach.number_talk import number_word
from maththera.chat.coach.text_templates import fill_template
from maththera.settings import home

TEXTS = ReplyTexts.load(home())
SHARE, PRODUCT = make_problem(45, "/", 9), make_problem(24, "x", 6)


def told(message: str, opened: Problem | None = None, board: Board | None = None) -> str | None:
    word = number_word(message, board or {}, [opened] if opened else [])
    return None if word is None else fill_template(TEXTS.says[word.key].child[0], **word.slots)


@pytest.mark.parametrize(
    ("message", "expression", "has"),
    [
        ("나머지가 6이 될 수도 있어? 5로 나눌 때", None, "가장 커도 4"),
        ("나머지가 3이 나올 수 있어?", "17÷5", "0부터 4까지"),
        ("96 반이 48", None, "48+48=96"),
        ("96의 반은 46", None, "46+46=92"),
        ("1000을 풀면 100이 몇 개야?", None, "100이 10개"),
        ("10000은 100이 몇 개예요", None, "100이 100개"),
        ("십이 5개면 50?", None, "맞아"),
        ("100이 7개면 70이야?", None, "700이야"),
        ("홀수 세 개 더하면?", None, "홀수야"),
        ("짝수 네 개 더하면?", None, "짝수야"),
        ("올림을 두 번 하는 거야?", "156+78", "2번 있어"),
        ("올림을 두 번 하는 거야?", "47+28", "1번이야"),
        ("왜 안 빌려?", "45-12", "5"),
        ("52는 뭐부터 써?", None, "5를 왼쪽에"),
        ("7에서 2를 주면 7은 뭐가 돼", None, "5가 남아"),
        ("10묶음은?", "64×3", "64×10=640"),
        ("10봉지는?", "3×8", "3×10=30"),
        ("육칠사십이 육팔사십팔 그다음은?", None, "48에 6을"),
        ("48인데 84라고 썼어 왜 이러지", None, "십이 4개, 낱개가 8개"),
        ("64에서 하나 빼는 거 맞지", "29+34", "29 대신 30"),
        ("64에 하나 더하면 돼?", "29+34", "빼 줘야"),
        ("6을 두 번 더 더하면 돼?", "6×7", "6씩 5묶음"),
        ("9명한테 똑같이 나눠 주는 거지?", "45÷9", "똑같이 돌아가게"),
        ("팔칠이 맨날 헷갈려", None, "8×6=48에 8을"),
        ("4×9에서 자꾸 막혀", None, "4×8=32에 4를"),
        ("3단 외워봐", None, "3×9=27"),
        ("20 15 10 다음은 뭐야", None, "10 다음은 5야"),
        ("짝수 더하기 홀수는 뭐야", None, "홀수야"),
        ("1부터 20까지 다 더하면 얼마야", None, "210이야"),
    ],
)
def test_what_is_told(message: str, expression: str | None, has: str) -> None:
    found = told(message, board={"expression": expression} if expression else None)
    assert found is not None
    assert has in found


def test_a_short_question_goes_on_with_the_topic() -> None:
    board: Board = {"ask": "number_talk", "topic": {"about": "remainder", "number": 5}}
    assert "6이야" in (told("7로 나누면?", board=board) or "")
    assert told("7로 나누면?", board={**board, "ask": "hint"}) is None


def test_talk_of_even_and_odd_numbers_tells_why() -> None:
    board: Board = {"ask": "number_talk", "topic": {"about": "parity", "number": 0}}
    assert "짝이 돼" in (told("왜요? 증명 가능?", board=board) or "")
    assert told("왜?") is None


@pytest.mark.parametrize(
    "message",
    [
        "나머지 문제도 줘",
        "문제 3개 중에 반은 맞았어?",
        "하나 먼저 풀어볼래",
        "100점 맞으면 몇 개 더 줘?",
        "뭐 먼저 할까",
        "48이라고 썼어",
        "12를 33으로 썼어",
        "한 번 더 해 볼래",
    ],
)
def test_what_is_no_talk_of_numbers(message: str) -> None:
    assert told(message) is None


def test_the_rest_of_the_problems_is_no_remainder() -> None:
    assert told("나머지 문제 5개 있어?", board={"expression": "17÷4"}) is None


def test_a_row_of_numbers_is_no_share_of_the_open_task() -> None:
    assert told("7 14 21 28 35 42 49 56", make_problem(56, "/", 7)) is None


@pytest.mark.parametrize(
    ("message", "opened"),
    [
        ("10에서 5를 주면?", SHARE),
        ("100을 깨면 10이 몇 개", make_problem(50, "/", 5)),
        ("12의 반은 5", make_problem(3, "+", 7)),
        ("9에서 2를 주면", make_problem(3, "+", 4)),
    ],
)
def test_no_answer_of_an_open_task_is_told(message: str, opened: Problem) -> None:
    word = number_word(message, {}, [opened])
    assert word is None or opened.answer not in word.slots.values()


def test_the_parts_of_the_open_product_are_right_without_its_answer() -> None:
    assert "둘 다 맞아" in (told("120하고 24", PRODUCT) or "")
    assert "144" not in (told("20곱하기6이랑 4곱하기6으로 쪼개도 돼?", PRODUCT) or "144")
