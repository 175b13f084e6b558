"""One problem explained: how it is solved, and where an answer that was given comes from."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile
from typing import Any, Final

from maththera.arithmetic.expressions import Operation, has_gap, parts_of, value_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Form, Problem, make_problem
from maththera.arithmetic.result_claims import Expression, read_expressions
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.solution_step import Step
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.coach.worked_solutions import division, reductions, solution_steps
from maththera.chat.messages.chat_tools import ToolFailed
from maththera.learner_model.concept_graph import unit_id
from maththera.words.answer_protection.open_answers import OpenAnswer

Json = dict[str, Any]
_FORM_OF_GAP: Final[dict[str, tuple[str, Form]]] = {"+": ("-", "addend"), "x": ("/", "factor")}

FIRST_HINTS: Final = {
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


def expression_explanation(expression: Expression, given: int | None, known: Knowledge) -> Json:
    """A long expression, one operation after the other. No wrong procedure is named for an answer to it: those are of
    two numbers."""
    value = int(expression.value or 0)
    gap = has_gap(expression.tree)
    told = [Step("gap_is", {"value": value})] if gap else [*reductions(expression.tree)]
    return {
        "expression": expression.text,
        "prompt": expression.text if gap else f"{expression.text}=□",
        "answer": value,
        "steps": [_step_text(step, known) for step in told],
        "given": None if given is None else {"answer": given, "correct": given == value, "procedures": []},
    }


def reveals_answer_of(expression: Expression, problem: Problem) -> bool:
    """Whether working out a long expression tells the answer of a problem: it has the same value, or the problem is a
    part of it."""
    if expression.value == problem.answer:
        return True
    results = (value_of(part) for part in parts_of(expression.tree) if not has_gap(part))
    return any(result == problem.answer for result in results)


def problem_explanation(problem: Problem, given: int | None, known: Knowledge) -> Json:
    """`given`: the answer that was given, if one was; its `procedures` are wrong ones that lead to it."""
    return {
        "problem_id": problem.problem_id,
        "expression": problem.expression,
        "prompt": problem.prompt,
        "layout": problem.layout,
        "unit_id": unit_id(problem.c_level),
        "unit": known.unit(unit_id(problem.c_level)),
        "answer": problem.answer,
        "steps": [_step_text(step, known) for step in solution_steps(problem)],
        "given": None if given is None else _answer_origin(problem, given),
    }


def outside_curriculum(found: Expression, known: Knowledge) -> Json:
    """What there is to say of an expression that is beyond the tutor: where something is left over of two numbers, the
    division all the same."""
    return {
        "expression": found.text,
        "prompt": f"{found.text}=□",
        "answer": None,
        "steps": [_step_text(step, known) for step in _why_not(found)],
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


def explanation_without_answer(explanation: Json, task: Problem, known: Knowledge) -> Json:
    """The same up to the step that would tell the answer of an open task; how to begin with that, where it is the first
    one."""
    one = OpenAnswer.of(task)
    told = [*takewhile(lambda step: not known.open_answers.mentions(step, one), explanation["steps"])]
    problem = known.problem(explanation.get("problem_id"))
    written = [*solution_steps(problem)] if problem is not None else []
    by_digits = [place for place, step in enumerate(written) if step.key.startswith(("column_", "divide"))]
    told = told[: by_digits[-1]] if by_digits else told  # the last digit completes the answer
    return explanation | {"answer": None, "given": None, "steps": told or [_first_hint(task, known)], "open_task": True}


def _first_hint(problem: Problem, known: Knowledge) -> str:
    """How a child may begin by itself."""
    key = f"begin_{FIRST_HINTS.get(problem.form) or FIRST_HINTS[problem.op]}"
    large, small = max(problem.a, problem.b), min(problem.a, problem.b)
    return _step_text(Step(key, {"a": problem.a, "b": problem.b, "large": large, "small": small}), known)


def _answer_origin(problem: Problem, given: int) -> Json:
    rules = malrules_giving(problem, given)
    return {
        "answer": given,
        "correct": given == problem.answer,
        "procedures": [{"name": rule.name, "title": rule.title} for rule in rules],
    }


def _step_text(step: Step, known: Knowledge) -> str:
    return fill_template(known.coach.config.steps[step.key], **step.values)
