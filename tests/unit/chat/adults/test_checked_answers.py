"""Answers and explanations that adults want looked at."""

from typing import Final

import pytest

from maththera.chat.adults.checked_answers import asks_for_mean, asks_of_child, mean_of_rates, of_child, of_numbers
from maththera.chat.coach.learner_facts import Facts, KindCounts
from maththera.chat.records.child_record import Child

BORROW: Final[KindCounts] = {
    "kind": "borrow", "answered": 6, "right": 0, "examples": [],
    "causes": [{"name": "smaller_from_larger", "title": "큰 숫자에서 작은 숫자를 뺀다", "count": 6}],
}  # fmt: skip


def child(name: str, answered: int, right: int, days: int = 1, *kinds: KindCounts) -> Child:
    facts: Facts = {
        "today": "2026-01-10", "answered": answered, "right": right, "kinds": [*kinds], "tries": [], "slowest": None,
        "seconds": None,
        "days": [{"day": f"2026-01-0{day}", "answered": 1, "right": 1, "kinds": {}} for day in range(2, 2 + days)],
    }  # fmt: skip
    return Child(name, facts)


@pytest.mark.parametrize(
    ("message", "has"),
    [
        ("81−45=44, 70−26=56. 둘 다 같은 실수 맞나요?", ["같은 실수예요", "81−45=36", "70−26=44", "5−1=4, 6−0=6"]),
        ("47+36=73, 52−38=26 같은 건가요", ["같은 실수로는 보이지 않아요", "47+36=83", "52−38=14"]),
        ("63-27=36이랑 52-38=26", ["하나는 맞고", "52−38=14"]),
        ("20+30=50, 14+5=19 맞죠", ["모두 맞는"]),
        ("제가 38+27 설명하는 거 봐 주세요. 8+7=15, 5 쓰고 1 올려서 답 65", ["네, 맞아요", "십 하나"]),
        ("38+27을 이렇게 설명해도 돼요? 답은 55", ["바른 답은 65예요"]),
        ("63−27을 수직선으로 하면요", ["27에서 30까지 3", "30에서 60까지 30", "=36"]),
    ],
)
def test_numbers_are_looked_at(message: str, has: list[str]) -> None:
    told = of_numbers(message, "")
    assert [each for each in has if each not in told] == []


@pytest.mark.parametrize(
    "message", ["47+36=73 왜 이래요?", "수직선은 어떻게 써요?", "54는 뭐예요", "설명 좀 해 주세요"]
)
def test_a_single_answer_and_a_general_question_are_for_others(message: str) -> None:
    assert of_numbers(message, "") == ""


def test_the_factors_of_a_number_are_told_where_products_are_spoken_of() -> None:
    assert of_numbers("54는 뭐더라", "7×8") == "54는 6×9의 답이에요."


def test_an_observation_is_confirmed_by_the_records_alone() -> None:
    said = "아이가 거꾸로 빼더라고요"
    assert asks_of_child(said)
    assert "6번" in of_child(said, child("서연", 10, 4, 1, BORROW))
    assert of_child(said, child("하늘", 10, 10)) == ""


@pytest.mark.parametrize(
    ("message", "has"), [("3일밖에 안 했던데 맞아요?", "네, 맞아요"), ("5일 했다던데 맞나요", "3일")]
)
def test_days_that_are_told_are_compared_with_the_records(message: str, has: str) -> None:
    assert has in of_child(message, child("서연", 10, 4, 3))


def test_the_mean_of_the_children_leaves_out_who_has_no_records() -> None:
    assert asks_for_mean("평균으로 내면?")
    told = mean_of_rates([child("서연", 60, 36), child("준호", 24, 23), Child("지우")])
    assert "77.9%" in told
    assert "70.2%" in told
    assert "지우는 기록이 없어" in told
