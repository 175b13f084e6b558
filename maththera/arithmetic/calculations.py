"""Every calculation in a text with its numbers and its value: whole expressions and their parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from maththera.arithmetic.expression_parser import Sides
from maththera.arithmetic.expression_search import sides_in
from maththera.arithmetic.expressions import GAP, Node, Operation, has_gap, numbers_of, parts_of, solved, value_of
from maththera.korean.numbers import plain

_MOST_TERMS: Final = 9


@dataclass(frozen=True, slots=True)
class Calculation:
    """`terms`: the numbers from left to right, without a gap; `value`: the result, or the number that belongs into the
    gap."""

    terms: tuple[Fraction, ...]
    value: Fraction

    def uses(self, numbers: tuple[int, ...]) -> bool:
        """Whether the calculation has exactly these numbers, in any order."""
        return sorted(self.terms) == sorted(numbers)


@lru_cache(maxsize=512)
def calculations(text: str) -> tuple[Calculation, ...]:
    """The calculations of a text; of 1+28+15 also 28+15. Those without a value are left out."""
    return tuple(one for sides in sides_in(plain(text)) for one in _calculated(sides))


def _calculated(sides: Sides) -> Iterator[Calculation]:
    if sides.beyond in ("power", "percent"):
        return
    if any(map(has_gap, sides.nodes)):
        yield from _with_gap(sides.nodes)
        return
    for node in sides.nodes:
        for part in parts_of(node):
            yield from _runs(part)


def _with_gap(nodes: tuple[Node, ...]) -> Iterator[Calculation]:
    """The calculation of two sides with one gap."""
    if len(nodes) != 2 or [part for node in nodes for part in parts_of(node)].count(GAP) != 1:
        return
    opened, known = sorted(nodes, key=has_gap, reverse=True)
    try:
        value = solved(opened, value_of(known))
    except ZeroDivisionError:
        return
    if value is not None:
        yield Calculation(tuple(number for node in nodes for number in numbers_of(node)), value)


def _runs(node: Node) -> Iterator[Calculation]:
    """The runs of neighbours in the chain of sums or products that ends with this node: of 9-4+6 these are 9-4+6 and
    -4+6, read as 4+6."""
    if not isinstance(node, Operation):
        return
    chain = [*_chain(node, "+-" if node.op in "+-" else "x/")][-_MOST_TERMS:]
    for start in range(len(chain) - 1):
        try:
            value = value_of(_joined(chain[start:]))
        except ZeroDivisionError:
            continue
        yield Calculation(tuple(number for _, part in chain[start:] for number in numbers_of(part)), value)


def _chain(node: Node, ops: str) -> Iterator[tuple[str, Node]]:
    if isinstance(node, Operation) and node.op in ops:
        yield from _chain(node.left, ops)
        yield node.op, node.right
    else:
        yield ops[0], node


def _joined(chain: Sequence[tuple[str, Node]]) -> Node:
    (_, node), *others = chain
    for op, part in others:
        node = Operation(op, node, part)
    return node
