"""Formulas of learned procedures: short expressions over whole numbers, read once and never run as code.

A formula is written as in Python: `abs(top - bottom)`, `10 if top < bottom else 0`. Only what stands in this module can
be said in it. Every formula ends, as there are no loops, and every number stays below `LARGEST`; what cannot be worked
out is `NothingToWork`.
"""

import ast
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

Names = Mapping[str, int]
Work = Callable[[Names], int]

LARGEST: Final = 10**9
LONGEST: Final = 300
"""Characters of a formula."""
DEEPEST: Final = 20
_ALPHABET: Final = re.compile(r"[a-z_0-9+\-*/%()<>=!, ]+")
_NO_NUMBER: Final = re.compile(r"(?<![a-z_])[0-9]+[a-z_]")
"""Python's other ways to write a number."""
_NOTHING: Final = "nothing"
_SAYS: Final = "a formula has numbers, names, + - * // % **, comparisons, and, or, not, if else, and functions"


class FormulaError(ValueError):
    """The text is not a formula; the message says why."""


class NothingToWork(Exception):
    """The formula has no value here: it says `nothing`, divides by 0 or leaves the range of numbers."""


def _natural(number: int) -> int:
    if number < 0:
        raise NothingToWork
    return number


def _digit(number: int, column: int) -> int:
    return _natural(number) // 10**column % 10 if 0 <= column <= 9 else 0


def _joined(left: int, right: int) -> int:
    return int(f"{_natural(left)}{_natural(right)}")


def _without(number: int, digit: int) -> int:
    left = str(_natural(number)).replace(str(digit), "")
    if not left:
        raise NothingToWork
    return int(left)


def _swapped(number: int, one: int, other: int) -> int:
    if not (0 <= one <= 9 and 0 <= other <= 9):
        raise NothingToWork
    return int(str(_natural(number)).translate(str.maketrans(f"{one}{other}", f"{other}{one}")))


def _spoken(number: int) -> int:
    text = str(_natural(number))
    return int("".join(digit + "0" * (len(text) - 1 - at) for at, digit in enumerate(text) if digit != "0") or "0")


FUNCTIONS: Final[Mapping[str, tuple[int, Callable[..., int]]]] = {
    "abs": (1, abs),
    "digit": (2, _digit),  # of a number, the digit of a column, ones first
    "digits": (1, lambda number: len(str(_natural(number)))),
    "digit_sum": (1, lambda number: sum(int(one) for one in str(_natural(number)))),
    "reverse": (1, lambda number: int(str(_natural(number))[::-1])),
    "beside": (2, _joined),  # 4 beside 3 is 43
    "without": (2, _without),  # 304 without 0 is 34
    "swapped": (3, _swapped),  # 69 with 6 and 9 swapped is 96
    "spoken": (1, _spoken),  # 43 as it is heard is 403
}
"""Name → how many numbers it takes, and what it gives. `min` and `max` take two or more."""


def _power(base: int, exponent: int) -> int:
    if not (0 <= exponent <= 9 and abs(base) <= 10):
        raise NothingToWork
    return int(base**exponent)


def _over(one: int, other: int) -> int:
    if other == 0:
        raise NothingToWork
    return one // other


def _rest(one: int, other: int) -> int:
    if other == 0:
        raise NothingToWork
    return one % other


_BINARY: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.FloorDiv: _over,
    ast.Mod: _rest,
    ast.Pow: _power,
}
_COMPARED: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: lambda one, other: one == other,
    ast.NotEq: lambda one, other: one != other,
    ast.Lt: lambda one, other: one < other,
    ast.LtE: lambda one, other: one <= other,
    ast.Gt: lambda one, other: one > other,
    ast.GtE: lambda one, other: one >= other,
}


class Formula:
    """A formula that was read; `names` are the ones that it uses, `size` its parts."""

    __slots__ = ("_work", "names", "size", "text")

    def __init__(self, text: str) -> None:
        """FormulaError."""
        if not text.strip() or len(text) > LONGEST:
            raise FormulaError(f"a formula has 1 to {LONGEST} characters")
        if not _ALPHABET.fullmatch(text) or _NO_NUMBER.search(text):
            raise FormulaError("a formula has numbers, small letters, spaces and + - * // % ** ( ) , < > = ! alone")
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise FormulaError("this cannot be read as a formula") from error
        self.text = text
        self.names: set[str] = set()
        self.size = 0
        self._work = self._read(tree, 1)

    def value(self, names: Names) -> int:
        """What it gives; `names` has all that it uses. NothingToWork."""
        return self._work(names)

    def _read(self, node: ast.expr, depth: int) -> Work:
        self.size += 1
        if depth > DEEPEST:
            raise FormulaError(f"nested deeper than {DEEPEST}")

        def read(part: ast.expr) -> Work:
            return self._read(part, depth + 1)

        match node:
            case ast.BinOp() | ast.BoolOp() | ast.Compare():
                return self._joined(node, depth)
            case ast.Constant(value=int() as number) if not isinstance(number, bool) and number < LARGEST:
                return lambda _: number
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=ast.USub(), operand=part):
                of = read(part)
                return lambda names: -of(names)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                of = read(part)
                return lambda names: int(not of(names))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return _either(read(test), read(body), read(orelse))
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return _called(name, [read(part) for part in args])
        raise FormulaError(_SAYS)

    def _joined(self, node: ast.BinOp | ast.BoolOp | ast.Compare, depth: int) -> Work:
        """Parts with a sign between them."""

        def read(part: ast.expr) -> Work:
            return self._read(part, depth + 1)

        match node:
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return _bounded(_BINARY[type(op)], read(left), read(right))
            case ast.BoolOp(op=op, values=values):
                return _all_or_any(all if isinstance(op, ast.And) else any, [read(part) for part in values])
            case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARED for op in ops):
                return _compared([_COMPARED[type(op)] for op in ops], [read(part) for part in (left, *others)])
        raise FormulaError(_SAYS)

    def _name(self, name: str) -> Work:
        if name == _NOTHING:
            return _nothing
        self.names.add(name)
        return lambda names: names[name]


def _nothing(_: Names) -> int:
    raise NothingToWork


def _either(test: Work, body: Work, otherwise: Work) -> Work:
    return lambda names: body(names) if test(names) else otherwise(names)


def _within(number: int) -> int:
    if not -LARGEST < number < LARGEST:
        raise NothingToWork
    return number


def _bounded(function: Callable[[int, int], int], left: Work, right: Work) -> Work:
    return lambda names: _within(function(left(names), right(names)))


def _all_or_any(which: Callable[..., bool], parts: list[Work]) -> Work:
    return lambda names: int(which(part(names) for part in parts))


def _compared(ops: list[Callable[[int, int], bool]], parts: list[Work]) -> Work:
    def work(names: Names) -> int:
        values = [part(names) for part in parts]
        return int(all(op(*pair) for op, pair in zip(ops, pairwise(values), strict=True)))

    return work


def _called(name: str, parts: list[Work]) -> Work:
    if name in ("min", "max"):
        if len(parts) < 2:
            raise FormulaError(f"{name} takes two numbers or more")
        which: Callable[..., int] = min if name == "min" else max
        return lambda names: which(part(names) for part in parts)
    if name not in FUNCTIONS:
        raise FormulaError(f"there is no function {name}; there are min, max, {', '.join(sorted(FUNCTIONS))}")
    count, function = FUNCTIONS[name]
    if len(parts) != count:
        raise FormulaError(f"{name} takes {count} number{'s' if count > 1 else ''}")
    return lambda names: _within(function(*(part(names) for part in parts)))
