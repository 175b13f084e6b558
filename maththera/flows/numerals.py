"""Numbers as Koreans write them before a counter: 20, 스무, 열두, 십오."""

from typing import Final

_NATIVE_ONES: Final = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "석": 3, "네": 4, "넷": 4, "넉": 4, "다섯": 5, "여섯": 6,
    "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_NATIVE_TENS: Final = {"열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50}
_SINO: Final = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}

_ONES: Final = "|".join(sorted(_NATIVE_ONES, key=len, reverse=True))
_TENS: Final = "|".join(_NATIVE_TENS)
NUMBER: Final = (
    rf"(?:\d{{1,5}}|(?:{_TENS})\s?(?:{_ONES})?|(?:{_ONES})|"
    r"[이삼사오육칠팔구]?십[일이삼사오육칠팔구]?|[이삼사오육칠팔구]?백)"
)
"""A pattern; without a counter behind it, many syllables are no numbers."""


def number(text: str) -> int | None:
    """None for a text that is no number up to 99,999."""
    text = "".join(text.split())
    if text.isascii() and text.isdigit():
        return int(text)
    if text in _NATIVE_ONES:
        return _NATIVE_ONES[text]
    for tens, value in _NATIVE_TENS.items():
        if text.startswith(tens):
            rest = text[len(tens) :]
            return _NATIVE_ONES.get(rest, -value) + value or None if rest else value
    if "백" in text:
        head, _, tail = text.partition("백")
        below = number(tail) if tail else 0
        return None if below is None else 100 * _SINO.get(head, 1) + below
    if "십" in text:
        head, _, tail = text.partition("십")
        return 10 * _SINO.get(head, 1) + _SINO.get(tail, 0)
    return _SINO.get(text)
