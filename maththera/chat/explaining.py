"""One problem explained: how it is solved, and where an answer that was given comes from."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from maththera.arithmetic.claims import Expression, read_expressions
from maththera.arithmetic.expressions import Operation, has_gap, parts_of, value_of
from maththera.arithmetic.malrules import explaining
from maththera.arithmetic.problem import Form, Problem, make_problem
from maththera.chat.coach_knowledge import Knowledge
from maththera.chat.solving import division, reductions, steps
from maththera.chat.steps import Step
from maththera.chat.tools import ToolFailed
from maththera.chat.wording import fill
from maththera.learners.concepts import unit_id
from maththera.words.open_answers import OpenAnswer

Json = dict[str, Any]
_FORM_OF_GAP: Final[dict[str, tuple[str, Form]]] = {"+": ("-", "addend"), "x": ("/", "factor")}

BEGINNINGS: Final = {
    "addend": "gap", "factor": "factor", "tens": "tens", "+": "sum", "-": "difference", "x": "product", "/": "quotient",
}  # fmt: skip
"""Form or operation → the template that says how to begin."""


def expression_of(text: str) -> Expression:
    """The expression that a text is. ToolFailed for any other text."""
    read = read_expressions(text)
    if len(read) != 1:
        raise ToolFailed("식은 '8+6'이나 '12−5+3'처럼 수와 + − × ÷로 적어 줘.")
    return read[0]


def problem_of(expression: Expression) -> Problem | None:
    """The problem that an expression of two natural numbers is, also with a gap (3+□=5); None for a longer one."""
    tree = expression.tree
    if expression.beyond is not None or expression.value is None or not isinstance(tree, Operation):
        return None
    left, right = tree.left, tree.right
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return make_problem(int(left), tree.op, int(right))
    known = left if isinstance(left, Fraction) else right
    if (
        not isinstance(known, Fraction)
        or tree.op not in _FORM_OF_GAP
        or isinstance(left, Operation | Fraction) == (isinstance(right, Operation | Fraction))
    ):
        return None
    whole = known + expression.value if tree.op == "+" else known * expression.value
    op, form = _FORM_OF_GAP[tree.op]
    return make_problem(int(whole), op, int(known), form=form) if known or op == "-" else None


def worked_out(expression: Expression, given: int | None, known: Knowledge) -> Json:
    """A long expression, one operation after the other. No wrong procedure is named for an answer to it: those are of
    two numbers."""
    value = int(expression.value or 0)
    gap = has_gap(expression.tree)
    told = [Step("gap_is", {"value": value})] if gap else [*reductions(expression.tree)]
    return {
        "expression": expression.text,
        "prompt": expression.text if gap else f"{expression.text}=□",
        "answer": value,
        "steps": [_said(step, known) for step in told],
        "given": None if given is None else {"answer": given, "correct": given == value, "procedures": []},
    }


def solves(expression: Expression, problem: Problem) -> bool:
    """Whether working out a long expression tells the answer of a problem: it has the same value, or the problem is a
    part of it."""
    if expression.value == problem.answer:
        return True
    results = (value_of(part) for part in parts_of(expression.tree) if not has_gap(part))
    return any(result == problem.answer for result in results)


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


def outside(found: Expression, known: Knowledge) -> Json:
    """What there is to say of an expression that is beyond the tutor: where something is left over of two numbers, the
    division all the same."""
    return {
        "expression": found.text,
        "prompt": f"{found.text}=□",
        "answer": None,
        "steps": [_said(step, known) for step in _why_not(found)],
        "given": None,
        "beyond": found.beyond,
    }


def _why_not(found: Expression) -> Iterator[Step]:
    match found.tree:
        case Operation(op=op, left=Fraction() as left, right=Fraction() as right) if min(left, right) >= 0:
            a, b = int(left), int(right)
            if found.beyond == "remainder":
                yield from division(a, b)
            elif found.beyond in ("by_zero", "negative") and op in "-/":
                yield Step("by_zero" if found.beyond == "by_zero" else "below_zero", {"a": a, "b": b})


def without_answer(explanation: Json, task: Problem, known: Knowledge) -> Json:
    """The same up to the step that would tell the answer of an open task; how to begin with that, where it is the first
    one."""
    one = OpenAnswer.of(task)
    told = [*takewhile(lambda step: not known.open_answers.mentions(step, one), explanation["steps"])]
    problem = known.problem(explanation.get("problem_id"))
    written = [*steps(problem)] if problem is not None else []
    by_digits = [place for place, step in enumerate(written) if step.key.startswith(("column_", "divide"))]
    told = told[: by_digits[-1]] if by_digits else told  # the last digit completes the answer
    return explanation | {"answer": None, "given": None, "steps": told or [_begun(task, known)], "open_task": True}


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
