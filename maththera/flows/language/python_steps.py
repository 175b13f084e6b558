"""Python steps: the checks of their code, and the program that the sandbox runs.

`$x.y` in the code is read before the program starts and given to it as a variable, so the code works on copies. The
sandbox (pydantic-monty) has no files, network, imports or clock, and limits time and memory.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from maththera.config_files import nearest_name
from maththera.flows.language import expressions, messages
from maththera.flows.language.expression_evaluation import Evaluation
from maththera.flows.language.expression_syntax import FUNCTIONS, MARK, Findings, VisibleNames, is_input, refusal
from maththera.flows.language.expressions import Closure
from maththera.flows.language.faults import Loc
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import ANYTHING, SchemaType, kind_of, union
from maththera.flows.language.value_templates import FaultCollector
from maththera.json_types import JsonObject

_LONGEST: Final = 20_000  # characters

BUILTINS: Final = frozenset(
    {*FUNCTIONS, "abs", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float", "frozenset", "int"}
    | {"isinstance", "list", "map", "ord", "pow", "print", "range", "repr", "reversed", "set", "str", "tuple", "zip"}
    | {"AssertionError", "Exception", "IndexError", "KeyError", "RuntimeError", "StopIteration", "TypeError"}
    | {"ValueError", "ZeroDivisionError"}
)
_PATH: Final = re.compile(r"[^\W\d]\w*(\[(-?\d+|'[^'\n]*'|\"[^\"\n]*\")\]|\.[^\W\d]\w*(?![\w(]))*")
_DATE: Final = re.compile(r"date_utils\.\w+\(")


@dataclass(frozen=True, slots=True)
class PythonCode:
    """A checked step. `program`: the code as a function; `reads`: variable → the value it is given; `written`: variable
    → what stands for it in the author's code."""

    program: str
    reads: Mapping[str, Closure]
    written: Mapping[str, str]
    roots: frozenset[str]
    typed: SchemaType

    def values(self, evaluation: Evaluation) -> JsonObject:
        return {name: read(evaluation) for name, read in self.reads.items()}

    def as_written(self, values: JsonObject) -> JsonObject:
        """The values by what the author wrote for them, such as `$inputs.x`."""
        return {self.written[name]: value for name, value in values.items()}


# --- checking ---------------------------------------------------------------------------------------------------------


def compile_code(code: str, loc: Loc, names: VisibleNames, notes: FaultCollector) -> PythonCode | None:
    """The checked code; None when the notes got a fault."""
    if len(code) > _LONGEST:
        notes.fault(loc, messages.LONG_CODE(most=f"{_LONGEST:,}"))
        return None
    before = len(notes.faults)
    if MARK in code or "\0" in code:
        notes.fault(loc, messages.STRANGE_IN_CODE())
        return None
    reads: dict[str, Closure] = {}
    written: dict[str, str] = {}
    roots: set[str] = set()
    signs = list(code)
    for start, end in _references(code):
        source = code[start:end]
        if source[1:] in FUNCTIONS:
            signs[start] = " "
            continue
        findings = Findings()
        parsed = expressions.parse(source, names, findings)
        findings.warnings.clear()  # code can check for None itself
        notes.take(loc, findings, start)
        name = f"{MARK}{len(reads)}"
        signs[start:end] = name.ljust(end - start)
        if end - start < len(name):
            signs[start:end] = [name, *[""] * (end - start - 1)]
        written[name] = source
        reads[name] = parsed.value if parsed else lambda _: None
        roots |= parsed.roots if parsed else set()
    marked = "".join(signs)
    tree = _tree(marked, code, loc, notes)
    if tree is not None:
        _check(tree, marked, loc, names, notes)
    if tree is None or len(notes.faults) > before:
        return None
    return PythonCode(_wrapped(marked, tree), reads, written, frozenset(roots), _returned(tree))


def inferred_result(code: str) -> SchemaType:
    """The type of the code's result by its returns; ANYTHING for code that cannot be read."""
    signs = list(code)
    for start, _ in _references(code):
        signs[start] = MARK
    try:
        return _returned(ast.parse("".join(signs)))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ANYTHING


def _references(code: str) -> Iterator[tuple[int, int]]:
    """Start and end of every `$…` outside of texts and comments."""
    place = 0
    while place < len(code):
        sign = code[place]
        if sign == "#":
            place = (code.find("\n", place) + 1) or len(code)
        elif sign in "'\"":
            place = _text_end(code, place)
        elif sign == "$" and (end := _reference_end(code, place)):
            yield place, end
            place = end
        else:
            place += 1


def _text_end(code: str, start: int) -> int:
    quote = code[start] * 3 if code.startswith(code[start] * 3, start) else code[start]
    place = start + len(quote)
    while place < len(code) and not code.startswith(quote, place):
        if len(quote) == 1 and code[place] == "\n":
            break
        place += 2 if code[place] == "\\" else 1
    return min(place + len(quote), len(code))


