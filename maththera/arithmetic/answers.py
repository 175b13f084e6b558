"""What number a child meant: digits, Sino-Korean (백팔십팔) or native Korean (일흔둘), everyday words around it."""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

_LONGEST_TEXT: Final = 40
"""A longer text is no answer, and this bounds the work."""

_SINO_DIGITS: Final = "영일이삼사오육칠팔구"
_SINO_PLACES: Final = {"천": 1000, "백": 100, "십": 10}
_ZEROS: Final = ("영", "공")
_NATIVE_TENS: Final = {
    **dict(zip(("열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"), range(10, 100, 10), strict=True)),
    "스무": 20,
}
_NATIVE_ONES: Final = {
    **dict(zip(("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉"), range(1, 10), strict=True)),
    **dict(zip(("한", "두", "세", "네"), range(1, 5), strict=True)),
}
_NEED_A_COUNTER: Final = frozenset({"한", "두", "세", "네"})
"""Alone these are other words too ("네" is also "yes"): they are numbers only before a counter."""

_COUNTERS: Final = ("개", "명", "마리", "장", "권", "자루", "송이", "살", "원")
_ENDINGS: Final = (
    *("요", "이요", "예요", "에요", "이에요", "이예요", "입니다", "이다", "야", "이야", "임", "인", "죠", "이죠"),
    *("인데", "인데요", "같아", "같아요", "인것같아", "인것같아요"),
)
_DOUBTS: Final = ("아니", "말고", "모르", "몰라")
"""Words that take a number back or leave it open."""


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _sino_part(prefix: str) -> str:
    """A pattern for 0..9,999 whose groups are named by `prefix` and the place."""
    digit = f"[{_SINO_DIGITS[1:]}]"
    places = "".join(f"(?:(?P<{prefix}{value}>{digit}?){name})?" for name, value in _SINO_PLACES.items())
    return f"{places}(?P<{prefix}1>{digit}?)"


_SINO: Final = re.compile(f"(?P<myriads>{_sino_part('m')}만)?{_sino_part('n')}")
_NATIVE: Final = re.compile(f"(?P<hundreds>.*?)(?P<tens>{_any_of(_NATIVE_TENS)})?(?P<ones>{_any_of(_NATIVE_ONES)})?")
_DIGITS: Final = re.compile(r"[0-9]{1,9}")
_SIGN: Final = re.compile(r"마이너스|[-−]")
_TAIL: Final = re.compile(f"(?P<counter>{_any_of(_COUNTERS)})?(?:{_any_of(_ENDINGS)})?")
_LEAD: Final = re.compile(r"정?답[은이]?")
_THOUSANDS_COMMA: Final = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_BETWEEN_WORDS: Final = re.compile(r"[^\w−-]+")


def parse_answer(value: int | str) -> int | None:
    """The one number in an answer such as 188, "188 이요", "백팔십팔", "열네 개", "답은 14" or "마이너스 3".

    None when there is no number, more than one, or one that can be read in two ways: "사십이요" is 40 as well as 42.
    """
    if isinstance(value, int):
        return value
    # Superscripts, fractions and circled digits would be turned into other numbers by the normalisation.
    if len(value) > _LONGEST_TEXT or any(unicodedata.category(sign) == "No" for sign in value):
        return None
    text = _THOUSANDS_COMMA.sub("", unicodedata.normalize("NFKC", value))
    if any(doubt in text for doubt in _DOUBTS):
        return None
    words = [_without_lead(word) for word in _BETWEEN_WORDS.split(text)]
    readings = _readings([word for word in words if word])
    return readings[0].pop() if len(readings) == 1 and len(readings[0]) == 1 else None


def _without_lead(word: str) -> str:
    lead = _LEAD.match(word)
    return word[lead.end() :] if lead else word


def _readings(words: list[str]) -> list[set[int]]:
    """For each number in the words, from left to right, the values it can have.

    A number may be spread over words ("백 팔십팔", "열네 개"), so the longest run of words that reads as one is taken.
    """
    found: list[set[int]] = []
    start = 0
    while start < len(words):
        for end in range(len(words), start, -1):
            values = _values(words[start:end])
            if values:
                found.append(values)
                start = end
                break
        else:
            if any(sign.isdecimal() or sign in "-−" for sign in words[start]):
                found.append(set())
            start += 1
    return found


def _values(words: list[str]) -> set[int]:
    """All values of words that make one number, empty when they make none."""
    if any(left[-1].isdecimal() and right[0].isdecimal() for left, right in pairwise(words)) or words[0] in ("-", "−"):
        return set()
    text = "".join(words)
    sign = _SIGN.match(text)
    unsigned = text[sign.end() :] if sign else text
    values: set[int] = set()
    for end in range(1, len(unsigned) + 1):
        tail = _TAIL.fullmatch(unsigned, end)
        number = _number(unsigned[:end], counted=bool(tail["counter"])) if tail else None
        if number is not None:
            values.add(-number if sign else number)
    return values


def _number(text: str, *, counted: bool) -> int | None:
    if _DIGITS.fullmatch(text):
        return int(text)
    if text in _ZEROS:
        return 0
    sino = _sino_number(text)
    return _native_number(text, counted=counted) if sino is None else sino


def _sino_number(text: str) -> int | None:
    match = _SINO.fullmatch(text)
    if match is None:
        return None
    # 만 without a number before it is one myriad.
    myriads = (_sino_part_value(match, "m") or 1) if match["myriads"] else 0
    return myriads * 10_000 + _sino_part_value(match, "n")


def _sino_part_value(match: re.Match[str], prefix: str) -> int:
    ones = _SINO_DIGITS.index(match[f"{prefix}1"] or "영")
    for place in _SINO_PLACES.values():
        digit = match[f"{prefix}{place}"]
        if digit is not None:
            ones += place * (_SINO_DIGITS.index(digit) if digit else 1)
    return ones


def _native_number(text: str, *, counted: bool) -> int | None:
    """1..99, alone or after Sino-Korean hundreds (백스물셋)."""
    match = _NATIVE.fullmatch(text)
    if match is None or not (match["tens"] or match["ones"]):
        return None
    hundreds = _sino_number(match["hundreds"]) if match["hundreds"] else 0
    if hundreds is None or hundreds % 100 or (text in _NEED_A_COUNTER and not counted):
        return None
    return hundreds + _NATIVE_TENS.get(match["tens"], 0) + _NATIVE_ONES.get(match["ones"], 0)
