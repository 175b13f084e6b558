"""Expressions of any length as trees: their value, their text, and why some are beyond this tutor."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from maththera.arithmetic.problem import SIGNS

Beyond = Literal[
    "by_zero", "fraction", "decimal", "percent", "power", "unknown", "too_long", "negative", "remainder"
]  # fmt: skip
"""Why a tutor of natural numbers declines an expression. `unknown`: more than one gap; `too_long`: a number of more
than six digits, or too many operations."""

MOST_OPERATIONS: Final = 12
_LARGEST: Final = 999_999
_RANK: Final = {"+": 1, "-": 1, "x": 2, "/": 2}


class _Gap:
    """The □ of 3+□=5."""

    def __repr__(self) -> str:
        return "□"


GAP: Final = _Gap()


@dataclass(frozen=True, slots=True)
class Operation:
    """`op` is one of + - x /."""

    op: str
    left: "Node"
    right: "Node"


Node = Fraction | Operation | _Gap


def value_of(node: Node) -> Fraction:
    """ZeroDivisionError for a division by zero, TypeError for a gap."""
    if isinstance(node, Fraction):
        return node
    if isinstance(node, _Gap):
        raise TypeError("a gap has no value")
    left, right = value_of(node.left), value_of(node.right)
    match node.op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "x":
            return left * right
    return left / right


def parts_of(node: Node) -> Iterator[Node]:
    """The node and its parts, in the order of calculation."""
    if isinstance(node, Operation):
        yield from parts_of(node.left)
        yield from parts_of(node.right)
    yield node


def numbers_of(node: Node) -> Iterator[Fraction]:
    return (part for part in parts_of(node) if isinstance(part, Fraction))


def has_gap(node: Node) -> bool:
    return any(part is GAP for part in parts_of(node))


def operations(node: Node) -> int:
    """The number of operations."""
    return sum(isinstance(part, Operation) for part in parts_of(node))


def text_of(node: Node) -> str:
    """The text of an expression, with the brackets that it needs: (2+3)×4, 12−5+3."""
    if isinstance(node, _Gap):
        return "□"
    if isinstance(node, Fraction):
        number = str(node.numerator) if node.denominator == 1 else f"{node.numerator}/{node.denominator}"
        return number.replace("-", "−")
    left, right = text_of(node.left), text_of(node.right)
    if isinstance(node.left, Operation) and _RANK[node.left.op] < _RANK[node.op]:
        left = f"({left})"
    if isinstance(node.right, Operation) and _RANK[node.right.op] <= _RANK[node.op]:
        right = f"({right})"
    return f"{left}{SIGNS[node.op]}{right}"


def solved(node: Node, result: Fraction) -> Fraction | None:
    """The number for the one gap of `node` with the given result; None if nothing or anything fits."""
    while isinstance(node, Operation):
        gap_is_left = has_gap(node.left)
        known = value_of(node.right if gap_is_left else node.left)
        try:
            result = _undone(node.op, known, result, gap_is_left=gap_is_left)
        except ZeroDivisionError:
            return None
        node = node.left if gap_is_left else node.right
    return result


def _undone(op: str, known: Fraction, result: Fraction, *, gap_is_left: bool) -> Fraction:
    match op, gap_is_left:
        case "+", _:
            return result - known
        case "x", _:
            return result / known
        case "-", True:
            return result + known
        case "-", False:
            return known - result
        case "/", True:
            return result * known
    return known / result


def beyond(node: Node, value: Fraction | None) -> Beyond | None:
    """Why the numbers of a tree are beyond this tutor, or None. `value`: its result, or the number in its gap."""
    if value is None:
        return "unknown"
    if any(number.denominator != 1 for number in numbers_of(node)):
        return "fraction"
    if operations(node) > MOST_OPERATIONS or any(abs(number) > _LARGEST for number in numbers_of(node)):
        return "too_long"
    if value < 0 or any(not has_gap(part) and value_of(part) < 0 for part in parts_of(in_order(node))):
        return "negative"
    quotients = (part for part in parts_of(node) if isinstance(part, Operation) and part.op == "/")
    if value.denominator != 1 or any(not has_gap(part) and value_of(part).denominator != 1 for part in quotients):
        return "remainder"
    return None


def in_order(node: Node) -> Node:
    """The same expression with additions before subtractions if it would otherwise go below zero: 3−5+4."""
    if not isinstance(node, Operation):
        return node
    node = Operation(node.op, in_order(node.left), in_order(node.right))
    terms = [*_terms(node)]
    if has_gap(node) or len(terms) <= 2 or all(value_of(part) >= 0 for part in parts_of(node)):
        return node
    terms.sort(key=lambda term: term[0] == "-")
    ordered = terms[0][1]
    for op, term in terms[1:]:
        ordered = Operation(op, ordered, term)
    return ordered


def _terms(node: Node) -> Iterator[tuple[str, Node]]:
    """The terms that a chain of sums and differences adds (+) and subtracts (-)."""
    if isinstance(node, Operation) and node.op in "+-":
        yield from _terms(node.left)
        yield node.op, node.right
    else:
        yield "+", node
