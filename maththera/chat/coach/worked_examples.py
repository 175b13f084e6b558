"""A problem like the one in hand, worked out in its place: the child sees the whole way and then goes it alone."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from maththera.arithmetic.problem import Problem, ProblemError, make_problem
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.learner_facts import kind_of
from maththera.chat.coach.message_shapes import problems_in_hand
from maththera.chat.coach.problem_replies import say_which, solve_problem
from maththera.knowledge.explanations import explained

_SHIFTS: Final = (11, -11, 10, -10, 12, -12, 20, -20, 2, -2, 1, -1, 3, -3)


def problem_like(problem: Problem, shown: str | None = None) -> Problem | None:
    """A problem of the same kind, level and carries with other numbers, in whose steps the answer does not stand, other
    than the one that was shown before; None where none is near."""
    if problem.form != "result":
        return None
    own = {problem.a, problem.b, problem.answer}
    for one in _shifted(problem):
        alike = (one.op, kind_of(one), one.c_level, one.carries) == (
            problem.op, kind_of(problem), problem.c_level, problem.carries
        )  # fmt: skip
        if not alike or _digits(one) != _digits(problem) or own & {one.a, one.b, one.answer} or one.expression == shown:
            continue
        if str(problem.answer) not in _numbers_of_steps(one):
            return one
    return None


def _numbers_of_steps(problem: Problem) -> set[str]:
    return {number for other in (False, True) for step in explained(problem, other=other)
            for number in re.findall(r"\d+", step.line)}  # fmt: skip


def _digits(problem: Problem) -> tuple[int, ...]:
    return tuple(len(str(one)) for one in (problem.a, problem.b, problem.answer))


def _shifted(problem: Problem) -> Iterator[Problem]:
    """Problems with both numbers moved a little; of a quotient, the result and what is divided by."""
    first = problem.answer if problem.op == "/" else problem.a
    for by, also in product(_SHIFTS, repeat=2):
        left, right = first + by, problem.b + also
        if min(left, right) < 1 or len(str(right)) != len(str(problem.b)):
            continue
        try:
            yield make_problem(left * right if problem.op == "/" else left, problem.op, right, layout=problem.layout)
        except ProblemError:
            continue


def worked_example(turn: CoachTurn, draft: Draft) -> None:
    """The steps of a problem like the one in hand."""
    in_hand = next(iter(problems_in_hand(draft.board, turn.opened)), None)
    like = None if in_hand is None else problem_like(in_hand, draft.board.get("expression"))
    if in_hand is None or like is None:
        say_which(turn, draft)
        return
    draft.say("example_like")
    solve_problem(draft, like)
    draft.say("example_yours", expression=in_hand.expression)
