"""One problem explained: how it is solved, and where an answer that was given comes from."""

from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from maththera.arithmetic.malrules import explaining
from maththera.arithmetic.problem import SIGNS, Problem, ProblemError, make_problem, parse_expression
from maththera.chat.coach_knowledge import Knowledge
from maththera.chat.solving import division, steps
from maththera.chat.steps import Step
from maththera.chat.tools import ToolFailed
from maththera.chat.wording import fill
from maththera.learners.concepts import unit_id
from maththera.words.open_answers import OpenAnswer

Json = dict[str, Any]

BEGINNINGS: Final = {
    "addend": "gap", "factor": "factor", "tens": "tens", "+": "sum", "-": "difference", "x": "product", "/": "quotient",
}  # fmt: skip
"""Form or operation → the template that says how to begin."""


@dataclass(frozen=True, slots=True)
class Unsolvable:
    """An expression without a whole, natural answer: below zero, with a remainder, or divided by zero."""

    a: int
    op: str
    b: int


def problem_of(expression: str) -> Problem | Unsolvable:
    """The problem of an expression such as "52−38". ToolFailed for a text that is no expression."""
    try:
        a, op, b = parse_expression(expression)
    except ProblemError as error:
        raise ToolFailed("식은 '8+6'처럼 여섯 자리까지의 두 수와 + − × ÷ 가운데 하나로 적어 줘.") from error
    try:
        return make_problem(a, op, b)
    except ProblemError:
        return Unsolvable(a, op, b)


def explained(problem: Problem, given: int | None, known: Knowledge) -> Json:
    """`given`: the answer that was given, if one was; its `procedures` are wrong ones that lead to it."""
    return {
        "problem_id": problem.problem_id,
        "expression": problem.expression,
        "prompt": problem.prompt,
        "layout": problem.layout,
        "unit_id": unit_id(problem.c_level),
        "unit": known.unit(unit_id(problem.c_level)),
        "answer": problem.answer,
        "steps": [_said(step, known) for step in steps(problem)],
        "given": None if given is None else _given(problem, given),
    }


def outside(found: Unsolvable, known: Knowledge) -> Json:
    """What there is to say of it: where something is left over, the division all the same."""
    if found.op == "/" and found.b:
        told = [*division(found.a, found.b)]
    else:
        told = [Step("by_zero" if found.op == "/" else "below_zero", {"a": found.a, "b": found.b})]
    expression = f"{found.a}{SIGNS[found.op]}{found.b}"
    return {
        "expression": expression,
        "prompt": f"{expression}=□",
        "answer": None,
        "steps": [_said(step, known) for step in told],
        "given": None,
    }


def without_answer(explanation: Json, problem: Problem, known: Knowledge) -> Json:
    """The same up to the step that would tell the answer; how to begin, where that is the first one."""
    one = OpenAnswer.of(problem)
    told = [*takewhile(lambda step: not known.open_answers.mentions(step, one), explanation["steps"])]
    by_digits = [place for place, step in enumerate(steps(problem)) if step.key.startswith(("column_", "divide"))]
    told = told[: by_digits[-1]] if by_digits else told  # the last digit completes the answer
    return explanation | {"answer": None, "given": None, "steps": told or [_begun(problem, known)], "open_task": True}


def _begun(problem: Problem, known: Knowledge) -> str:
    """How a child may begin by itself."""
    key = f"begin_{BEGINNINGS.get(problem.form) or BEGINNINGS[problem.op]}"
    large, small = max(problem.a, problem.b), min(problem.a, problem.b)
    return _said(Step(key, {"a": problem.a, "b": problem.b, "large": large, "small": small}), known)


def _given(problem: Problem, given: int) -> Json:
    rules = explaining(problem, given)
    return {
        "answer": given,
        "correct": given == problem.answer,
        "procedures": [{"name": rule.name, "title": rule.title} for rule in rules],
    }


def _said(step: Step, known: Knowledge) -> str:
    return fill(known.coach.config.steps[step.key], **step.values)
