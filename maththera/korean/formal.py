"""Reported sentences as they are said formally: 못했다(고) → 못했습니다, 감기라(고) → 감기입니다."""

from typing import Final

_FIRST: Final = ord("가")
_LAST: Final = ord("힣")
_FINALS: Final = 28
_N, _L, _P = 4, 8, 17
"""The final consonants ㄴ, ㄹ and ㅂ among the finals of a syllable."""


def formal(reported: str) -> str:
    """A sentence that was reported with 고, which is left out, in 합쇼체; "" for one of another kind."""
    reported = reported.strip(" ,.")
    if reported.endswith("달라"):
        return f"{reported.removesuffix('달라').rstrip()} 주시면 감사하겠습니다."
    if reported.endswith("라"):
        noun = reported.removesuffix("라").removesuffix("이")
        return f"{noun}입니다." if noun and noun[-1] not in "하으" else ""
    if not reported.endswith("다") or len(reported) < 2:
        return ""
    stem = reported.removesuffix("다")
    if stem.endswith("는"):
        return f"{stem.removesuffix('는')}습니다."
    final = _final(stem[-1])
    if final in (0, _N, _L):
        return f"{stem[:-1]}{chr(ord(stem[-1]) - final + _P)}니다."
    return f"{stem}습니다." if final > 0 else ""


def _final(syllable: str) -> int:
    """The final consonant of a syllable: 0 for none, -1 where it is no syllable."""
    return (ord(syllable) - _FIRST) % _FINALS if _FIRST <= ord(syllable) <= _LAST else -1
