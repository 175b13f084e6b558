"""Korean particles, which depend on how the word before them ends."""

import re
from typing import Final, Literal

Pair = Literal["을를", "은는", "이가", "과와"]
"""The form after a consonant, then the form after a vowel."""

_SYLLABLES: Final = range(ord("가"), ord("힣") + 1)
_FINALS: Final = 28
_DIGITS_IN_A_VOWEL: Final = frozenset("2459")
"""이, 사, 오, 구; a number that ends in another digit is read with a consonant at its end (일, 삼, 십, 백 …)."""
_ENGLISH_CONSONANT: Final = re.compile(
    r"[a-z]*[aeiouy][a-z]*[lmn]|[a-z]*[aeiouy]ng|[a-z]*[aeiouy][a-z]*[lmn]e|(?:[a-z]*[^aeiouy])?[aeiou][bckpt]", re.I
)
"""English words as Koreans read them: 툴, 링, 파일, 맵. Others, such as 서버 and 센티미터 (cm), end in a vowel."""
_LAST_WORD: Final = re.compile(r"[A-Za-z]+$")


def with_particle(word: object, pair: Pair) -> str:
    """The word with its particle: "사탕을", "사과를", "28은". Other words take the form after a vowel."""
    text = str(word)
    return text + pair[0 if ends_in_consonant(text) else 1]


def ends_in_consonant(text: str) -> bool:
    """Whether the last letter or digit is read with a consonant at its end; brackets after it are not read."""
    read = text.rstrip(")]」』’”'\" ")
    if english := _LAST_WORD.search(read):
        return _ENGLISH_CONSONANT.fullmatch(english[0]) is not None
    last = read[-1:]
    if last.isdecimal():
        return last not in _DIGITS_IN_A_VOWEL
    return len(last) == 1 and ord(last) in _SYLLABLES and (ord(last) - _SYLLABLES.start) % _FINALS != 0
