"""What adults ask and claim of a child."""

from typing import Final

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.chat.adults.child_questions import of_one
from maththera.chat.adults.not_understood import said_of
from maththera.chat.coach.learner_facts import KindCounts
from maththera.chat.records.child_record import Child, Given
from maththera.chat.records.problem_kinds import load_problem_kinds
from maththera.settings import home
from tests.unit.chat.adults.test_checked_answers import BORROW, child

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


def test_a_feeling_is_met_first_and_then_what_is_most_useful() -> None:
    kinds = load_problem_kinds(home())
    told = said_of(kinds, "너무 속상해서 눈물이 나요", SEOYEON)
    assert told.startswith("많이 속상하셨겠어요.")
    assert "받아올림이 있는 덧셈(12문제 가운데 12문제)" in told
    assert "받아내림이 있는 뺄셈에서 7번" in told
    assert "아직 기록이 없어요" in said_of(kinds, "우리 애 짝꿍 얘기인데요", JIU)
    assert "이름을 말씀해 주시면" in said_of(kinds, "음", None)
