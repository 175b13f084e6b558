"""Reads the number in a child's answer, with everyday words around it."""

import re
from typing import Final

from maththera.korean.number_words import PARTICLES
from maththera.korean.numbers import Number, numbers_in, plain

_LONGEST_TEXT: Final = 40
"""The longest text that is read as an answer, in characters; this also bounds the work."""
_LARGEST: Final = 10**9
_DOUBTS: Final = ("쯤", "아니", "말고", "모르", "몰라")
"""Words that take a number back or leave it open."""
_SIGNS: Final = re.compile(r"[-½¼¾⅓⅔]|[²³¹①-⑳]")


def parse_answer(value: int | str) -> int | None:
    """The one number in an answer such as 188, "188 이요", "백팔십팔", "열네 개", "답은 14" or "마이너스 3".

    None for no number, more than one, or an ambiguous one: "사십이요" is 40 or 42.
    """
    if isinstance(value, int):
        return value
    if len(value) > _LONGEST_TEXT or any(doubt in value for doubt in _DOUBTS):
        return None
    text = plain(value)
    found = [number for number in numbers_in(text) if not (number.doubtful and number.after in PARTICLES)]
    told = [number for number in found if not number.doubtful] or found
    if len(told) != 1 or _has_other_signs(text, told[0]):
        return None
    number = told[0].value
    return number if number is not None and abs(number) < _LARGEST else None


def _has_other_signs(text: str, number: Number) -> bool:
    """Whether a sign beside the number does not belong to an answer: "답 ½ 3"."""
    return _SIGNS.search(text[: number.start] + text[number.stop :]) is not None
