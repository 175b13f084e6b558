"""A long expression, worked out one operation at a time."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from maththera.arithmetic.expressions import Node, Operation, in_order, parts_of, text_of, value_of


class Line(NamedTuple):
    """One line of an explanation: the template that says it, by its key in `configs/chat/coach.yaml`, and its
    values."""

    key: str
    values: Mapping[str, object]


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
