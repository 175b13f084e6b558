"""Expressions of flow authors: a subset of Python's syntax, compiled once into closures, never `eval`.

A path through null, a missing field and an index past the end give null. Evaluation spends a budget of work, so no
expression runs long, whatever its data.
"""

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

from maththera.config_files import nearest_name
from maththera.flows.language import messages
from maththera.flows.language.expression_evaluation import (
    ARGUMENTS,
    ARITHMETIC,
    CALLS,
    COMPARISONS,
    Evaluation,
    added,
    as_number,
    checked_arithmetic,
    compared,
    days_ago,
    field_of,
    is_json_number,
    item_at,
    part_of,
)
from maththera.flows.language.expression_syntax import (
    FUNCTIONS,
    LENGTHS,
    MARK,
    MEANT,
    SURROGATE,
    Findings,
    VisibleNames,
    is_input,
    outside_quotes,
    prepared,
    refusal,
    tree_of,
)
from maththera.flows.language.faults import suggestion
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import (
    ANYTHING,
    BOOLEAN,
    INTEGER,
    NUMBER,
    NoSuchField,
    SchemaType,
    cannot_be_in,
    cannot_join,
    element,
    items_of,
    kind_of,
    list_type,
    member,
    not_a_number,
    not_comparable,
    sum_type,
    type_of_call,
    type_text,
    union,
    without_null,
)

Closure = Callable[[Evaluation], Any]
Compiled = tuple[Closure, SchemaType]

_MOST_NODES: Final = 400
_DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class Expression:
    """A checked expression. `roots`: the names it reads; `typed`: the type of its value."""

    source: str
    value: Closure
    roots: frozenset[str]
    typed: SchemaType


def parse(source: str, names: VisibleNames, findings: Findings) -> Expression | None:
    """Parses and compiles an expression; None when `findings` got a fault."""
    before = len(findings.faults)
    tree = tree_of(source, findings)
    if tree is None:
        return None
    parser = _Parser(source, names, findings)
    value, typed = parser.compile(tree, 0)
    if len(findings.faults) > before:
        return None
    return Expression(source, value, frozenset(parser.roots), typed)


_CONSTANTS: Final = {"true": True, "false": False, "null": None}


def _null(_: Evaluation) -> Any:
    return None


