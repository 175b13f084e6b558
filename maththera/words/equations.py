"""Equations in running text, calculated again."""

import ast
import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

_CHAIN: Final = re.compile(r"[\d()][\d\s()+×÷−-]*(?:=[\d\s()+×÷−-]*[\d)])+")
_SIGNS_AND_BOX: Final = "+−-×÷=□."
_ONWARD: Final = re.compile(r"[+−×÷=□…-]|\.\d")
_NUMBER: Final = r"(?<![\d.])(\d{1,7})(?![\d.]\d|\d)"
_IS: Final = r"\s*(?:이|가|은|는|의\s*답은|하면|면)?\s*,?\s*=?\s*(\d{1,7})(?![\d번단배]|\.\d|\s*[-+−×÷])"
_VERBS: Final = {
    "+": (
        r"(?:에|에다|에다가|하고|와|과|이랑|랑)",
        r"(?:을|를)?\s*(?:더하|합하|합치)(?:면|니까|고\s*나면)|(?:을|를)?\s*(?:더해|합해|합쳐)서?",
    ),
    "-": (r"에서", r"(?:을|를)?\s*(?:빼면|빼니까|빼고\s*나면|덜면|덜어\s*내면|뺀\s*(?:것|수|값)은|빼서)"),
    "×": (r"(?:에|에다|에다가|하고|와|과|이랑|랑)", r"(?:을|를)?\s*(?:곱하면|곱하니까|곱해서|곱한\s*(?:것|수|값)은)"),
    "÷": (r"(?:을|를)?", r"(?:으로|로)\s*(?:나누면|나눠서|나누니까|나눈\s*(?:몫|것|값)은)"),
}
_NOUNS: Final = {"+": "더하기|플러스", "-": "빼기|마이너스", "×": "곱하기", "÷": "나누기"}
_SAID: Final = tuple(
    (sign, re.compile(rf"{_NUMBER}\s*{link}\s*{_NUMBER}\s*(?:{verb}){_IS}")) for sign, (link, verb) in _VERBS.items()
) + tuple((sign, re.compile(rf"{_NUMBER}\s*(?:{noun})\s*{_NUMBER}{_IS}")) for sign, noun in _NOUNS.items())
"""Equations in words: 13에서 5를 빼면 8, 8 더하기 5는 13."""
_ALIKE: Final = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "‐": "-",
        "－": "-",
        "*": "×",
        "✕": "×",
        "✖": "×",
        "·": "×",
        "∙": "×",
        "➕": "+",
        "➖": "-",
        "➗": "÷",
        "＝": "=",
        "/": "÷",
    }
)
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


def wrong_claims(text: str) -> Iterator[str]:
    """As `wrong_equations`, full-width signs and those of other alphabets too, and what is said in words: "13에서 5를 빼면
    9야"."""
    plain = unicodedata.normalize("NFKC", text).translate(_ALIKE)
    yield from wrong_equations(plain)
    for sign, pattern in _SAID:
        for said in pattern.finditer(plain):
            if any(wrong_equations(f"{said[1]}{sign}{said[2]}={said[3]}")):
                yield said[0]


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
