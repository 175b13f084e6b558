"""Numbers in Korean words: what a line says with 십사, 열넷 or 열네 개."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from maththera.korean.morphemes import Morpheme

_SINO: Final = {word: number for number, word in enumerate("영일이삼사오육칠팔구")} | {"공": 0, "륙": 6}
_MULTIPLIERS: Final = {"십": 10, "백": 100, "천": 1000}
_NATIVE: Final = {
    **{
        word: number
        for number, word in enumerate(("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열"), 1)
    },
    **{
        word: number * 10
        for number, word in enumerate(("스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"), 2)
    },
    **dict.fromkeys(("세", "석"), 3),
    **dict.fromkeys(("네", "넉"), 4),
    "한": 1,
    "두": 2,
    "스무": 20,
}
_WORD: Final = re.compile("|".join(sorted([*_SINO, *_MULTIPLIERS, *_NATIVE], key=len, reverse=True)))
_HANGUL: Final = re.compile(r"[가-힣]+")
_AFTER_ANSWER: Final = re.compile(r"답(?:은\s*|이\s+|\s+)([가-힣]+)")
_COPULAS: Final = ("", "야", "이야", "지", "이지", "네", "이네", "다", "이다")
_PARTICLES: Final = ("이", "가", "은", "는", "을", "를", "도", "만", "로", "으로", "라고", "이라고", "개", "개야")


def number_of(words: str) -> int | None:
    """14 of 십사 or 열넷, 188 of 백팔십팔; None where the text is more, less or other than one number below 만."""
    total, pending, worth, end = 0, None, 10_000, 0
    for match in _WORD.finditer(words):
        word, start = match[0], end
        end = match.end()
        if match.start() != start:
            return None
        if word in _SINO:
            if pending is not None or worth == 1:
                return None
            pending = _SINO[word]
            continue
        part = _MULTIPLIERS.get(word) or _NATIVE[word]
        scale = part if word in _MULTIPLIERS else 10 if part >= 10 else 1
        if scale >= worth or (word in _NATIVE and pending is not None):
            return None
        total += part * (1 if pending is None else pending)
        worth, pending = scale, None
    return total + (pending or 0) if end and end == len(words) else None


def numbers_said(text: str, morphemes: Iterable[Morpheme]) -> set[int]:
    """The numbers in words: numerals by the analyser's tags, alone and joined with their neighbours; words of two
    syllables and more that read as a number (백구, to the analyser a dog); and whatever can be one after 답은 (사야, to
    the analyser a verb)."""
    found: set[int | None] = set()
    for run in _numeral_runs(morphemes):
        found.update(number_of("".join(run[: length + 1])) for length in range(len(run)))
        found.update(number_of("".join(run[start:])) for start in range(len(run)))
    for word in _HANGUL.findall(text):
        stems = {word.removesuffix(ending) for ending in (*_COPULAS, *_PARTICLES)}
        found.update(number_of(stem) for stem in stems if len(stem) >= 2)
    for match in _AFTER_ANSWER.finditer(text):
        found.update(number_of(match[1].removesuffix(copula)) for copula in _COPULAS)
    return {number for number in found if number is not None}


def _numeral_runs(morphemes: Iterable[Morpheme]) -> Iterator[list[str]]:
    run: list[str] = []
    for token in morphemes:
        if token.tag == "NR" or (token.tag == "MM" and token.form in _NATIVE):
            run.append(token.form)
        elif run:
            yield run
            run = []
    if run:
        yield run