def _reference_end(code: str, start: int) -> int | None:
    if date := _DATE.match(code, start + 1):
        closing = code.find(")", date.end())
        return closing + 1 if closing > 0 else None
    path = _PATH.match(code, start + 1)
    return path.end() if path else None


def _tree(marked: str, code: str, loc: Loc, notes: FaultCollector) -> ast.Module | None:
    try:
        return ast.parse(marked)
    except SyntaxError as error:
        offset = _offset(code, error.lineno or 1, (error.offset or 1) - 1)
        said = messages.NO_PYTHON(problem=messages.problem(error.msg.replace(MARK, "$")))
        notes.fault(loc, messages.IN_LINE(line=error.lineno, message=said), offset=offset)
    except (ValueError, MemoryError, RecursionError):
        notes.fault(loc, messages.NESTED_TOO_DEEPLY())
    return None


def _offset(code: str, line: int, column: int) -> int:
    rows = code.splitlines(keepends=True)
    return sum(map(len, rows[: line - 1])) + min(column, len(rows[line - 1]) if line <= len(rows) else 0)


def _check(tree: ast.Module, marked: str, loc: Loc, names: VisibleNames, notes: FaultCollector) -> None:
    rows = marked.splitlines()

    def wrong(node: ast.AST, message: Message) -> None:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        column = len(rows[line - 1].encode()[:column].decode(errors="ignore")) if line <= len(rows) else 0
        notes.fault(loc, messages.IN_LINE(line=line, message=message), offset=_offset(marked, line, column))

    if not _returns(tree.body):
        wrong(tree.body[-1] if tree.body else tree, messages.MUST_RETURN())
    assigned = _assigned(tree)
    for node in ast.walk(tree):
        if reason := refusal(node, code=True):
            wrong(node, reason)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and not _known(node.id, assigned):
            wrong(node, _unknown(node.id, assigned, names))


def _known(name: str, assigned: set[str]) -> bool:
    return name.startswith(MARK) or name in assigned or name in BUILTINS


def _unknown(name: str, assigned: set[str], names: VisibleNames) -> Message:
    if name in names.known():
        return messages.NEEDS_SIGN(name=name, meant=name)
    if is_input(name, names):
        return messages.NEEDS_SIGN(name=name, meant=f"inputs.{name}")
    if name in ("open", "eval", "exec", "compile", "input", "getattr", "setattr", "globals", "locals", "vars", "type"):
        return messages.NOT_AVAILABLE(name=name)
    meant = nearest_name(name, assigned | BUILTINS)
    near = messages.NOTHING_NEAR if meant is None else messages.DID_YOU_MEAN(name=meant)
    return messages.UNKNOWN_NAME(name=name, near=near)


def _assigned(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
    return found


def _returns(body: list[ast.stmt]) -> bool:
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=then, orelse=otherwise):
            return _returns(then) and _returns(otherwise)
        case ast.With(body=inner):
            return _returns(inner)
        case ast.Try(body=inner, handlers=handlers, orelse=otherwise, finalbody=final):
            ends = _returns(otherwise or inner) and all(_returns(handler.body) for handler in handlers)
            return ends or _returns(final)
        case ast.While(test=ast.Constant(value=True)):
            return True
    return False


def _wrapped(marked: str, tree: ast.Module) -> str:
    """The code as the body of a function. Rows inside of a text of several rows are not indented."""
    inside = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno and node.end_lineno > node.lineno
        for line in range(node.lineno + 1, node.end_lineno + 1)
    }
    rows = [row if number in inside else f" {row}" for number, row in enumerate(marked.splitlines(), 1)]
    return "\n".join(["def step():", *rows, "step()"])


def _returned(tree: ast.Module) -> SchemaType:
    """The type of all returns together; ANYTHING where one of them is not a literal."""
    found: SchemaType | None = None
    for node in _own_returns(tree.body):
        one = _shape(node.value)
        found = one if found is None else union(found, one)
        if not one.schema:
            return ANYTHING
    return found or ANYTHING


def _own_returns(body: list[ast.stmt]) -> Iterator[ast.Return]:
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement
        elif not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                yield from _own_returns(getattr(statement, name, []))
            for handler in getattr(statement, "handlers", []):
                yield from _own_returns(handler.body)


def _shape(node: ast.expr | None) -> SchemaType:
    match node:
        case None:
            return SchemaType.of({"type": "null"})
        case ast.Dict(keys=keys) if all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys):
            shapes = {key.value: _shape(value).schema for key, value in zip(keys, node.values, strict=True)}  # type: ignore[union-attr]
            return SchemaType.of({"type": "object", "properties": shapes})
        case ast.Constant(value=value) if isinstance(value, str | int | float | None):
            return SchemaType.of({"type": kind_of(value)})
        case ast.List() | ast.ListComp():
            return SchemaType.of({"type": "array"})
        case ast.JoinedStr():
            return SchemaType.of({"type": "string"})
    return ANYTHING
