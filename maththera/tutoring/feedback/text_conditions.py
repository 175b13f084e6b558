"""Facts that a text may depend on: of the next task, of the answer just given, and of the session.

A text of `feedback.yaml` that speaks of carrying, of a picture or of "again" is said only where there is one.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.tutoring.state import Observation, TutoringState, given

TextCondition: TypeAlias = Literal[
    # of the next task's problem
    "adds", "subtracts", "multiplies", "divides", "gap",  # what is asked; a gap is □ within a sum, product or number
    "carries", "borrows", "borrows_from_zero",
    "columns",  # a number of two digits or more
    "small",  # no number beyond 20
    "countable",  # at most ten steps to count
    "over_ten",  # 8+6, 14−8
    "ten_partner",  # 10−4, 6+4, 6+□=10
    "zero", "times_zero", "times_one",
    # of what is drawn beside it
    "picture", "ten_frame", "base_ten", "written",  # written: the numbers stand below each other
    # of the turn
    "again",  # the problem just answered, or the one a loop began with, comes next
    "similar",  # the next problem asks for the same strategy
    "right",
    "near",  # wrong by one, or by one in a single place
    "method",  # wrong by a slip in carrying out a method that is known to be right
    # of the session
    "finished",  # every problem was worked on
]  # fmt: skip
"""The name of a fact; the comments explain them. A training, or the end, has no facts of problem and drawing."""

_FINGERS: Final = 10
_SMALL: Final = 20
_OPERATIONS: Final[dict[str, TextCondition]] = {"+": "adds", "-": "subtracts", "x": "multiplies", "/": "divides"}
_SLIPS: Final = frozenset({"EXECUTION", "TRANSCRIPTION"})
_FRAMES: Final[dict[str, TextCondition]] = {"ten_frame": "ten_frame", "base_ten": "base_ten"}


def problem_conditions(problem: Problem, visual_mode: str) -> frozenset[TextCondition]:
    """The facts of a problem as it is shown."""
    return frozenset((*_asked(problem), *_sizes(problem), *_drawn(problem, visual_mode)))


def turn_conditions(state: TutoringState, bank: Bank) -> frozenset[TextCondition]:
    """All facts of the current turn, once its next task is chosen."""
    task, observation = state["task"], given(state["observation"])
    facts: set[TextCondition] = set(_of_answer(state, observation, bank))
    if state["ended_because"] == "remaining":
        facts.add("finished")
    if task is None or task["problem_id"] is None:
        return frozenset(facts)
    problem = bank.problem(task["problem_id"])
    before = {bank.problem(one) for one in (observation["problem_id"], state["original_problem"]) if one}
    if any(_question(problem) == _question(one) for one in before):
        facts.add("again")
    if any(problem.strategy_tag == one.strategy_tag for one in before):
        facts.add("similar")
    return frozenset(facts) | problem_conditions(problem, task["visual_mode"])


def _of_answer(state: TutoringState, observation: Observation, bank: Bank) -> Iterator[TextCondition]:
    answer, diagnosis = observation["answer"], state["diagnosis"]
    if observation["correct"]:
        yield "right"
    if answer is None or observation["correct"] or observation["problem_id"] is None:
        return
    if _is_near_miss(answer, bank.problem(observation["problem_id"]).answer):
        yield "near"
    if diagnosis is not None and diagnosis["cause_tag"] and diagnosis["cause_domain"] in _SLIPS:
        yield "method"


def _is_near_miss(answer: int, right: int) -> bool:
    away = abs(answer - right)
    same_length = len(str(answer)) == len(str(right))
    return away == 1 or (same_length and away in (10, 100, 1000))


def _question(problem: Problem) -> tuple[str, str]:
    return problem.key, problem.form


def _asked(problem: Problem) -> Iterator[TextCondition]:
    a, op, b = problem.a, problem.op, problem.b
    if problem.form != "result":
        yield "gap"
        if problem.form == "addend" and a == 10:
            yield "ten_partner"
        return
    yield _OPERATIONS[op]
    if op in "+x" and problem.carries:
        yield "carries"
    if op == "-" and problem.carries:
        yield "borrows"
        if any(digits(a)[column + 1] == 0 for column in problem.carries):
            yield "borrows_from_zero"
    if op == "+":
        yield from _of_sum(a, b)
    if op == "-" and (a == 10 > b > 0):
        yield "ten_partner"
    if op == "-" and 10 < a < 20 and a - 10 < b < 10:
        yield "over_ten"
    yield from _of_zero_and_one(a, op, b)


def _of_sum(a: int, b: int) -> Iterator[TextCondition]:
    if max(a, b) < 10:
        if a + b > 10:
            yield "over_ten"
        if a + b == 10:
            yield "ten_partner"


def _of_zero_and_one(a: int, op: str, b: int) -> Iterator[TextCondition]:
    if op in "+-" and 0 in (a, b):
        yield "zero"
    if op == "x" and 0 in (a, b):
        yield "times_zero"
    if op == "x" and 1 in (a, b):
        yield "times_one"


def _sizes(problem: Problem) -> Iterator[TextCondition]:
    a, b, answer = problem.a, problem.b, problem.answer
    if max(a, b) >= 10 and problem.form == "result":
        yield "columns"
    if max(a, b, answer) <= _SMALL:
        yield "small"
    steps = {"+": min(a, b), "-": answer if problem.form == "addend" else b}.get(problem.op)
    if steps is not None and steps <= _FINGERS:
        yield "countable"


def _drawn(problem: Problem, visual_mode: str) -> Iterator[TextCondition]:
    if visual_mode == "vertical" or (problem.layout == "vertical" and problem.form == "result"):
        yield "written"
    if visual_mode not in ("none", "vertical"):
        yield "picture"
    if visual_mode in _FRAMES:
        yield _FRAMES[visual_mode]
