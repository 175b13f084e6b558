"""A child's own steps: which are heard, what is said to them, and that no answer is told."""

import re
from itertools import product

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.drafts import ReplyTexts
from maththera.chat.coach.message_shapes import exercise_of
from maththera.chat.coach.step_talk import FoundStep, found_step, next_say
from maththera.chat.coach.text_templates import fill_template
from maththera.knowledge.explanations import explained_in_every_way
from maththera.settings import home

TEXTS = ReplyTexts.load(home())
PROBLEMS = [
    make_problem(a, op, b)
    for a, op, b in (
        (36, "+", 48), (23, "+", 45), (7, "+", 6), (9, "+", 8), (38, "+", 5), (248, "+", 176), (306, "+", 125),
        (81, "-", 54), (64, "-", 38), (78, "-", 35), (14, "-", 8), (500, "-", 237), (305, "-", 127), (40, "-", 16),
        (6, "x", 9), (7, "x", 8), (25, "x", 4), (35, "x", 2), (40, "x", 3), (96, "/", 3), (72, "/", 8), (56, "/", 7),
        (48, "/", 4),
    )
]  # fmt: skip


def problem_of(expression: str) -> Problem:
    problem = exercise_of(expression)
    assert problem is not None
    return problem


def said(step: FoundStep | None) -> str | None:
    return None if step is None else fill_template(TEXTS.says[step.word.key].child[0], **step.word.slots)


@pytest.mark.parametrize(
    ("expression", "message", "has"),
    [
        ("36+48", "14 나왔어", "6+8=14"),
        ("23+45", "8", "3+5=8"),
        ("7+6", "7에 3 더하면 10", "7+3=10"),
        ("9+8", "9에다가 1 주면 10", "9+1=10"),
        ("248+176", "4더하기7은 11", "올라온 1"),
        ("64-38", "60에서 30 빼면 30", "60−30=30"),
        ("81-54", "11", "11개가 됐어"),
        ("6×9", "육팔은 48", "6을 1번만"),
        ("25×4", "50이랑 50?", "둘 다 맞아"),
        ("35×2", "30이랑 30은 60", "30×2=60"),
        ("84÷4", "20개씩! 그리고 또?", "4가 남았"),
        ("5+3", "5에서 하나씩 더 세면 6 7", "3칸"),
        ("36+48", "6+8=13", "다시 더해"),
        ("25×4", "20×4는 90", "다시 해 봐"),
    ],
)
def test_a_step_is_heard(expression: str, message: str, has: str) -> None:
    assert has in (said(found_step(problem_of(expression), message)) or "")


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("36+48", "74"),
        ("36+48", "왜 14야"),
        ("36+48", "14번 문제"),
        ("125+286", "세자리는 처음인데"),
        ("52-38", "26"),
        ("7×8", "54"),
        ("84÷4", "4로 나눠도 돼?"),
    ],
)
def test_what_is_no_step(expression: str, message: str) -> None:
    assert found_step(problem_of(expression), message) is None


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda one: one.expression)
def test_every_step_of_every_way_is_confirmed_and_none_tells_the_answer(problem: Problem) -> None:
    for way in explained_in_every_way(problem):
        for step in way:
            if step.found == problem.answer or step.fills or step.op == "/":
                continue
            told = said(found_step(problem, step.expression))
            assert told is not None, step.expression
            assert not re.search(r"다시|아직이야", told), (step.expression, told)
            results = {one.claimed for one in read_expressions(told)}
            assert problem.answer not in results, (step.expression, told)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda one: one.expression)
def test_no_number_is_answered_with_the_answer(problem: Problem) -> None:
    for number, words in product(range(1, 130), ("{}", "{} 나왔어", "{}개씩")):
        if number != problem.answer and (step := found_step(problem, words.format(number))) is not None:
            results = {one.claimed for one in read_expressions(said(step) or "")}
            assert problem.answer not in results, number


def test_what_comes_next_follows_what_was_found() -> None:
    problem = problem_of("248+176")
    assert next_say(problem, ["8+6=14", "4+7=11"]) == "올린 1을 더해."
    assert next_say(problem_of("23+45"), ["20+40=60", "3+5=8"]) == ""


@pytest.mark.parametrize(
    ("expression", "message", "has"),
    [
        ("7+5", "7 8 9 10 11", "7은 벌써"),
        ("7+5", "7 하고 8 9 10 11", "5칸"),
        ("15-4", "15 14 13 12", "14부터 하나로"),
        ("7+5", "7은 안 세는거지", "8부터"),
        ("9×4", "9 18 27 그다음은?", "27까지 맞아"),
        ("9×4", "9 18 26", "18까지 맞아"),
        ("9×4", "18이면 몇번 센거야", "2번"),
        ("42÷6", "6 12 18 24 그럼 4번?", "6씩 4번"),
        ("42÷6", "30은 몇번이야?", "5번"),
        ("69÷3", "6나누기3은 2", "십의 자리"),
        ("69÷3", "6나누기3은 2고 9나누기3은 3", "둘 다 맞아"),
        ("71+8", "8은 1 밑에 써?", "응, 맞아"),
        ("71+8", "7 밑에 쓰는 거야?", "아니"),
        ("523-187", "두 번 빌려야 돼?", "응, 맞아"),
        ("523-187", "한 번만 빌리면 돼?", "아니"),
    ],
)
def test_a_row_a_place_or_a_number_of_openings_is_judged(expression: str, message: str, has: str) -> None:
    problem = problem_of(expression)
    told = said(found_step(problem, message)) or ""
    assert has in told
    assert str(problem.answer) not in re.findall(r"\d+", told)
