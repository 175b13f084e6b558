"""Messages that hold an expression."""

from typing import Final

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.chat.adults.expression_answers import (
    SpokenExpression,
    expression_named,
    first_step,
    more_of_expression,
    of_expression,
)
from maththera.chat.records.child_record import Child, Given
from tests.unit.chat.adults.test_checked_answers import BORROW, child

WRONG: Final = Given(make_problem(52, "-", 38), 26, right=False)
SEOYEON: Final = Child("서연", child("서연", 10, 4, 1, BORROW).facts, (WRONG, WRONG))


@pytest.mark.parametrize(
    ("message", "given"),
    [
        ("52-38을 26이라고 썼던데 어떻게 하면 그렇게 나와요?", 26),
        ("애가 52-38은 26이래요", 26),
        ("52−38 답이 26 나왔어요", 26),
        ("305-128 같은 문제는 어떤 순서로 설명하면 좋을까요", None),
        ("7x8 어떻게 가르치죠", None),
    ],
)
def test_the_answer_of_the_child_is_told_from_the_expression(message: str, given: int | None) -> None:
    found = expression_named(message)
    assert found is not None
    assert found[1] == given


@pytest.mark.parametrize(
    "message", ["52-38 틀린 애가 몇 명이에요", "52-38이랑 63-27", "52-38을 쓴 적 있어요?", "덧셈은 어떻게 해요"]
)
def test_counts_and_several_expressions_are_for_others(message: str) -> None:
    assert expression_named(message) is None


@pytest.mark.parametrize(
    ("message", "has"),
    [
        ("52-38을 26이라고 썼어요", ["5−3=2, 8−2=6", "52−38=14", "12−8=4", "26이라고 답한 것이 2번"]),
        ("52-38을 99라고 썼어요", ["흔한 방법은 찾지 못했어요", "52−38=14", "그런 답이 없어요"]),
        ("52-38=14 맞죠", ["네, 맞는 답이에요"]),
        ("서연이도 52-38 틀렸잖아요", ["네, 기록에 있어요", "2번 풀어 2번", "바른 답은 14"]),
        ("서연이 63-27 틀렸나요", ["푼 것이 없어요"]),
        ("305-128은 어떤 순서로 설명해요", ["백 2개, 십 9개, 낱개 15개", "170+7=177"]),
        ("12÷3 등분제 포함제 정리 좀", ["3명에게 똑같이 나누면 한 명이 4개", "3개씩 묶으면 4묶음"]),
    ],
)
def test_what_is_said_is_about_that_expression(message: str, has: list[str]) -> None:
    found = of_expression(message, [SEOYEON], None)
    assert found is not None
    assert [each for each in has if each not in found[1]] == []


@pytest.mark.parametrize(
    ("before", "message", "has"),
    [
        ((305, "-", 128), "30에서 하나 빼서 29로 보는 방법은요", ["29−12=17", "177"]),
        ((305, "-", 128), "다른 방법도 있어요?", ["10−1=9"]),
        ((305, "-", 128), "세 자리는 아직 이른가요", ["조금 일러 보여요"]),
        ((305, "-", 128), "우리 애한테는 어느 쪽이 나아요", ["두 자리에서"]),
        ((52, "-", 38), "블록으로 52를 어떻게 놓아요", ["십 5개와 낱개 2개", "12개", "십 1개와 낱개 4개"]),
        ((12, "/", 3), "14로 보여 주세요", ["4묶음이고 2개가 남아요"]),
        ((7, "x", 8), "5단이랑 2단으로 하면요", ["7×8=5×8+2×8=40+16=56"]),
    ],
)
def test_more_is_asked_of_the_expression_in_hand(before: tuple[int, str, int], message: str, has: list[str]) -> None:
    found = more_of_expression(message, SpokenExpression(*before), [SEOYEON])
    assert found is not None
    assert [each for each in has if each not in found[1]] == []


def test_the_next_product_is_split_in_the_same_way() -> None:
    first = more_of_expression("5단이랑 2단 더하는 거 예시", None, [])
    assert first is not None
    found = of_expression("7×9도 그걸로요", [], first[0])
    assert found is not None
    assert "5×9+2×9=45+18=63" in found[1]


def test_the_way_by_tens_is_heard_where_it_reads_as_a_sum_of_its_own() -> None:
    found = of_expression("40에서 하나 빼서 39로 하는 것도 되나요", [SEOYEON], SpokenExpression(402, "-", 156))
    assert found is not None
    assert "39−15=24" in found[1]
    assert found[0].problem.expression == "402−156"


def test_what_is_about_something_else_is_left() -> None:
    assert more_of_expression("고맙습니다", SpokenExpression(52, "-", 38), [SEOYEON]) is None


def test_the_answer_of_a_task_before_the_child_is_not_told() -> None:
    assert "14" not in first_step(make_problem(52, "-", 38))


@pytest.mark.parametrize(
    "message", ["63-27은 어떻게 하나요?", "63-27을 꼭 세로셈으로 해야 하나", "63-27을 어떻게 말해야 하나요"]
)
def test_a_verb_is_no_answer_of_the_child(message: str) -> None:
    found = expression_named(message)
    assert found is not None
    assert found[1] is None


def test_a_story_is_answered_first_and_without_records_of_children_that_it_does_not_name() -> None:
    found = of_expression("사탕 52개 중에 38개를 나눠 줬어요. 몇 개 남아요?", [SEOYEON, Child("지우")], None)
    assert found is not None
    assert found[1].startswith("52−38=14예요.")
    assert "기록" not in found[1]
