"""Expressions of flow authors: a subset of Python's syntax, parsed once into closures, never `eval`.

A path through null, a missing field and an index past the end give null. Evaluation spends a budget of work, so no
expression runs long, whatever its data.
"""

import ast
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol

from maththera.flows.expression_operators import BOOLEAN, INTEGER, NUMBER, Closure, Compiled, Operators
from maththera.flows.expression_syntax import MARK, Findings, outside_quotes, prepared, tree_of
from maththera.flows.faults import suggestion
from maththera.flows.operations import (
    CALLS,
    Evaluation,
    EvaluationError,
    at,
    is_index,
    is_json_number,
    kind_shown,
)
from maththera.flows.schemas import (
    ANYTHING,
    NoSuchField,
    Typed,
    described,
    element,
    kind_of,
    member,
)

_MOST_NODES: Final = 400
_DEEPEST: Final = 40
_MOST_DAYS: Final = 40_000


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


def parse(source: str, names: Names, findings: Findings) -> Expression | None:
    """None when `findings` got a fault."""
    before = len(findings.faults)
    tree = tree_of(source, findings)
    if tree is None:
        return None
    parser = _Parser(source, names, findings)
    value, typed = parser.compile(tree, 0)
    if len(findings.faults) > before:
        return None
    return Expression(source, value, frozenset(parser.roots), typed)


def is_input(name: str, names: Names) -> bool:
    """Whether `$inputs.name` is meant, where only the name is written."""
    return "inputs" in names.known() and name in names.root("inputs").properties()


_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_FUNCTIONS: Final = ("len", "min", "max", "sum", "any", "all", "round", "sorted")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""Half a character: no text that is kept or sent may hold one, and an escape can write it."""

_LENGTHS: Final = ("length", "count", "size")
_MEANT: Final = dict.fromkeys(_LENGTHS, "len") | {"total": "sum", "maximum": "max", "minimum": "min"}
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


def _null(_: Evaluation) -> Any:
    return None


class _Parser(Operators):
    """One expression. A part that is wrong gives null and goes into the findings, so that all of them are found."""

    def __init__(self, source: str, names: Names, findings: Findings) -> None:
        self.roots: set[str] = set()
        self._source = source
        self._names = names
        self._findings = findings
        self._lead = len(source) - len(source.lstrip())
        self._bytes = prepared(source, dict(outside_quotes(source))).lstrip().encode()
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
        if isinstance(value, int | float) and not is_json_number(value):
            return self._wrong(node, "is too large a number")
        if isinstance(value, str) and _SURROGATE.search(value):
            return self._wrong(node, "holds a character that expressions cannot have")
        return lambda _: value, Typed.of({"const": value, "type": kind_of(value)})

    def _name(self, node: ast.Name, _: int) -> Compiled:
        name = node.id
        if name in _CONSTANTS:
            constant = _CONSTANTS[name]
            return lambda _: constant, Typed.of({"type": kind_of(constant)})
        if not name.startswith(MARK):
            if name in self._names.known():
                return self._wrong(node, f"'{name}' needs a $ in front: ${name}")
            if is_input(name, self._names):
                return self._wrong(node, f"'{name}' needs a $ in front: $inputs.{name}")
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
                what = (ast.get_source_segment(self._bytes.decode(), node.value) or "this").replace(MARK, "$")
                return self._wrong_at(self._end(node) - len(name), _no_field(what, name, error))
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
                meant = _MEANT.get(name, name)
                return self._wrong(node, f"unknown function '{name}'{suggestion(meant, _FUNCTIONS)}")
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
        fitting = {"array", "object"} | ({"string", "null"} if name == "len" else set())
        if name != "round" and len(node.args) == 1 and kinds and not kinds & fitting:
            return self._wrong(node.args[0], f"{name}() needs a list, not {described(typed)}")
        if name == "sum" and (items := _items_of(typed)) is not None:
            self._numeric(node.args[0], items, "sum()")
        function = CALLS[name]

        def call(evaluation: Evaluation) -> Any:
            return function(evaluation, [argument(evaluation) for argument in arguments])

        return call, _result(name, [each for _, each in compiled])


def _items_of(typed: Typed) -> Typed | None:
    try:
        return element(typed)
    except NoSuchField:
        return None


def _no_field(what: str, name: str, error: NoSuchField) -> str:
    message = f"the length of a list is written len({what})"
    return message if name in _LENGTHS else f"{what} {error}"


def _result(name: str, arguments: Sequence[Typed]) -> Typed:
    if name == "len":
        return INTEGER
    if name in ("any", "all"):
        return BOOLEAN
    if name == "round":
        return INTEGER if len(arguments) == 1 else NUMBER
    if name == "sum":
        return NUMBER
    return arguments[0] if name == "sorted" else ANYTHING
