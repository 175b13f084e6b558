"""What a message asks of the task in hand, and the problems that are like it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.task_questions import question_on_task
from maththera.chat.coach.worked_examples import problem_like
from maththera.knowledge.explanations import explained

PROBLEMS = st.one_of(
    st.builds(lambda a, b: make_problem(a, "+", b), st.integers(1, 999), st.integers(1, 999)),
    st.builds(lambda a, b: make_problem(a + b, "-", b), st.integers(0, 500), st.integers(1, 499)),
    st.builds(lambda a, b: make_problem(a, "x", b), st.integers(0, 99), st.integers(0, 9)),
    st.builds(lambda a, b: make_problem(a * b, "/", b), st.integers(1, 30), st.integers(1, 9)),
)


@given(PROBLEMS)
def test_a_like_problem_is_of_the_same_kind_and_tells_no_answer(problem: Problem) -> None:
    like = problem_like(problem)
    if like is None:
        return
    assert (like.op, like.c_level, like.carries) == (problem.op, problem.c_level, problem.carries)
    lines = " ".join(step.line for other in (False, True) for step in explained(like, other=other))
    assert str(problem.answer) not in re.findall(r"\d+", f"{like.expression} {lines}")
    other = problem_like(problem, like.expression)
    assert other is None or other.expression != like.expression


@pytest.mark.parametrize(
    ("a", "op", "b"),
    [(43, "-", 17), (47, "+", 28), (156, "+", 78), (305, "-", 128), (7, "x", 8), (24, "/", 6), (13, "x", 4)],
)
def test_every_kind_of_task_has_one(a: int, op: str, b: int) -> None:
    assert problem_like(make_problem(a, op, b)) is not None


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("예시 보여줘", "worked_example"),
        ("다른 문제로 푸는거 보여줘", "worked_example"),
        ("비슷한 문제로 보여줘", "worked_example"),
        ("비슷한 문제 하나 더 줘", None),
        ("다른 문제 줘", None),
        ("쉬운 걸로 줘", None),
    ],
)
def test_a_worked_example_is_asked_for(message: str, ask: str | None) -> None:
    assert question_on_task(message, {}, [make_problem(43, "-", 17)]) == ask


@pytest.mark.parametrize(
    ("a", "op", "b", "message", "ask"),
    [
        (26, "+", 38, "그럼 64로 할게", "open_guess"),
        (26, "+", 38, "그럼 54로 할게", None),
        (0, "x", 8, "바구니가 0개니까 아무것도 없네 0?", "open_guess"),
        (0, "x", 8, "0이 왜 있어", None),
        (6, "-", 0, "그럼 그대로네 6", "open_guess"),
        (6, "-", 0, "6에서 뭘 빼", None),
    ],
)
def test_an_answer_is_held_out(a: int, op: str, b: int, message: str, ask: str | None) -> None:
    assert question_on_task(message, {}, [make_problem(a, op, b)]) == ask
