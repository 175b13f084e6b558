"""One problem explained: how it is solved, and where an answer that was given comes from."""

import re
from dataclasses import dataclass
from typing import Any

from maththera.arithmetic.malrules import explaining
from maththera.arithmetic.problem import SIGNS, Problem, ProblemError, make_problem, parse_expression
from maththera.chat.coach_knowledge import Knowledge
from maththera.chat.solving import division, steps
from maththera.chat.steps import Step
from maththera.chat.tools import ToolFailed
from maththera.chat.wording import fill
from maththera.learners.concepts import unit_id

Json = dict[str, Any]


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


def without_answer(explanation: Json) -> Json:
    """The same up to the step that would tell the answer: for the task that the child is at."""
    answer = re.compile(rf"(?<!\d){explanation['answer']}(?!\d)")
    told: list[str] = []
    for step in explanation["steps"]:
        if answer.search(step):
            break
        told.append(step)
    return explanation | {"answer": None, "given": None, "steps": told, "open_task": True}


def _given(problem: Problem, given: int) -> Json:
    rules = explaining(problem, given)
    return {
        "answer": given,
        "correct": given == problem.answer,
        "procedures": [{"name": rule.name, "title": rule.title} for rule in rules],
    }


def _said(step: Step, known: Knowledge) -> str:
    return fill(known.coach.config.steps[step.key], **step.values)
