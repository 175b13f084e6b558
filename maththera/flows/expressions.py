"""Expressions of flow authors: a subset of Python's syntax, parsed once into closures, never `eval`.

`$` marks a reference and `??` a default. Both have stand-ins of the same length that Python's own parser takes (a rune
and the power operator, which flows do not have), so that its columns are the author's. `??` therefore binds tighter
than arithmetic: `$x.score ?? 0 > 3` compares what is there, or 0, with 3.

A path through null, a missing field and an index past the end give null. Evaluation spends a budget of work, so no
expression runs long, whatever its data.
"""

import ast
import keyword
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Protocol

from maththera.flows.faults import suggestion
from maththera.flows.operations import (
    CALLS,
    MOST_BITS,
    Evaluation,
    EvaluationError,
    added,
    as_number,
    at,
    calculated,
    is_index,
    kind_shown,
    size,
)
from maththera.flows.schemas import (
    ANYTHING,
    NoSuchField,
    Typed,
    described,
    element,
    kind_of,
    member,
    union,
    without_null,
)

MARK: Final = "ᚠ"
"""Stands for `$`: a letter to Python, and nobody's."""

_LONGEST: Final = 2_000  # characters
_MOST_NODES: Final = 400
_DEEPEST: Final = 40
_MOST_DAYS: Final = 40_000


Closure = Callable[[Evaluation], Any]


@dataclass(frozen=True, slots=True)
class Expression:
    """A checked expression. `roots`: the names it reads; `typed`: what it gives."""

    source: str
    value: Closure
    roots: frozenset[str]
    typed: Typed


class Names(Protocol):
    """What `$name` may be here."""

    def root(self, name: str) -> Typed:
        """Raises NoSuchField with the reason."""
        ...

    def uncertain(self, name: str) -> str | None:
        """Why the value may be null although its type does not say so."""
        ...

    def known(self) -> Collection[str]: ...


@dataclass(slots=True)
class Findings:
    """Offsets into the source, and what is wrong there."""

    faults: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[tuple[int, str]] = field(default_factory=list)


def parse(source: str, names: Names, findings: Findings) -> Expression | None:
    """None when `findings` got a fault."""
    before = len(findings.faults)
    tree = _tree(source, findings)
    if tree is None:
        return None
    parser = _Parser(source, names, findings)
    value, typed = parser.compile(tree, 0)
    if len(findings.faults) > before:
        return None
    return Expression(source, value, frozenset(parser.roots), typed)


def is_expression(source: str) -> bool:
    """Whether a text that begins with $ can be read as one. A list without brackets is a text with commas."""
    tree = _tree(source, Findings())
    return tree is not None and not isinstance(tree, ast.Tuple)


def outside_quotes(source: str) -> Iterator[tuple[int, str]]:
    """The characters that are not part of a quoted text, with their offsets."""
    quote, skip = "", False
    for offset, sign in enumerate(source):
        if skip:
            skip = False
        elif quote:
            skip = sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            yield offset, sign


_FOREIGN: Final = {
    "&&": "write 'and' instead of '&&'",
    "||": "write 'or' instead of '||'",
    "**": "powers are not part of expressions",
    "{{": "references are written $name, without braces",
    "===": "write '==' instead of '==='",
    "=>": "functions cannot be written here; use a python step",
}


def _tree(source: str, findings: Findings) -> ast.expr | None:
    if len(source) > _LONGEST:
        findings.faults.append((0, f"is longer than {_LONGEST:,} characters; use a python step"))
        return None
    if MARK in source or "\0" in source:
        findings.faults.append((0, "holds a character that expressions cannot have"))
        return None
    if not source.strip():
        findings.faults.append((0, "is empty"))
        return None
    plain = dict(outside_quotes(source))
    for foreign, advice in _FOREIGN.items():
        if (offset := _find(source, foreign, plain)) is not None:
            findings.faults.append((offset, advice))
            return None
    glued = next((at for at, sign in plain.items() if sign == "$" and _ends_a_value(source[at - 1 : at])), None)
    if glued is not None:
        findings.faults.append((glued, "something is missing in front of the $"))
        return None
    prepared = _prepared(source, plain)
    lead = len(prepared) - len(prepared.lstrip())
    try:
        return ast.parse(prepared.lstrip(), mode="eval").body
    except SyntaxError as error:
        offset = min(lead + max((error.offset or 1) - 1, 0), len(source))
        findings.faults.append((offset, _reason(error, source, plain)))
    except (ValueError, MemoryError, RecursionError):
        findings.faults.append((0, "is nested too deeply"))
    return None


