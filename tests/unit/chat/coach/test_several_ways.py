"""A problem in two ways: both are true, and nothing that the child is to find is said."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.drafts import Board, CoachTurn, Draft, ReplyTexts
from maththera.chat.coach.several_ways import SEVERAL_WAYS, several_ways, way_again
from maththera.settings import home

TEXTS = ReplyTexts.load(home())
PROBLEMS = [make_problem(8, "+", 6), make_problem(57, "+", 28), make_problem(61, "-", 34), make_problem(7, "x", 4)]


def told(board: Board, opened: list[Problem], place: int | None = None) -> list[str]:
    turn = CoachTurn("방법 두 가지", "several_ways", False, board, opened)
    draft = Draft(TEXTS, False, board)
    if place is None:
        several_ways(turn, draft)
    else:
        way_again(turn, draft, place)
    return draft.lines


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_ways_of_an_open_task_leave_its_last_step(problem: Problem) -> None:
    lines = told({}, [problem])
    again = [line for place in range(len(lines) - 1) for line in told({}, [problem], place)]
    for line in [*lines, *again]:
        assert not any(one.claimed == problem.answer for one in read_expressions(line)), line


def test_two_ways_are_different() -> None:
    _, first, second = told({}, [PROBLEMS[1]])
    assert first.partition(" ")[2] != second.partition(" ")[2]


def test_what_was_explained_is_worked_out_to_the_end_in_both_ways() -> None:
    lines = told({"expression": "57+28"}, [])
    assert all("85" in line for line in lines[1:])


@pytest.mark.parametrize("message", ["방법 두 개만 보여 줘", "세 가지 방법으로 해 봐", "여러 가지 방식으로 풀어 줄래"])
def test_several_ways_are_heard(message: str) -> None:
    assert SEVERAL_WAYS.search(message)


@pytest.mark.parametrize("message", ["문제 두 개 줘", "방법 알려 줘", "두 번째 방법 다시"])
def test_other_wishes_are_not(message: str) -> None:
    assert not SEVERAL_WAYS.search(message)
