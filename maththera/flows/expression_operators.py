"""How expressions join values: operators, comparisons, choices, lists and objects, with what their types tell before
anything runs."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from maththera.flows.operations import Evaluation, EvaluationError, added, as_number, calculated, kind_shown, size
from maththera.flows.schemas import ANYTHING, Typed, described, union, without_null

Closure = Callable[[Evaluation], Any]
Compiled = tuple[Closure, Typed]

NUMBER, INTEGER, BOOLEAN, _TEXT = (Typed.of({"type": kind}) for kind in ("number", "integer", "boolean", "string"))
_COMPARE: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, many: one in (many or ()),
    ast.NotIn: lambda one, many: one not in (many or ()),
}
_SIGNS: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_ARITHMETIC: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class Operators:
    """The part of a parser that knows operators; how a part is compiled and a fault told is the whole parser's."""

    _defaulted: int
    """Inside this many `??`, so null is welcome."""

    def compile(self, node: ast.expr, depth: int) -> Compiled:
        raise NotImplementedError

    def _wrong(self, node: ast.AST, message: str) -> Compiled:
        raise NotImplementedError

    def _bool(self, node: ast.BoolOp, depth: int) -> Compiled:
        compiled = [self.compile(each, depth) for each in node.values]
        parts = [value for value, _ in compiled]
        typed = compiled[0][1]
        for _, each in compiled[1:]:
            typed = union(typed, each)
        stops = isinstance(node.op, ast.Or)

        def join(evaluation: Evaluation) -> Any:
            value: Any = None
            for part in parts:
                value = part(evaluation)
                if bool(value) is stops:
                    break
            return value

        return join, typed

    def _unary(self, node: ast.UnaryOp, depth: int) -> Compiled:
        value, typed = self.compile(node.operand, depth)
        if isinstance(node.op, ast.Not):
            return lambda evaluation: not value(evaluation), BOOLEAN
        if isinstance(node.op, ast.Invert):
            return self._wrong(node, "'~' is not part of expressions")
        self._numeric(node.operand, typed, "-")
        sign = operator.neg if isinstance(node.op, ast.USub) else operator.pos

        def signed(evaluation: Evaluation) -> Any:
            return calculated(lambda _, number: sign(number), 0, as_number(value(evaluation), "-"))

        return signed, NUMBER if typed.kinds() != {"integer"} else INTEGER

    def _numeric(self, node: ast.expr, typed: Typed, sign: str) -> None:
        kinds = typed.kinds()
        if kinds is not None and not kinds & {"integer", "number", "null"}:
            self._wrong(node, f"'{sign}' needs numbers, and this is {described(typed)}")

    def _binary(self, node: ast.BinOp, depth: int) -> Compiled:
        if isinstance(node.op, ast.Pow):
            return self._default(node, depth)
        sign = _SIGNS.get(type(node.op))
        if sign is None:
            return self._wrong(node, "this operator is not part of expressions")
        left, one = self.compile(node.left, depth)
        right, other = self.compile(node.right, depth)
        kinds = one.kinds(), other.kinds()
        if sign == "+":
            return self._plus(node, left, right, one, other)
        self._numeric(node.left, one, sign)
        self._numeric(node.right, other, sign)
        apply = _ARITHMETIC[type(node.op)]

        def calculate(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return calculated(apply, as_number(left(evaluation), sign), as_number(right(evaluation), sign))

        whole = sign != "/" and kinds == ({"integer"}, {"integer"})
        return calculate, INTEGER if whole else NUMBER

    def _plus(self, node: ast.BinOp, left: Closure, right: Closure, one: Typed, other: Typed) -> Compiled:
        kinds, others = one.kinds(), other.kinds()
        numbers = {"integer", "number"}
        if kinds and others and not (kinds | others) & {"null"}:
            same = kinds & others or (kinds <= numbers and others <= numbers)
            if not same:
                return self._wrong(node, f"'+' cannot join {described(one)} and {described(other)}")

        def add(evaluation: Evaluation) -> Any:
            return added(evaluation, left(evaluation), right(evaluation))

        if kinds and others and kinds <= numbers and others <= numbers:
            return add, INTEGER if kinds == others == {"integer"} else NUMBER
        return add, _TEXT if kinds == others == {"string"} else one if kinds == others else ANYTHING

    def _default(self, node: ast.BinOp, depth: int) -> Compiled:
        self._defaulted += 1
        left, one = self.compile(node.left, depth)
        self._defaulted -= 1
        right, other = self.compile(node.right, depth)

        def default(evaluation: Evaluation) -> Any:
            value = left(evaluation)
            return right(evaluation) if value is None else value

        return default, union(without_null(one), other)

    def _compare(self, node: ast.Compare, depth: int) -> Compiled:
        first, typed = self.compile(node.left, depth)
        links: list[tuple[Callable[[Any, Any], Any], Closure]] = []
        left: ast.expr = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            value, other = self.compile(right, depth)
            if type(op) not in _COMPARE:
                return self._wrong(right, "compare with == and !=, not with 'is'")
            self._comparable(left, op, typed, other)
            links.append((_COMPARE[type(op)], value))
            left, typed = right, other

        def compare(evaluation: Evaluation) -> bool:
            one = first(evaluation)
            for test, value in links:
                other = value(evaluation)
                evaluation.spend(1 + size(one) + size(other))
                try:
                    if not test(one, other):
                        return False
                except (TypeError, RecursionError):
                    raise EvaluationError(f"{kind_shown(one)} cannot be compared with {kind_shown(other)}") from None
                one = other
            return True

        return compare, BOOLEAN

    def _comparable(self, node: ast.expr, op: ast.cmpop, one: Typed, other: Typed) -> None:
        kinds, others = one.kinds(), other.kinds()
        if not kinds or not others or isinstance(op, ast.NotEq | ast.NotIn):
            return
        if isinstance(op, ast.In):
            if not others & {"array", "string", "object", "null"}:
                self._wrong(node, f"'in' needs a list on its right, not {described(other)}")
            return
        numbers = {"integer", "number"}
        alike = kinds & others or (kinds & numbers and others & numbers)
        if not alike and "null" not in kinds | others:
            end = "is never true" if isinstance(op, ast.Eq) else "has no order"
            self._wrong(node, f"comparing {described(one)} with {described(other)} {end}")

    def _either(self, node: ast.IfExp, depth: int) -> Compiled:
        test = self.compile(node.test, depth)[0]
        then, one = self.compile(node.body, depth)
        otherwise, other = self.compile(node.orelse, depth)
        return lambda evaluation: (then if test(evaluation) else otherwise)(evaluation), union(one, other)

    def _list(self, node: ast.List | ast.Tuple, depth: int) -> Compiled:
        compiled = [self.compile(each, depth) for each in node.elts]
        items = compiled[0][1] if compiled else ANYTHING
        for _, each in compiled[1:]:
            items = union(items, each)
        values = [value for value, _ in compiled]
        typed = Typed({"type": "array", "items": _widened(items.schema)}, items.root)
        return lambda evaluation: [value(evaluation) for value in values], typed

    def _dict(self, node: ast.Dict, depth: int) -> Compiled:
        pairs: list[tuple[str, Closure]] = []
        for key, each in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                return self._wrong(key or node, "the keys of an object are quoted texts")
            pairs.append((key.value, self.compile(each, depth)[0]))
        return lambda evaluation: {key: value(evaluation) for key, value in pairs}, Typed.of({"type": "object"})


def _widened(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in schema.items() if key != "const"}
