"""What a child reads on the screen, and what there is to work out."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

PLUS, MINUS, TIMES, SHARED = "+", "-", "x", "/"

_SIGNS: Final = {"+": PLUS, "-": MINUS, "−": MINUS, "–": MINUS, "x": TIMES, "×": TIMES, "÷": SHARED, "/": SHARED}
_CHAIN: Final = re.compile(r"(\d+)((?:[-+−–x×÷/]\d+)+)(?:=□?|는\?|은\?)?")
_STEP: Final = re.compile(r"([-+−–x×÷/])(\d+)")
_MISSING: Final = re.compile(r"(?:(\d+)([+x×])□|□([+x×])(\d+))=(\d+)")
_TENS: Final = re.compile(r"(\d+)[은는]10이□개")


class Sum(NamedTuple):
    """Two numbers and a sign. `part`: written as a sum or product with a hole (3+□=7 is 7-3)."""

    a: int
    sign: str
    b: int
    part: bool = False

    @property
    def answer(self) -> int:
        if self.sign == PLUS:
            return self.a + self.b
        if self.sign == MINUS:
            return self.a - self.b
        return self.a * self.b if self.sign == TIMES else self.a // self.b


@lru_cache(maxsize=65_536)
def read(text: str) -> Sum | None:
    """The sum that a text asks for; the last step of a chain; None for what a child cannot read as one."""
    text = "".join(text.split())
    if found := _MISSING.fullmatch(text):
        known, whole = int(found[1] or found[4]), int(found[5])
        return _checked(Sum(whole, MINUS if (found[2] or found[3]) == PLUS else SHARED, known, part=True))
    if found := _TENS.fullmatch(text):
        return _checked(Sum(int(found[1]), SHARED, 10, part=True))
    if found := _CHAIN.fullmatch(text):
        whole, last = int(found[1]), None
        for sign, number in _STEP.findall(found[2]):
            last = _checked(Sum(whole, _SIGNS[sign], int(number)))
            if last is None:
                return None
            whole = last.answer
        return last
    return None


def _checked(one: Sum) -> Sum | None:
    """None where no natural number is the answer; a rest of a division is left aside, as a child does."""
    if (one.sign == MINUS and one.b > one.a) or (one.sign == SHARED and one.b == 0):
        return None
    return one
