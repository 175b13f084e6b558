"""Equations in running text, calculated again."""

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

_CHAIN: Final = re.compile(r"[\d()][\d\s()+×÷−-]*(?:=[\d\s()+×÷−-]*[\d)])+")
_SIGNS: Final = str.maketrans({"−": "-", "×": "*", "÷": "/"})


def wrong_equations(text: str) -> Iterator[str]:
    """The chains such as "8+5=8+2+3=13" whose sides are not all equal. A chain with an empty box or a word in it is not
    taken for one."""
    for found in _CHAIN.finditer(text):
        before, after = text[: found.start()].rstrip()[-1:], text[found.end() :].lstrip()[:1]
        if before and before in "+−-×÷=□." or after and after in "+−-×÷=□.…" and _goes_on(text, found.end()):
            continue
        sides = [_value(side) for side in found[0].split("=")]
        if None not in sides and len(set(sides)) > 1:
            yield found[0]


def _goes_on(text: str, end: int) -> bool:
    """A full stop ends a sentence; a stop before a digit, a sign or a box goes on."""
    return not re.match(r"\s*\.(?!\d)", text[end:])


def _value(side: str) -> Fraction | None:
    try:
        return _worked_out(ast.parse(side.translate(_SIGNS).strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, TypeError):
        return None


def _worked_out(node: ast.expr) -> Fraction:
    """TypeError for what is no whole number and no sum, difference, product or quotient."""
    match node:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _worked_out(left) + _worked_out(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _worked_out(left) - _worked_out(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _worked_out(left) * _worked_out(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _worked_out(left) / _worked_out(right)
    raise TypeError(ast.dump(node))
