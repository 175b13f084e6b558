"""Korean particles and endings, which depend on how the word before them is read. The page has the same in
`web/src/lib/particles.ts`; both are tested with `tests/data/particles.json`."""

import re
from typing import Final, Literal

from maththera.korean.jamo import parts

Particle = Literal["을를", "은는", "이가", "과와", "로", "라고", "라는", "야", "예요"]

PARTICLES: Final[dict[Particle, tuple[str, str]]] = {
    "을를": ("을", "를"), "은는": ("은", "는"), "이가": ("이", "가"), "과와": ("과", "와"), "로": ("으로", "로"),
    "라고": ("이라고", "라고"), "라는": ("이라는", "라는"), "야": ("이야", "야"), "예요": ("이에요", "예요"),
}  # fmt: skip
"""The form after a consonant, then the form after a vowel."""

_READ: Final = re.compile(r"(?:^|[^0-9A-Za-z])(?![ckm]m$)([A-Za-z]+)$")
"""A word in Latin letters that is no unit, such as cm and all that stands right after a digit."""

_DIGIT: Final = re.compile(r"[013678]$")
_DIGIT_IN_L: Final = re.compile(r"[178]$")
_LETTER: Final = re.compile(r"[LMNR]$")
_LETTER_IN_L: Final = re.compile(r"[LR]$")
_WORD: Final = re.compile(r"(?:[lmn]e?|ng|[aiou]ck|(?:(?:^|[^aeiou])[aeiou]|ae|eo|eu|oo(?=k))(?:bb?|c|k|pp?|tt?))$")
"""Kim 김, Jane 제인, King 킹, Jack 잭, Matt 맷, Baek 백; but Mark 마크, week 위크, check 체크, David 데이비드."""

_WORD_IN_L: Final = re.compile(r"le?$")


def with_particle(word: object, particle: Particle) -> str:
    """The word with its particle: "사탕을", "사과를", "28은", "Kim이", "PDF를". Brackets and quotes at its end are not
    read; what cannot be read takes the form after a vowel."""
    text = str(word)
    consonant = _last_consonant(text.rstrip(")]」』’”'\" "))
    after_consonant, after_vowel = PARTICLES[particle]
    return text + (after_vowel if consonant is None or (consonant == "l" and particle == "로") else after_consonant)


def as_called(name: str) -> str:
    """A child's name as it stands in a sentence: 하늘이, 민수, Kim."""
    return f"{name}이" if "가" <= name[-1:] <= "힣" and _last_consonant(name) else name


def _last_consonant(text: str) -> Literal["l", "other"] | None:
    """The consonant that the text is read with at its end; None after a vowel, and for what cannot be read."""
    if text and (syllable := parts(text[-1])) is not None:
        return None if not syllable[2] else "l" if syllable[2] == "ㄹ" else "other"
    if latin := _READ.search(text):
        word = latin[1]
        spelled = word.isupper() or len(word) == 1
        closed, in_l = (_LETTER, _LETTER_IN_L) if spelled else (_WORD, _WORD_IN_L)
        text = word.upper() if spelled else word.lower()
    else:
        closed, in_l = _DIGIT, _DIGIT_IN_L
    return None if not closed.search(text) else "l" if in_l.search(text) else "other"
