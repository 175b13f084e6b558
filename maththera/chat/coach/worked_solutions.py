"""How a problem is solved, step by step, by the strategy that it asks for; in columns where it stands in columns."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from maththera.arithmetic.expressions import Node, Operation, in_order, parts_of, text_of, value_of
from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach import column_arithmetic
from maththera.chat.coach.solution_step import Step

_COUNTED_AT_MOST: Final = 5
"""From 98 to 100 is counted, not calculated."""


class Sums(NamedTuple):
    """An addition with its larger number first; the order does not matter to the sum."""

    large: int
    small: int

    @property
    def total(self) -> int:
        return self.large + self.small


def solution_steps(problem: Problem) -> Iterator[Step]:
    """From the first look to the answer. A form that asks for a part is turned into the operation that finds it."""
    if problem.form == "tens":
        yield Step("tens", {"a": problem.a, "answer": problem.answer})
        return
    if problem.form != "result":
        yield Step(f"gap_{problem.form}", {"a": problem.a, "b": problem.b})
        problem = make_problem(problem.a, problem.op, problem.b)
    if problem.layout == "vertical" and max(problem.a, problem.b) > 9:
        yield from column_arithmetic.BY_OPERATION[problem.op](problem.a, problem.b)
    else:
        yield from _BY_OPERATION[problem.op](problem)


def reductions(tree: Node) -> Iterator[Step]:
    """A long expression, one operation at a time: brackets, then × and ÷, then from left to right."""
    ordered = in_order(tree)
    if ordered != tree:
        yield Step("whole_order", {"rest": text_of(ordered)})
    while isinstance(ordered, Operation):
        parts = [one for one in parts_of(ordered) if isinstance(one, Operation)]
        ready = [one for one in parts if not any(isinstance(side, Operation) for side in (one.left, one.right))]
        part = next((one for one in ready if one.op in "x/"), ready[0])
        around = next((one for one in parts if any(side is part for side in (one.left, one.right))), None)
        ordered = _replaced(ordered, part)
        values = {"part": text_of(part), "value": text_of(value_of(part)), "rest": text_of(ordered)}
        yield Step(_reduction(part, around, parts), values)


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


def _addition(problem: Problem) -> Iterator[Step]:
    sums = Sums(max(problem.a, problem.b), min(problem.a, problem.b))
    if not sums.small:
        yield Step("add_zero", {"a": sums.large})
        return
    if problem.c_level == 8 and problem.strategy_tag == "STR_PLACE_VALUE":
        yield from _by_places(problem)
    else:
        yield from _ADDITIONS.get(problem.strategy_tag, _counted_on)(sums, problem)


def _counted_on(sums: Sums, _: Problem) -> Iterator[Step]:
    if sums.small > 9:
        yield from column_arithmetic.addition(sums.large, sums.small)
        return
    counted = ", ".join(str(sums.large + one) for one in range(1, sums.small + 1))
    yield Step("count_on", {"a": sums.large, "b": sums.small, "counted": counted})
    yield _sum(sums.large, sums.small)


def _doubled(sums: Sums, _: Problem) -> Iterator[Step]:
    yield Step("double", {"a": sums.small, "double": 2 * sums.small})
    if sums.large != sums.small:
        yield Step("near_double", {"a": sums.large, "b": sums.small, "double": 2 * sums.small, "answer": sums.total})


def _made_ten(sums: Sums, _: Problem) -> Iterator[Step]:
    partner, rest = 10 - sums.large, sums.large + sums.small - 10
    yield Step("partner", {"a": sums.large, "partner": partner})
    if rest:
        yield Step("split", {"a": sums.small, "one": partner, "other": rest})
        yield Step("ten_first", {"a": sums.large, "partner": partner, "rest": rest, "answer": sums.total})
    else:
        yield _sum(sums.large, sums.small)


def _ten_and_ones(sums: Sums, problem: Problem) -> Iterator[Step]:
    if problem.c_level == 5:
        yield Step("ten_and", {"ones": sums.small, "answer": sums.total})
    else:
        yield from column_arithmetic.addition(problem.a, problem.b)


def _by_places(problem: Problem) -> Iterator[Step]:
    a, b = problem.a, problem.b
    tens, ones = a // 10 * 10 + b // 10 * 10, a % 10 + b % 10
    yield Step("tens_together", {"one": a // 10 * 10, "other": b // 10 * 10, "sum": tens})
    yield Step("ones_together", {"one": a % 10, "other": b % 10, "sum": ones})
    yield _sum(tens, ones)


def _rounded_to_hundred(sums: Sums, problem: Problem) -> Iterator[Step]:
    """98+90: two are lent to make 100, and given back."""
    near, other = sums if abs(sums.large - 100) <= abs(sums.small - 100) else (sums.small, sums.large)
    gap = 100 - near
    if not 0 < gap <= 2:
        yield from _by_places(problem)
        return
    yield Step("lend", {"near": near, "gap": gap})
    yield _sum(100, other)
    yield Step("give_back", {"sum": 100 + other, "gap": gap, "answer": sums.total})


_ADDITIONS: Final[Mapping[str, Callable[[Sums, Problem], Iterator[Step]]]] = {
    "STR_DOUBLE": _doubled,
    "STR_MAKE10": _made_ten,
    "STR_PLACE_VALUE": _ten_and_ones,
    "STR_COMPENSATE": _rounded_to_hundred,
}


def _subtraction(problem: Problem) -> Iterator[Step]:
    a, b, answer = problem.a, problem.b, problem.answer
    if b in (0, a):
        yield Step("take_nothing" if b == 0 else "take_all", {"a": a})
    elif problem.c_level == 5:
        yield Step("split", {"a": a, "one": 10, "other": a - 10})
        yield Step("take_part", {"a": a, "b": b, "answer": answer})
    elif problem.c_level == 6:
        yield Step("partner", {"a": b, "partner": answer})
        yield Step("difference", {"a": a, "b": b, "answer": answer})
    elif problem.c_level == 9:
        yield Step("split", {"a": a, "one": 10, "other": a - 10})
        yield Step("from_ten", {"b": b, "left": 10 - b})
        yield _sum(10 - b, a - 10)
    elif a > 10 and a - b > _COUNTED_AT_MOST:
        yield from column_arithmetic.subtraction(a, b)
    else:
        yield from _counted_back(a, b)


def _counted_back(a: int, b: int) -> Iterator[Step]:
    """The shorter way: back from the whole, or up from the part."""
    if b > a - b:
        counted = ", ".join(str(one) for one in range(b + 1, a + 1))
        yield Step("count_up", {"a": a, "b": b, "counted": counted, "answer": a - b})
    else:
        counted = ", ".join(str(a - one) for one in range(1, b + 1))
        yield Step("count_back", {"a": a, "b": b, "counted": counted})
    yield Step("difference", {"a": a, "b": b, "answer": a - b})


def _multiplication(problem: Problem) -> Iterator[Step]:
    a, b = problem.a, problem.b
    if 0 in (a, b):
        yield Step("times_zero", {"a": a, "b": b})
    elif 1 in (a, b):
        yield Step("times_one", {"a": max(a, b)})
    elif max(a, b) > 9:
        yield from column_arithmetic.partial_products(a, b)
    elif b <= 5:
        counted = ", ".join(str(a * one) for one in range(1, b + 1))
        yield Step("skip_count", {"a": a, "b": b, "counted": counted})
        yield Step("product", {"a": a, "b": b, "answer": a * b})
    else:
        yield Step("five_times", {"a": a, "product": 5 * a})
        yield Step("rest_times", {"a": a, "rest": b - 5, "product": a * (b - 5)})
        yield _sum(5 * a, a * (b - 5))


def _division(problem: Problem) -> Iterator[Step]:
    yield from division(problem.a, problem.b)


def division(a: int, b: int) -> Iterator[Step]:
    """Also where something is left over; `b` is not 0."""
    quotient, left = divmod(a, b)
    if quotient > 9 or b > 9:
        yield from column_arithmetic.long_division(a, b)
        return
    yield Step("which_times", {"a": a, "b": b})
    if quotient:
        counted = ", ".join(str(b * one) for one in islice(range(1, quotient + 1), 9))
        yield Step("table", {"b": b, "counted": counted, "times": quotient})
    yield Step("left_over" if left else "quotient", {"a": a, "b": b, "answer": quotient, "left": left})


_BY_OPERATION: Final[Mapping[str, Callable[[Problem], Iterator[Step]]]] = {
    "+": _addition,
    "-": _subtraction,
    "x": _multiplication,
    "/": _division,
}


def _sum(a: int, b: int) -> Step:
    return Step("sum", {"a": a, "b": b, "answer": a + b})
