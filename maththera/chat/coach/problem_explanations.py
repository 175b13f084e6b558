"""One problem explained: how it is solved, and where an answer that was given comes from. A long expression is worked
out one operation at a time."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import takewhile
from typing import NamedTuple

from maththera.arithmetic.expressions import Node, Operation, has_gap, in_order, parts_of, text_of, value_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import Expression, read_expressions
from maththera.arithmetic.strategies import division_with_rest
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.messages.chat_tools import ToolFailed
from maththera.json_types import JsonObject
from maththera.knowledge.explanations import explained
from maththera.learner_model.concept_graph import unit_id
from maththera.words.answer_protection.open_answers import OpenAnswer


class Line(NamedTuple):
    """One line of an explanation: the template that says it, by its key in `configs/chat/coach/coach.yaml`, and its
    values."""

    key: str
    values: Mapping[str, object]


def expression_of(text: str) -> Expression:
    """The expression that a text is. ToolFailed for any other text."""
    read = read_expressions(text)
    if len(read) != 1:
        raise ToolFailed("식은 '8+6'이나 '12−5+3'처럼 수와 + − × ÷로 적어 줘.")
    return read[0]


def expression_explanation(expression: Expression, given: int | None, known: Knowledge) -> JsonObject:
    """A long expression, one operation after the other. No wrong procedure is named for an answer to it: those are of
    two numbers."""
    value = int(expression.value or 0)
    gap = has_gap(expression.tree)
    told = [Line("gap_is", {"value": value})] if gap else [*reductions(expression.tree)]
    return {
        "expression": expression.text,
        "prompt": expression.text if gap else f"{expression.text}=□",
        "answer": value,
        "steps": [_line_text(line, known) for line in told],
        "given": None if given is None else {"answer": given, "correct": given == value, "procedures": []},
    }


def reveals_answer_of(expression: Expression, problem: Problem) -> bool:
    """Whether working out a long expression tells the answer of a problem: it has the same value, or the problem is a
    part of it."""
    if expression.value == problem.answer:
        return True
    results = (value_of(part) for part in parts_of(expression.tree) if not has_gap(part))
    return any(result == problem.answer for result in results)


def problem_explanation(problem: Problem, given: int | None, known: Knowledge) -> JsonObject:
    """`given`: the answer that was given, if one was; its `procedures` are wrong ones that lead to it."""
    return {
        "problem_id": problem.problem_id,
        "expression": problem.expression,
        "prompt": problem.prompt,
        "layout": problem.layout,
        "unit_id": unit_id(problem.c_level),
        "unit": known.unit(unit_id(problem.c_level)),
        "answer": problem.answer,
        "steps": [step.line for step in explained(problem)],
        "given": None if given is None else _answer_origin(problem, given),
    }


def outside_curriculum(found: Expression, known: Knowledge) -> JsonObject:
    """What there is to say of an expression that is beyond the tutor: where something is left over of two numbers, the
    division all the same."""
    return {
        "expression": found.text,
        "prompt": f"{found.text}=□",
        "answer": None,
        "steps": [*_why_not(found, known)],
        "given": None,
        "beyond": found.beyond,
    }


def _why_not(found: Expression, known: Knowledge) -> Iterator[str]:
    match found.tree:
        case Operation(op=op, left=Fraction() as left, right=Fraction() as right) if min(left, right) >= 0:
            a, b = int(left), int(right)
            if found.beyond == "remainder":
                yield from (step.line for step in division_with_rest(a, b))
                yield _line_text(Line("left_over", {"a": a, "b": b, "answer": a // b, "left": a % b}), known)
            elif found.beyond in ("by_zero", "negative") and op in "-/":
                yield _line_text(
                    Line("by_zero" if found.beyond == "by_zero" else "below_zero", {"a": a, "b": b}), known
                )


def explanation_without_answer(explanation: JsonObject, task: Problem, known: Knowledge) -> JsonObject:
    """The same up to the step that would tell the answer of an open task; how to begin with that, where it is the first
    one."""
    one = OpenAnswer.of(task)
    told = [*takewhile(lambda step: not known.open_answers.mentions(step, one), explanation["steps"])]
    problem = known.problem(explanation.get("problem_id"))
    if problem is not None:
        steps = explained(problem)
        last_digit = steps[-1].mode == "columns"  # it completes the answer
        told = told[: max(0, len(steps) - 1 - last_digit)]
    first = explained(task)[0].say
    return explanation | {"answer": None, "given": None, "steps": told or [first], "open_task": True}


def _answer_origin(problem: Problem, given: int) -> JsonObject:
    rules = malrules_giving(problem, given)
    return {
        "answer": given,
        "correct": given == problem.answer,
        "procedures": [{"name": rule.name, "title": rule.title} for rule in rules],
    }


def _line_text(line: Line, known: Knowledge) -> str:
    return fill_template(known.coach.config.lines[line.key], **line.values)


def reductions(tree: Node) -> Iterator[Line]:
    """A long expression, one operation at a time: brackets, then × and ÷, then from left to right."""
    ordered = in_order(tree)
    if ordered != tree:
        yield Line("whole_order", {"rest": text_of(ordered)})
    while isinstance(ordered, Operation):
        parts = [one for one in parts_of(ordered) if isinstance(one, Operation)]
        ready = [one for one in parts if not any(isinstance(side, Operation) for side in (one.left, one.right))]
        part = next((one for one in ready if one.op in "x/"), ready[0])
        around = next((one for one in parts if any(side is part for side in (one.left, one.right))), None)
        ordered = _replaced(ordered, part)
        values = {"part": text_of(part), "value": text_of(value_of(part)), "rest": text_of(ordered)}
        yield Line(_reduction(part, around, parts), values)


def _reduction(part: Operation, around: Operation | None, parts: list[Operation]) -> str:
    if around is None:
        return "whole_last"
    if part.op in "+-" and (around.op in "x/" or around.right is part):
        return "whole_brackets"
    return "whole_times" if part.op in "x/" and any(one.op in "+-" for one in parts) else "whole_next"


def _replaced(node: Node, part: Operation) -> Node:
    """The tree with the value of this part in its place."""
    if node is part:
        return value_of(part)
    if not isinstance(node, Operation):
        return node
    return Operation(node.op, _replaced(node.left, part), _replaced(node.right, part))
