"""What adults ask and claim of a child, and whom to put into a group."""

from typing import Final

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.chat.coach.learner_facts import KindCounts
from maththera.chat.making.child_questions import (
    class_table,
    columns_named,
    group_of,
    into_group,
    kinds_of_group,
    of_one,
    publishes,
    wants_group,
)
from maththera.chat.making.children import Child, Given
from maththera.chat.making.not_understood import said_of
from maththera.chat.making.notes import NoteBook
from maththera.settings import home
from tests.unit.chat.making.test_looked_at import BORROW, child

CARRY: Final[KindCounts] = {"kind": "carry", "answered": 12, "right": 12, "causes": [], "examples": []}
ANSWERS: Final = (
    *(Given(make_problem(47, "+", 36), 83, right=True),) * 12,
    *(Given(make_problem(52, "-", 38), 26, right=False),) * 6,
    Given(make_problem(63, "-", 27), 99, right=False),
)
SEOYEON: Final = Child("서연", child("서연", 19, 12, 3, CARRY, {**BORROW, "answered": 7}).facts, ANSWERS)
MINSU: Final = Child("민수", child("민수", 12, 12, 1, CARRY).facts, ANSWERS[:12])
JIU: Final = Child("지우", child("지우", 0, 0, 0).facts)


@pytest.mark.parametrize(
    ("message", "has"),
    [
        ("서연이가 받아올림을 자꾸 빠뜨리는 거 맞죠?", ["아니요", "12문제 가운데 12문제", "받아내림이 있는 뺄셈 7번"]),
        ("받아올림을 잘하죠?", ["네, 맞아요"]),
        ("받아내림을 못하던데", ["네, 맞아요", "7문제 가운데 0문제"]),
        ("받아내림은 잘하잖아요", ["기록은 달라요"]),
        ("다 맞았다던데", ["기록에는 조금 달라요", "63%"]),
        ("잘하는 거 하나만 꼭 집어 주세요", ["받아올림이 있는 덧셈이에요", "모두 맞혔어요"]),
        ("오답 하나 뭐였더라", ["52−38에 26이라고", "(6번)"]),
        ("나머지 하나는요", ["63−27→99 1번: 원인을 아직 모름"]),
        ("비율은요", ["19문제 가운데 12문제를 맞혀서 63%"]),
        ("19문제로 단정하는 건 무리 아닌가요", ["7개 가운데 6개"]),
        ("우연일 확률은요", ["7개 가운데 6개"]),
        ("반증하려면 뭘 내요", ["받아내림이 없는 뺄셈 네 문제"]),
        ("난산증이면 어떡하죠", ["걱정이 크셨겠어요", "아니라고도 말할 수 없어요"]),
    ],
)
def test_the_records_tell(message: str, has: list[str]) -> None:
    told = of_one(message, SEOYEON)
    assert [each for each in has if each not in told] == []


def test_a_problem_without_an_answer_is_told_as_such() -> None:
    unanswered = Child("Kim", SEOYEON.facts, (Given(make_problem(52, "-", 38), None, right=False),))
    told = of_one("오답 하나 뭐였더라", unanswered)
    assert told == "Kim의 틀린 문제는 하나예요. 52−38에 답을 적지 않았어요. 바른 답은 14예요."


@pytest.mark.parametrize("message", ["뺄셈을 왜 틀려요?", "자주 하는 실수가 뭐죠", "어떻게 도와주죠", "몇 문제 풀었죠"])
def test_open_questions_are_for_the_reader_of_records(message: str) -> None:
    assert of_one(message, SEOYEON) == ""


def test_nothing_is_told_of_a_child_without_records() -> None:
    assert of_one("잘하는 거 하나만요", JIU) == ""


def test_a_group_is_named_with_the_figures_that_speak_for_it() -> None:
    assert wants_group("방과후 뺄셈 소그룹 짜는데 누구 넣을까요?")
    assert wants_group("받아올림 모둠에 누구를 넣으면 좋을까요")
    assert not wants_group("누가 제일 많이 틀렸어요?")
    kinds = kinds_of_group("뺄셈 모둠")
    lines = group_of(kinds, [SEOYEON, MINSU, JIU]).splitlines()
    assert lines[0] == "기록으로는 서연이부터예요."
    assert "7문제 가운데 7번" in lines[1]
    assert "지우" in lines[-1]
    assert "기록이 없어서" in into_group(kinds, JIU)
    assert "넣는 것이 맞아 보여요" in into_group(kinds, SEOYEON)


def test_a_table_has_a_dash_for_what_is_not_known() -> None:
    told = class_table([SEOYEON, JIU], columns_named("정답률 칸 추가"))
    assert told.splitlines()[2:] == ["| 서연 | 19 | 12 | 63% |", "| 지우 | – | – | – |"]


@pytest.mark.parametrize(
    ("message", "holds"),
    [("소식지에 점수 실어도 되나요", True), ("이름 빼면 괜찮지 않아요?", True), ("점수가 어떻게 되나요", False)],
)
def test_whether_records_may_be_published_is_heard(message: str, *, holds: bool) -> None:
    assert publishes(message) is holds


def test_a_feeling_is_met_first_and_then_what_is_most_useful() -> None:
    book = NoteBook.load(home())
    told = said_of(book, "너무 속상해서 눈물이 나요", SEOYEON)
    assert told.startswith("많이 속상하셨겠어요.")
    assert "받아올림이 있는 덧셈(12문제 가운데 12문제)" in told
    assert "받아내림이 있는 뺄셈에서 7번" in told
    assert "아직 기록이 없어요" in said_of(book, "우리 애 짝꿍 얘기인데요", JIU)
    assert "이름을 말씀해 주시면" in said_of(book, "음", None)