def _ends_a_value(sign: str) -> bool:
    return sign.isalnum() or (sign != "" and sign in "_$)]}")


def _find(source: str, wanted: str, plain: Mapping[int, str]) -> int | None:
    offset = source.find(wanted)
    while offset >= 0:
        if offset in plain:
            return offset
        offset = source.find(wanted, offset + 1)
    return None


def _prepared(source: str, plain: Mapping[int, str]) -> str:
    signs = list(source)
    for offset, sign in plain.items():
        if sign == "$":
            signs[offset] = MARK
        elif sign == "?" and plain.get(offset + 1) == "?":
            signs[offset : offset + 2] = "**"
        elif sign in "\r\n\t":
            signs[offset] = " "
    return "".join(signs)


def _reason(error: SyntaxError, source: str, plain: Mapping[int, str]) -> str:
    if any(sign == "=" and _alone(source, offset) for offset, sign in plain.items()):
        return "compare with '==', not with '='"
    if any(sign == "!" and source[offset + 1 : offset + 2] != "=" for offset, sign in plain.items()):
        return "write 'not' instead of '!'"
    if any(sign == "?" for sign in plain.values()):
        return "is no expression; a default is written $x.y ?? 0"
    if word := _KEYWORD.search(source):
        return f"'{word[1]}' is a word of the language; write ['{word[1]}'] instead of .{word[1]}"
    if _UNFINISHED.search(source):
        return "ends where a value should follow"
    reason = error.msg.replace(MARK, "$").replace("**", "??")
    return f"is no expression: {reason}"


_KEYWORD: Final = re.compile(rf"\.({'|'.join(keyword.kwlist)})\b")
_UNFINISHED: Final = re.compile(r"([-+*/%<>=,(\[]|\b(and|or|not|in|if|else))\s*$")


def _alone(source: str, offset: int) -> bool:
    return source[max(offset - 1, 0)] not in "=!<>" and source[offset + 1 : offset + 2] != "="


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
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_NUMBER, _INTEGER, _BOOLEAN, _TEXT = (Typed.of({"type": kind}) for kind in ("number", "integer", "boolean", "string"))
_FUNCTIONS: Final = ("len", "min", "max", "sum", "any", "all", "round", "sorted")
_NOT_HERE: Final[dict[type[ast.AST], str]] = {
    ast.ListComp: "comprehensions are not part of expressions; use a python step",
    ast.SetComp: "comprehensions are not part of expressions; use a python step",
    ast.DictComp: "comprehensions are not part of expressions; use a python step",
    ast.GeneratorExp: "comprehensions are not part of expressions; use a python step",
    ast.Lambda: "functions cannot be written here; use a python step",
    ast.NamedExpr: "nothing can be assigned in an expression; use a python step",
    ast.JoinedStr: "texts are put together with +; f-texts are not part of expressions",
    ast.Starred: "'*' cannot stand before a value here",
}

Compiled = tuple[Closure, Typed]


def _null(_: Evaluation) -> Any:
    return None


