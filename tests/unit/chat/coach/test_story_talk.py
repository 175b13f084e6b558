"""Stories with numbers: what is worked out of them, what is left over, and how they go on."""

import pytest

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.problem import make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.story_talk import StoryStep, story_goes_on, story_of, tells_other_story
from maththera.servers.toolkit.word_problems import WordProblems
from maththera.settings import home
from tests.support.words import door

TEMPLATES = WordProblems.load(home() / "configs" / "servers" / "word_problems.yaml")
NUMBERS = {
    "+": [(13, 8), (36, 47), (58, 7), (124, 68)],
    "-": [(13, 8), (52, 38), (60, 20), (203, 97)],
    "x": [(6, 4), (13, 5), (24, 3), (8, 7)],
    "/": [(12, 4), (56, 7), (30, 5), (18, 3)],
}


@pytest.mark.parametrize("name", TEMPLATES.templates)
def test_every_word_problem_is_understood_and_is_no_danger(name: str) -> None:
    op = TEMPLATES.templates[name].op
    for problem in (make_problem(a, op, b) for a, b in NUMBERS[op]):
        question = TEMPLATES.tell(problem, name).question
        step = story_of(question)
        assert step is not None, question
        assert exercise_of(step.expression) == problem, question
        assert [problem_of(one) for one in read_expressions(question)] == [problem], question
        assert door().read(question, writer="child").danger is None, question
        assert tells_other_story(question, [make_problem(47, "+", 36)] if problem.a != 36 else []), question


@pytest.mark.parametrize(
    ("message", "expression"),
    [
        ("지우는 스티커 15장 나는 9장 있어. 지우가 몇 장 더 많아?", "15-9"),
        ("형은 12장 나는 7장이면 형이 몇 장 더 많아?", "12-7"),
        ("내가 13개 동생이 8개 있어 누가 몇 개 더 많아?", "13-8"),
        ("빨간 구슬 7개 파란 구슬 5개 있어. 빨간 구슬이 몇 개 더 많아?", "7-5"),
        ("나는 사탕 8개, 동생은 13개인데 동생이 몇 개 더 많아?", "13-8"),
        ("언니는 줄넘기를 45번 나는 38번 했어 언니가 몇 번 더 했어?", "45-38"),
        ("형은 12장 나는 7장이야. 몇 장 더 모아야 형이랑 같아져?", "12-7"),
        ("책이 45쪽인데 18쪽 읽었어 몇 쪽 더 읽어야 돼?", "45-18"),
        ("자리가 30개 있는데 18개에 앉았어 빈자리는 몇 개야?", "30-18"),
        ("구슬 12개 중에 5개가 빨간색이야. 나머지는 몇 개야?", "12-5"),
        ("귤을 24개 샀는데 9개가 썩었어. 안 썩은 건 몇 개야?", "24-9"),
        ("밤을 12톨 주웠는데 5톨 먹었어 몇 톨 남았어?", "12-5"),
        ("어제 12쪽 읽고 오늘 9쪽 읽었어 모두 몇 쪽이야", "12+9"),
        ("귤을 오전에 14개, 오후에 9개 먹었어. 모두 몇 개 먹었어?", "14+9"),
        ("한 명한테 연필 3자루씩 주려면 7명한테 몇 자루 필요해?", "3x7"),
        ("한 상자에 귤이 8개씩 들어 있어. 6상자면 모두 몇 개야?", "8x6"),
        ("쿠키 24개를 한 봉지에 6개씩 담으면 봉지 몇 개야?", "24/6"),
        ("학생 28명이 4명씩 모둠을 만들면 모둠이 몇 개야?", "28/4"),
        ("귤 30개를 접시 5개에 똑같이 담으면 한 접시에 몇 개야?", "30/5"),
    ],
)
def test_the_words_of_children_are_worked_out_as_they_are_meant(message: str, expression: str) -> None:
    assert told(message).expression == expression


def test_what_does_not_fill_another_part_is_told_beside_the_parts() -> None:
    story = told("쿠키 17개를 한 봉지에 5개씩 담으면 봉지가 몇 개야?").story
    assert (story["value"], story["counter"], story["left"], story["rest"]) == (3, "개", 2, "개")


@pytest.mark.parametrize(
    "message", ["사탕 8개가 있고 귤 5개가 있는데 뭐가 몇 개 더 많게 하려면?", "귤 9개에서 4개 안 먹었어 몇 개 남았어?"]
)
def test_what_is_not_surely_read_is_not_worked_out(message: str) -> None:
    step = story_of(message)
    assert step is None or "+" not in step.expression


def test_things_without_a_price_change_no_amount_of_money() -> None:
    bought = story_of("200원짜리 지우개 3개랑 500원짜리 연필 하나 사면 얼마예요")
    assert bought is not None
    assert story_goes_on("연필 2개 더 사면?", bought.story) is None


def told(*messages: str) -> StoryStep:
    """The step of the last message of a story."""
    step = story_of(messages[0])
    for message in messages[1:]:
        assert step is not None
        step = story_goes_on(message, step.story)
    assert step is not None
    return step


@pytest.mark.parametrize(
    ("messages", "expression", "value"),
    [
        (("딱지가 46장있는데 19장 더받으면 모두 몇장이야",), "46+19", 65),
        (("3000원있는데 800원짜리 빵 사면 얼마 남아",), "3000-800", 2200),
        (("딸기 15개를 5명이 먹으면 몇 개씩이야",), "15/5", 3),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?",), "17/4", 4),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?", "누나도 먹는대"), "17/5", 3),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?", "친구 2명이 더 왔어"), "17/6", 2),
        (("귤 17개를 4명이 똑같이 나누면 몇 개씩?", "3명이면?"), "17/3", 5),
        (("공책이 8권씩 3묶음이면 몇 권이야", "2묶음 더 사면?"), "24+16", 40),
        (("공책이 8권씩 3묶음이면 몇 권이야", "2권 쓰면?"), "24-2", 22),
        (("200원짜리 지우개 3개랑 500원짜리 연필 하나 사면 얼마예요",), "200x3+500", 1100),
    ],
)
def test_a_story_comes_to_its_amount(messages: tuple[str, ...], expression: str, value: int) -> None:
    step = told(*messages)
    assert (step.expression, step.story["value"]) == (expression, value)


def test_what_is_left_of_a_sharing_can_be_asked_for() -> None:
    step = told("초콜릿 20개를 6명이 똑같이 나누면 몇 개씩?", "남는 건 몇 개야")
    assert step.asks_left
    assert step.story["left"] == 2


def test_all_of_a_story_that_changed_is_what_there_is_now() -> None:
    step = told("풍선 12개에서 5개 터지면", "이모가 6개 더 줬어", "모두 몇 개야")
    assert step.asks_now
    assert step.story["value"] == 13


def test_two_amounts_that_were_compared_are_put_together() -> None:
    step = told("풍선 12개에서 5개 터지면 몇 개야", "형은 나보다 3개 더 많아", "모두 몇 개야")
    assert step.story["value"] == 17