class _Parser:
    """Compiles one expression. A wrong part becomes null and goes into the findings, so that all faults are found."""

    def __init__(self, source: str, names: VisibleNames, findings: Findings) -> None:
        self.roots: set[str] = set()
        self._names, self._findings = names, findings
        self._lead = len(source) - len(source.lstrip())
        self._bytes = prepared(source, dict(outside_quotes(source))).lstrip().encode()
        self._nodes = 0
        self._defaulted = 0  # depth within `??`, where null needs no warning
        self._table: dict[type[ast.AST], Callable[[Any, int], Compiled]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.Call: self._call,
            ast.BoolOp: self._bool,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.Compare: self._compare,
            ast.IfExp: self._either,
            ast.List: self._list,
            ast.Tuple: self._list,
            ast.Dict: self._dict,
        }

    def compile(self, node: ast.expr, depth: int) -> Compiled:
        self._nodes += 1
        if self._nodes > _MOST_NODES or depth > _DEEPEST:
            return self._wrong(node, messages.TOO_LARGE_EXPRESSION())
        handler = self._table.get(type(node))
        if (reason := refusal(node, code=False)) is not None or handler is None:
            return self._wrong(node, reason or messages.NOT_PART())
        return handler(node, depth + 1)

    def offset(self, node: ast.AST) -> int:
        column = getattr(node, "col_offset", 0)
        return self._lead + len(self._bytes[:column].decode(errors="ignore"))

    def _wrong(self, node: ast.AST, message: Message) -> Compiled:
        if not self._findings.faults or self._nodes <= _MOST_NODES:
            self._findings.faults.append((self.offset(node), message))
        return _null, ANYTHING

    def _refuse(self, node: ast.AST, reason: Message | None) -> None:
        if reason:
            self._wrong(node, reason)

    def _warn(self, node: ast.AST, message: Message) -> None:
        if not self._defaulted:
            self._findings.warnings.append((self.offset(node), message))

    def _constant(self, node: ast.Constant, _: int) -> Compiled:
        value = node.value
        if not isinstance(value, str | int | float | type(None)):
            return self._wrong(node, messages.NOT_PART())
        if isinstance(value, int | float) and not is_json_number(value):
            return self._wrong(node, messages.LARGE_NUMBER())
        if isinstance(value, str) and SURROGATE.search(value):
            return self._wrong(node, messages.STRANGE_CHARACTER())
        return lambda _: value, SchemaType.of({"const": value, "type": kind_of(value)})

    def _name(self, node: ast.Name, _: int) -> Compiled:
        name = node.id
        if name in _CONSTANTS:
            constant = _CONSTANTS[name]
            return lambda _: constant, SchemaType.of({"type": kind_of(constant)})
        if not name.startswith(MARK):
            if name in self._names.known():
                return self._wrong(node, messages.NEEDS_SIGN(name=name, meant=name))
            if is_input(name, self._names):
                return self._wrong(node, messages.NEEDS_SIGN(name=name, meant=f"inputs.{name}"))
            return self._wrong(node, messages.UNKNOWN_REFERENCE(name=name))
        name = name[1:]
        if name == "date_utils":
            return self._wrong(node, messages.DATES(near=messages.NOTHING_NEAR))
        try:
            typed = self._names.root(name)
        except NoSuchField as error:
            return self._wrong(node, error.message)
        self.roots.add(name)
        if why := self._names.uncertain(name):
            self._warn(node, messages.MAY_BE_NULL(name=name, why=why))

        def read(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return evaluation.values.get(name)

        return read, typed

    def _attribute(self, node: ast.Attribute, depth: int) -> Compiled:
        owner, typed = self.compile(node.value, depth)
        name = node.attr
        try:
            found = member(typed, name)
        except NoSuchField as error:
            if typed.kinds() != {"null"}:  # null has no fields, and reading one gives null
                what = self._written(node.value)
                length = messages.LENGTH(what=what)
                message = length if name in LENGTHS else messages.OF(what=what, reason=error.message)
                self._findings.faults.append((self._end(node) - len(name), message))
            found = ANYTHING

        def read(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return field_of(owner(evaluation), name)

        return read, found

    def _written(self, node: ast.expr) -> str:
        """A part of the expression as its author wrote it."""
        return (ast.get_source_segment(self._bytes.decode(), node) or "this").replace(MARK, "$")

    def _end(self, node: ast.expr) -> int:
        return self._lead + len(self._bytes[: node.end_col_offset or 0].decode(errors="ignore"))

    def _subscript(self, node: ast.Subscript, depth: int) -> Compiled:
        owner, typed = self.compile(node.value, depth)
        if isinstance(node.slice, ast.Slice):
            return self._sliced(node, node.slice, owner, typed, depth)
        index, index_typed = self.compile(node.slice, depth)
        kinds = index_typed.kinds()
        constant = node.slice.value if isinstance(node.slice, ast.Constant) else None
        try:
            if kinds == {"string"}:
                found = member(typed, constant) if isinstance(constant, str) else ANYTHING
            elif kinds == {"integer"}:
                found = element(typed)
                shown = self._written(node)
                self._warn(node, messages.SHORTER_LIST(what=shown))
            else:
                found = ANYTHING
        except NoSuchField as error:
            return self._wrong(node, messages.OF(what=self._written(node.value), reason=error.message))

        def read(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return item_at(owner(evaluation), index(evaluation))

        return read, found

    def _sliced(self, node: ast.Subscript, part: ast.Slice, owner: Closure, typed: SchemaType, depth: int) -> Compiled:
        if part.step is not None:
            return self._wrong(node, messages.PART_OF_LIST())
        low = self.compile(part.lower, depth)[0] if part.lower else _null
        high = self.compile(part.upper, depth)[0] if part.upper else _null

        return lambda evaluation: part_of(evaluation, owner(evaluation), low(evaluation), high(evaluation)), typed

    def _call(self, node: ast.Call, depth: int) -> Compiled:
        if node.keywords:
            return self._wrong(node, messages.NO_NAMED_ARGUMENTS())
        match node.func:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in (f"{MARK}date_utils", "date_utils"):
                return self._date(node, name, depth)
            case ast.Name(id=name) if name.removeprefix(MARK) in FUNCTIONS:
                return self._function(node, name.removeprefix(MARK), depth)
            case ast.Name(id=name):
                name = name.removeprefix(MARK)
                near = suggestion(MEANT.get(name, name), FUNCTIONS)
                return self._wrong(node, messages.UNKNOWN_FUNCTION(name=name, near=near))
            case ast.Attribute(attr=name):
                return self._wrong(node, messages.NO_METHODS(name=name))
        return self._wrong(node, messages.ONLY_NAMED())

    def _date(self, node: ast.Call, name: str, depth: int) -> Compiled:
        dated = SchemaType.of({"type": "string", "format": "date-time"})
        if name == "now" and not node.args:
            return lambda evaluation: evaluation.now.isoformat(timespec="seconds"), dated
        if name != "days_ago" or len(node.args) != 1:
            known = ("now", "days_ago")
            meant = nearest_name(name, known) if name not in known else None
            near = messages.NOTHING_NEAR if meant is None else messages.DID_YOU_MEAN(name=meant)
            return self._wrong(node, messages.DATES(near=near))
        days, typed = self.compile(node.args[0], depth)
        kinds = typed.kinds()
        if kinds is not None and not kinds & {"integer", "number"}:
            return self._wrong(node.args[0], messages.DAYS_AGO(kind=type_text(typed)))

        return lambda evaluation: days_ago(evaluation, days(evaluation)), dated

    def _function(self, node: ast.Call, name: str, depth: int) -> Compiled:
        least, most = ARGUMENTS.get(name, (1, 1))
        if not least <= len(node.args) <= most:
            wanted = messages.ONE_ARGUMENT if most == 1 else messages.SOME_ARGUMENTS(least=least, most=most)
            return self._wrong(node, messages.ARGUMENTS(name=name, wanted=wanted, given=len(node.args)))
        self._defaulted += name == "len"
        compiled = [self.compile(each, depth) for each in node.args]
        self._defaulted -= name == "len"
        arguments = [value for value, _ in compiled]
        typed = compiled[0][1]
        kinds = typed.kinds()
        fitting = {"array", "object"} | ({"string", "null"} if name == "len" else set())
        if name != "round" and len(node.args) == 1 and kinds and not kinds & fitting:
            return self._wrong(node.args[0], messages.NEEDS_LIST(name=name, kind=type_text(typed)))
        if name == "sum" and (items := items_of(typed)) is not None:
            self._refuse(node.args[0], not_a_number(items, "sum()"))
        function = CALLS[name]

        def call(evaluation: Evaluation) -> Any:
            return function(evaluation, [argument(evaluation) for argument in arguments])

        return call, type_of_call(name, [each for _, each in compiled])

    def _bool(self, node: ast.BoolOp, depth: int) -> Compiled:
        compiled = [self.compile(each, depth) for each in node.values]
        parts = [value for value, _ in compiled]
        stops = isinstance(node.op, ast.Or)

        def join(evaluation: Evaluation) -> Any:
            value: Any = None
            for part in parts:
                value = part(evaluation)
                if bool(value) is stops:
                    break
            return value

        return join, reduce(union, [typed for _, typed in compiled])

    def _unary(self, node: ast.UnaryOp, depth: int) -> Compiled:
        value, typed = self.compile(node.operand, depth)
        if isinstance(node.op, ast.Not):
            return lambda evaluation: not value(evaluation), BOOLEAN
        if isinstance(node.op, ast.Invert):
            return self._wrong(node, messages.NO_INVERT())
        self._refuse(node.operand, not_a_number(typed, "-"))
        sign = operator.neg if isinstance(node.op, ast.USub) else operator.pos

        def signed(evaluation: Evaluation) -> Any:
            return checked_arithmetic(lambda _, number: sign(number), 0, as_number(value(evaluation), "-"))

        return signed, NUMBER if typed.kinds() != {"integer"} else INTEGER

    def _binary(self, node: ast.BinOp, depth: int) -> Compiled:
        if isinstance(node.op, ast.Pow):  # the stand-in for `??`
            return self._default(node, depth)
        if isinstance(node.op, ast.Add):
            return self._plus(node, depth)
        if type(node.op) not in ARITHMETIC:
            return self._wrong(node, messages.NO_OPERATOR())
        sign, apply = ARITHMETIC[type(node.op)]
        left, one = self.compile(node.left, depth)
        right, other = self.compile(node.right, depth)
        self._refuse(node.left, not_a_number(one, sign))
        self._refuse(node.right, not_a_number(other, sign))

        def calculate(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return checked_arithmetic(apply, as_number(left(evaluation), sign), as_number(right(evaluation), sign))

        whole = sign != "/" and one.kinds() == other.kinds() == {"integer"}
        return calculate, INTEGER if whole else NUMBER

    def _plus(self, node: ast.BinOp, depth: int) -> Compiled:
        left, one = self.compile(node.left, depth)
        right, other = self.compile(node.right, depth)
        if reason := cannot_join(one, other):
            return self._wrong(node, reason)
        return lambda evaluation: added(evaluation, left(evaluation), right(evaluation)), sum_type(one, other)

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
            if type(op) not in COMPARISONS:
                return self._wrong(right, messages.NO_IS())
            if isinstance(op, ast.In):
                self._refuse(left, cannot_be_in(typed, other))
            elif not isinstance(op, ast.NotEq | ast.NotIn):
                self._refuse(left, not_comparable(typed, other, equal=isinstance(op, ast.Eq)))
            links.append((COMPARISONS[type(op)], value))
            left, typed = right, other

        def compare(evaluation: Evaluation) -> bool:
            one = first(evaluation)
            for test, value in links:
                other = value(evaluation)
                if not compared(evaluation, test, one, other):
                    return False
                one = other
            return True

        return compare, BOOLEAN

    def _either(self, node: ast.IfExp, depth: int) -> Compiled:
        test = self.compile(node.test, depth)[0]
        then, one = self.compile(node.body, depth)
        otherwise, other = self.compile(node.orelse, depth)
        return lambda evaluation: (then if test(evaluation) else otherwise)(evaluation), union(one, other)

    def _list(self, node: ast.List | ast.Tuple, depth: int) -> Compiled:
        compiled = [self.compile(each, depth) for each in node.elts]
        values = [value for value, _ in compiled]
        return lambda evaluation: [value(evaluation) for value in values], list_type([typed for _, typed in compiled])

    def _dict(self, node: ast.Dict, depth: int) -> Compiled:
        pairs: list[tuple[str, Closure]] = []
        for key, each in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                return self._wrong(key or node, messages.QUOTED_KEYS())
            pairs.append((key.value, self.compile(each, depth)[0]))
        return lambda evaluation: {key: value(evaluation) for key, value in pairs}, SchemaType.of({"type": "object"})