class _Parser:
    """One expression. A part that is wrong gives null and goes into the findings, so that all of them are found."""

    def __init__(self, source: str, names: Names, findings: Findings) -> None:
        self.roots: set[str] = set()
        self._source = source
        self._names = names
        self._findings = findings
        self._lead = len(source) - len(source.lstrip())
        self._bytes = _prepared(source, dict(outside_quotes(source))).lstrip().encode()
        self._nodes = 0
        self._defaulted = 0  # inside this many `??`, so null is welcome
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
            return self._wrong(node, "is too long or nested too deeply; use a python step")
        handler = self._table.get(type(node))
        if handler is None:
            return self._wrong(node, _NOT_HERE.get(type(node), "is not part of expressions"))
        return handler(node, depth + 1)

    def offset(self, node: ast.AST) -> int:
        column = getattr(node, "col_offset", 0)
        return self._lead + len(self._bytes[:column].decode(errors="ignore"))

    def _wrong(self, node: ast.AST, message: str) -> Compiled:
        if not self._findings.faults or self._nodes <= _MOST_NODES:
            self._findings.faults.append((self.offset(node), message))
        return _null, ANYTHING

    def _warn(self, node: ast.AST, message: str) -> None:
        if not self._defaulted:
            self._findings.warnings.append((self.offset(node), message))

    def _constant(self, node: ast.Constant, _: int) -> Compiled:
        value = node.value
        if not isinstance(value, str | int | float | type(None)):
            return self._wrong(node, "is not part of expressions")
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            return self._wrong(node, "is too large a number")
        return lambda _: value, Typed.of({"const": value, "type": kind_of(value)})

    def _name(self, node: ast.Name, _: int) -> Compiled:
        name = node.id
        if name in _CONSTANTS:
            constant = _CONSTANTS[name]
            return lambda _: constant, Typed.of({"type": kind_of(constant)})
        if not name.startswith(MARK):
            if name in self._names.known():
                return self._wrong(node, f"'{name}' needs a $ in front: ${name}")
            return self._wrong(node, f"unknown name '{name}'; references begin with $, texts stand in quotes")
        name = name[1:]
        if name == "date_utils":
            return self._wrong(node, "$date_utils has now() and days_ago(n)")
        try:
            typed = self._names.root(name)
        except NoSuchField as error:
            return self._wrong(node, str(error))
        self.roots.add(name)
        if why := self._names.uncertain(name):
            self._warn(node, f"${name} may be null: {why}; give a default such as ${name} ?? 0")

        def read(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return evaluation.values.get(name)

        return read, typed

    def _attribute(self, node: ast.Attribute, depth: int) -> Compiled:
        owner, typed = self.compile(node.value, depth)
        name = node.attr
        if name.startswith("__"):
            return self._wrong(node, f"'{name}' cannot be read")
        try:
            found = member(typed, name)
        except NoSuchField as error:
            if not self._is_dead(typed):
                what = ast.get_source_segment(self._bytes.decode(), node.value) or "this"
                return self._wrong_at(self._end(node) - len(name), f"{what.replace(MARK, '$')} {error}")
            found = ANYTHING

        def read(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            value = owner(evaluation)
            if value is None:
                return None
            if not isinstance(value, Mapping):
                raise EvaluationError(f"'.{name}' cannot be read from {kind_shown(value)}")
            return value.get(name)

        return read, found

    def _is_dead(self, typed: Typed) -> bool:
        """Null has no fields, and reading one gives null."""
        return typed.kinds() == {"null"}

    def _end(self, node: ast.expr) -> int:
        return self._lead + len(self._bytes[: node.end_col_offset or 0].decode(errors="ignore"))

    def _wrong_at(self, offset: int, message: str) -> Compiled:
        self._findings.faults.append((offset, message))
        return _null, ANYTHING

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
                shown = (ast.get_source_segment(self._bytes.decode(), node) or "").replace(MARK, "$")
                self._warn(node, f"{shown} is null when the list is shorter; give a default such as {shown} ?? …")
            else:
                found = ANYTHING
        except NoSuchField as error:
            what = (ast.get_source_segment(self._bytes.decode(), node.value) or "this").replace(MARK, "$")
            return self._wrong(node, f"{what} {error}")

        def read(evaluation: Evaluation) -> Any:
            evaluation.spend(1)
            return at(owner(evaluation), index(evaluation))

        return read, found

    def _sliced(self, node: ast.Subscript, part: ast.Slice, owner: Closure, typed: Typed, depth: int) -> Compiled:
        if part.step is not None:
            return self._wrong(node, "a part of a list is written [start:end]")
        low = self.compile(part.lower, depth)[0] if part.lower else _null
        high = self.compile(part.upper, depth)[0] if part.upper else _null

        def read(evaluation: Evaluation) -> Any:
            value, start, end = owner(evaluation), low(evaluation), high(evaluation)
            if value is None:
                return None
            if not isinstance(value, list | str) or not all(is_index(each) for each in (start, end)):
                raise EvaluationError(f"no part of {kind_shown(value)} can be taken")
            cut = value[start:end]
            evaluation.spend(len(cut) + 1)
            return cut

        return read, typed

    def _call(self, node: ast.Call, depth: int) -> Compiled:
        if node.keywords:
            return self._wrong(node, "arguments have no names here")
        match node.func:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in (f"{MARK}date_utils", "date_utils"):
                return self._date(node, name, depth)
            case ast.Name(id=name) if name.removeprefix(MARK) in _FUNCTIONS:
                return self._function(node, name.removeprefix(MARK), depth)
            case ast.Name(id=name):
                name = name.removeprefix(MARK)
                return self._wrong(node, f"unknown function '{name}'{suggestion(name, _FUNCTIONS)}")
            case ast.Attribute(attr=name):
                return self._wrong(node, f"methods such as .{name}() are not part of expressions; use a python step")
        return self._wrong(node, "only named functions can be called")

    def _date(self, node: ast.Call, name: str, depth: int) -> Compiled:
        dated = Typed.of({"type": "string", "format": "date-time"})
        if name == "now" and not node.args:
            return lambda evaluation: evaluation.now.isoformat(timespec="seconds"), dated
        if name != "days_ago" or len(node.args) != 1:
            near = suggestion(name, ("now", "days_ago"))
            near = near if "did you mean" in near and name not in ("now", "days_ago") else ""
            return self._wrong(node, f"$date_utils has now() and days_ago(n){near}")
        days, typed = self.compile(node.args[0], depth)
        kinds = typed.kinds()
        if kinds is not None and not kinds & {"integer", "number"}:
            return self._wrong(node.args[0], f"days_ago needs a number of days, not {described(typed)}")

        def ago(evaluation: Evaluation) -> str:
            number = days(evaluation)
            if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) <= _MOST_DAYS:
                raise EvaluationError(f"days_ago needs a number of days up to {_MOST_DAYS:,}, not {number!r:.40}")
            return (evaluation.now - timedelta(days=number)).isoformat(timespec="seconds")

        return ago, dated

    def _function(self, node: ast.Call, name: str, depth: int) -> Compiled:
        least, most = {"round": (1, 2), "min": (1, 20), "max": (1, 20)}.get(name, (1, 1))
        if not least <= len(node.args) <= most:
            wanted = "one argument" if most == 1 else f"{least} to {most} arguments"
            return self._wrong(node, f"{name}() takes {wanted}, not {len(node.args)}")
        self._defaulted += name == "len"
        compiled = [self.compile(each, depth) for each in node.args]
        self._defaulted -= name == "len"
        arguments = [value for value, _ in compiled]
        typed = compiled[0][1]
        kinds = typed.kinds()
        fitting = {"array", "object", "string"} | ({"null"} if name == "len" else set())
        if name != "round" and len(node.args) == 1 and kinds and not kinds & fitting:
            return self._wrong(node.args[0], f"{name}() needs a list, not {described(typed)}")
        function = CALLS[name]

        def call(evaluation: Evaluation) -> Any:
            return function(evaluation, [argument(evaluation) for argument in arguments])

        return call, _result(name, [each for _, each in compiled])

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
            return lambda evaluation: not value(evaluation), _BOOLEAN
        if isinstance(node.op, ast.Invert):
            return self._wrong(node, "'~' is not part of expressions")
        self._numeric(node.operand, typed, "-")
        sign = operator.neg if isinstance(node.op, ast.USub) else operator.pos

        def signed(evaluation: Evaluation) -> Any:
            return sign(as_number(value(evaluation), "-"))

        return signed, _NUMBER if typed.kinds() != {"integer"} else _INTEGER

    def _numeric(self, node: ast.expr, typed: Typed, sign: str) -> None:
        kinds = typed.kinds()
        if kinds is not None and not kinds & {"integer", "number", "null"}:
            self._wrong(node, f"'{sign}' needs numbers, and this is {described(typed)}")

    def _binary(self, node: ast.BinOp, depth: int) -> Compiled:
        if isinstance(node.op, ast.Pow):
            return self._default(node, depth)
        sign = _SIGNS.get(type(node.op))
        left, one = self.compile(node.left, depth)
        right, other = self.compile(node.right, depth)
        if sign is None:
            return self._wrong(node, "this operator is not part of expressions")
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
        return calculate, _INTEGER if whole else _NUMBER

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
            return add, _INTEGER if kinds == others == {"integer"} else _NUMBER
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
                except TypeError:
                    raise EvaluationError(f"{kind_shown(one)} cannot be compared with {kind_shown(other)}") from None
                one = other
            return True

        return compare, _BOOLEAN

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


def _result(name: str, arguments: Sequence[Typed]) -> Typed:
    if name == "len":
        return _INTEGER
    if name in ("any", "all"):
        return _BOOLEAN
    if name == "round":
        return _INTEGER if len(arguments) == 1 else _NUMBER
    if name == "sum":
        return _NUMBER
    return arguments[0] if name == "sorted" else ANYTHING
