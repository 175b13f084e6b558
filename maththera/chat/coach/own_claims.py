"""The small calculations that a child tells in its own words: "5에서 2 써버렸으니까 3 남지", "팔오사십", "반은 48"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from maththera.arithmetic.expressions import Operation
from maththera.arithmetic.problem import SIGNS
from maththera.arithmetic.result_claims import read_expressions
from maththera.korean.number_words import SINO_DIGITS
from maththera.korean.numbers import NATIVE_NUMBER, numbers_in, parse_number, plain

_TABLE_LINE: Final = re.compile(
    r"(?<![가-힣])([이삼사오육칠팔구])([일이삼사오육칠팔구])[은는에]?\s*(\d{1,2}|[일이삼사오육칠팔구십]{1,4})(?=까지|까진|이|은|는|인|임|\W|$)"
)
_COUNTED: Final = re.compile(
    rf"(?<![가-힣])(?![첫석넉])({NATIVE_NUMBER})\s*(?=(?:번|칸|개|묶음|봉지|손가락|빼|쓰|남|더(?![가-힣])|더하|더해|돌려|에서|까지))"
)
_UNIT_WORD: Final = re.compile(rf"(?<![가-힣\d])([십백천])이(?=\s*(?:\d+|{NATIVE_NUMBER})\s*개)")
"""A unit with its particle, which looks like a twelve: 십이 5개."""
_ALONE: Final = frozenset({"하나", "둘", "셋", "넷"})
"""Numbers that are mostly other words where nothing is counted: 둘 다, 하나도."""
_PLACE: Final = re.compile(r"\s*의?\s*자리")
_UNSIGNED: Final = re.compile(
    r"(?<!\d)(\d{1,3})\s*(더하기|빼기|곱하기|나누기|[+\-x×÷])\s*(\d{1,3})\s+(\d{1,3})[\s,]+(?=\d)"
)
"""A result without a sign before the next calculation: 6빼기2 4 8빼기5 3."""
_N: Final = r"(?<!\d)(\d{1,4})(?!\d)"
_UNIT: Final = r"\s*(?:개|칸|번|명)?\s*(?:을|를|만|만큼|부터)?\s*"
_NO_RESULT: Final = (
    r"\s*(?:번|에서|개씩|[-+x×*/÷=]|(?:을|를)?\s*(?:더하|더해|빼|뺀|곱|나누)|(?:은|는|이|가)?\s*(?:뭐|몇|얼마|왜|어디))"
)
"""What stands after a number that is no result."""
_RESULT: Final = rf"(?:\D{{0,9}}?(?<!\d)(\d{{1,4}})(?!\d|{_NO_RESULT}))?"
_GONE: Final = "빼|뺐|뺀|뺄|쓰|써|썼|떼|뗐|덜|꺼내|없애|먹|지우|주|줬"
_IF: Final = "이면|이니까|하면|하니까|더하면|합치면|합하면|모으면"
_GROUPS: Final = r"(?:개|묶음|봉지|줄|상자|명)\s*(?:이?라고\s*)?"
_LESS: Final = "줄|작아|돼|되|됐|이?야|남"
_FORMS: Final = (
    ("go", re.compile(rf"{_N}\s*(?:에서|다음|부터)\s*{_N}\s*칸\s*[가-힣]*{_RESULT}")),
    ("+", re.compile(rf"{_N}\s*(?:한테|에게|에(?:다가?)?)\s*{_N}{_UNIT}(?:주|줘|준|채우|얹|보태|합|붙|하면){_RESULT}")),
    ("-", re.compile(rf"{_N}\s*(?:에서|중에서?)\s*{_N}{_UNIT}(?:먼저\s*)?(?:{_GONE}){_RESULT}")),
    ("to", re.compile(rf"{_N}\s*(?:은|는|이|가)\s*(?:이제\s*)?{_N}\s*(?:으로|로|이|가)?\s*(?:{_LESS})")),
    ("x", re.compile(rf"{_N}\s*(?:이|을|를|개?씩)?\s*{_N}\s*번(?!\s*(?:더|만))(?:{_IF}|\s)*{_RESULT}")),
    ("x", re.compile(rf"{_N}\s*개?(?:이|가|씩)\s*{_N}\s*{_GROUPS}(?:{_IF}|면|니까){_RESULT}")),
    ("+", re.compile(rf"(?<![\d+])(\d)\s+(\d)\s*(?:{_IF})\s*{_RESULT}")),
    ("half", re.compile(rf"(?:{_N}\s*(?:의\s*)?)?(?:절반|반)(?:은|이|에)?\s*{_N}")),
    ("+", re.compile(rf"{_N}\s*(?:이?랑|하고|[과와])\s*{_N}\s*(?:은|는|을|를|{_IF})\s*{_RESULT}")),
)  # fmt: skip
_BEHIND: Final = re.compile(rf"[^\d,/]{{0,9}}?(\d{{1,4}})(?!\d|{_NO_RESULT})")


@dataclass(frozen=True, slots=True)
class Claim:
    """One calculation of a child. `value`: the result that the child gives, None without one. `op`: + - x /."""

    op: str
    left: int
    right: int
    value: int | None = None

    @property
    def result(self) -> int | None:
        """What it comes to; None where that is no whole number."""
        if self.op == "/":
            return self.left // self.right if self.right and self.left % self.right == 0 else None
        return {"+": self.left + self.right, "-": self.left - self.right, "x": self.left * self.right}[self.op]

    @property
    def right_one(self) -> bool:
        """Whether the child gives a result, and it is right."""
        return self.value is not None and self.value == self.result

    @property
    def part(self) -> str:
        """The calculation without its result."""
        return f"{self.left}{SIGNS[self.op]}{self.right}"

    @property
    def equation(self) -> str:
        """The calculation with its result."""
        return f"{self.part}={self.result}"


@lru_cache(maxsize=128)
def in_digits(message: str) -> str:
    """The message with its numbers in digits, and said lines of a times table as products."""
    text = _TABLE_LINE.sub(_product, _UNIT_WORD.sub(lambda found: f"{parse_number(found[1])}이", plain(message)))
    text = _COUNTED.sub(
        lambda found: f"{' ' * found.string[: found.start()][-1:].isdecimal()}{parse_number(found[1])}", text
    )
    for number in reversed(numbers_in(text)):
        written = text[number.start : number.end]
        if number.in_digits or number.doubtful or not number.values or _PLACE.match(text, number.end):
            continue
        if written in _ALONE and not number.counter:
            continue
        text = f"{text[: number.start]}{number.values[0]}{text[number.end :]}"
    return _UNSIGNED.sub(r"\1\2\3=\4, ", text)


def _product(found: re.Match[str]) -> str:
    value = parse_number(found[3])
    return found[0] if value is None else f"{SINO_DIGITS[found[1]]}×{SINO_DIGITS[found[2]]}={value}"


@lru_cache(maxsize=128)
def claims_in(message: str, start: int = 0) -> tuple[Claim, ...]:
    """The calculations of a message from left to right. `start`: what a half without a whole is the half of."""
    text = in_digits(message)
    found = [*_written(text)]
    taken = [range(begin, end) for begin, end, _ in found]
    for op, form in _FORMS:
        for match in form.finditer(text):
            if any(match.start() in span or match.end(2) - 1 in span for span in taken):
                continue
            claim = _of_form(op, match, start)
            if claim is not None:
                found.append((match.start(), match.end(), claim))
                taken.append(range(match.start(), match.end()))
    return tuple(claim for *_, claim in sorted(found, key=lambda one: one[0]))


def _written(text: str) -> Iterator[tuple[int, int, Claim]]:
    """Those that are written as expressions, with the number that stands right after one as its result."""
    read = read_expressions(text)
    for place, one in enumerate(read):
        tree = one.tree
        if not (isinstance(tree, Operation) and isinstance(tree.left, Fraction) and isinstance(tree.right, Fraction)):
            continue
        until = read[place + 1].start if place + 1 < len(read) else len(text)
        told = None if one.claimed is None else int(one.claimed)
        value, end = told if told is None or re.search(rf"(?<!\d){told}(?!\d)", text[one.end :]) else None, one.end
        if told is not None and one.chained:
            value = told
        if value is None and (behind := _BEHIND.match(text[:until], one.end)):
            value, end = int(behind[1]), behind.end()
        yield one.start, end, Claim(tree.op, int(tree.left), int(tree.right), value)


def _of_form(op: str, match: re.Match[str], start: int) -> Claim | None:
    one, other, *rest = match.groups()
    value = int(rest[0]) if rest and rest[0] else None
    if op == "half":
        whole = int(one) if one else start
        return Claim("/", whole, 2, int(other)) if whole else None
    if op == "go":
        back = value is not None and value < int(one)
        return Claim("-" if back else "+", int(one), int(other), value)
    if op == "to":
        return Claim("-", int(one), int(one) - int(other), int(other)) if int(other) < int(one) else None
    return Claim(op, int(one), int(other), value)
