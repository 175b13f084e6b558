"""Equations in running text, calculated again."""

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

_CHAIN: Final = re.compile(r"[\d()][\d\s()+×÷−-]*(?:=[\d\s()+×÷−-]*[\d)])+")
_SIGNS_AND_BOX: Final = "+−-×÷=□."
_ONWARD: Final = re.compile(r"[+−×÷=□…-]|\.\d")
_SIGNS: Final = str.maketrans({"−": "-", "×": "*", "÷": "/"})


def wrong_equations(text: str) -> Iterator[str]:
    """The chains such as "8+5=8+2+3=13" whose sides are not all equal. A chain with an empty box or a word in it is not
    taken for one."""
    for found in _CHAIN.finditer(text):
        if _goes_on(text, found):
            continue
        sides = [_value(side) for side in found[0].split("=")]
        if None not in sides and len(set(sides)) > 1:
            yield found[0]


def _goes_on(text: str, found: re.Match[str]) -> bool:
    """Whether the chain is part of a longer one, with a box or a remainder in it; a full stop ends it."""
    before, after = text[: found.start()].rstrip()[-1:], text[found.end() :].lstrip()
    return (before != "" and before in _SIGNS_AND_BOX) or re.match(_ONWARD, after) is not None


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
