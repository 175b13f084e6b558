"""The words of a Korean text that carry meaning, whatever their endings and particles.

The analyser takes a second or two to load, so it is loaded when the first text needs it.
"""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kiwipiepy import Kiwi  # type: ignore[import-untyped]

_MEANING: Final = ("NNG", "NNP", "NNB", "NR", "SN", "SL", "XR", "VV", "VA", "MM", "XSN")
_EMPTY: Final = frozenset(
    ["것", "수", "있", "하", "되", "등", "때", "알", "대하", "단원", "문제", "학습", "공부", "연습"]
)
"""Words of every school text; 수 (number) is one, as every concept is about numbers."""

_SAME: Final = {
    "더하": "덧셈",
    "빼": "뺄셈",
    "곱하": "곱셈",
    "나누": "나눗셈",
    "모으": "모으기",
    "가르": "가르기",
    "자리값": "자릿값",
}
"""Verbs and spellings → the noun that names the same."""

_OWN_WORDS: Final = (
    "받아올림 받아내림 자릿값 곱셈구구 구구단 십몇 가르기 모으기 역연산 세로셈 서술형 수행평가 지필평가 평가계획"
)
"""Terms of primary mathematics and of school plans that the analyser would take apart."""


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """In their order, verbs and adjectives as stems."""
    return tuple(
        _SAME.get(token.form, token.form)
        for token in _kiwi().tokenize(text)
        if token.tag.partition("-")[0] in _MEANING and token.form not in _EMPTY
    )


@cache
def _kiwi() -> "Kiwi":
    from kiwipiepy import Kiwi

    kiwi = Kiwi()
    for word in _OWN_WORDS.split():
        kiwi.add_user_word(word, "NNG")
    return kiwi
