"""The numbers of a child's working, linked to what they come from."""

import pytest

from maththera.chat.coach.own_ways.linked_numbers import links_of
from maththera.chat.coach.way_parts import linked_step, own_step
from tests.unit.chat.coach.test_step_talk import problem_of


@pytest.mark.parametrize(
    ("expression", "message", "equations"),
    [
        ("144÷12", "120하면 열번이고 남은게 24니까 두번 더?", "links_fine"),
        ("25+17", "점이 12개니까 열개 묶으면 막대기 하나 더 생기는거네", "5+7=12"),
        ("80-46", "50까지 4칸", "46+4=50"),
        ("27+6", "30까지 3", "27+3=30"),
        ("52-38", "양쪽에 2씩 더해서 54-40으로 바꾸면 안됨?", "52+2=54, 38+2=40"),
    ],
)
def test_numbers_are_linked_without_words(expression: str, message: str, equations: str) -> None:
    step = linked_step(problem_of(expression), message, {})
    assert step is not None
    assert equations in (step.word.key, step.word.slots.get("equations"))


@pytest.mark.parametrize(
    ("expression", "message"),
    [("13×4", "40이랑 12니까 412 아님?"), ("48+48", "그럼 40두개 80이고 8두개 16이니까 816ㅋㅋ")],
)
def test_parts_written_side_by_side_are_seen(expression: str, message: str) -> None:
    heard = own_step([problem_of(expression)], message, {})
    assert heard is not None
    assert heard[1].word.key == "links_together"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("25+17", "왜 12개야?"),
        ("25+17", "나 오늘 12문제 풀고 30분 했어"),
        ("68-25", "그럼 4가 먼저야 3이 먼저야"),
        ("25+17", "42니까 12랑 30"),
        ("7×8", "칠팔이 맨날 헷갈림 54였나"),
        ("25+17", "99랑 53"),
    ],
)
def test_other_numbers_are_no_working(expression: str, message: str) -> None:
    assert linked_step(problem_of(expression), message, {}) is None


def test_a_number_that_does_not_fit_is_named() -> None:
    step = linked_step(problem_of("144÷12"), "12가 열번이면 120 남은건 34", {})
    assert step is not None
    assert step.word.key == "links_but"
    assert step.word.slots["strange"] == 34


def test_what_was_found_before_is_known() -> None:
    problem = problem_of("80-46")
    assert [one.equation for one in links_of(problem, [50, 80, 30])] == ["80−30=50"]


def test_parts_that_were_found_before_are_seen_side_by_side() -> None:
    problem = problem_of("23×4")
    heard = own_step([problem], "다 합치면 812", {"found": {problem.expression: ["20×4=80", "3×4=12"]}})
    assert heard is not None
    assert (heard[1].word.key, heard[1].word.slots["given"]) == ("links_together", 812)
