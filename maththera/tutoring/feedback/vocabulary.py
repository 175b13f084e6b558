"""The closed vocabulary: the words of the feedback templates and the names of numbers, and no others."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from maththera.korean.numbers import parse_number

_SLOT: Final = re.compile(r"\{\w+\}")
_WITH_PARTICLE: Final = {"{known이}": " 0이 0가 ", "{target은}": " 0은 0는 "}
_NUMBER: Final = re.compile(r"\d+")
_SIGNS: Final = ".,!?~…"


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The words of the texts of `configs/tutoring/feedback.yaml`. One number in digits allows every number."""
    words: set[str] = set()
    for text in texts:
        numbered = _SLOT.sub(lambda slot: _WITH_PARTICLE.get(slot[0], " "), text)
        words.update(_words(numbered))
    return frozenset(words)


def is_composed_of(lines: Sequence[str], known: frozenset[str]) -> bool:
    """Whether every word of the lines is known or the name of a number, and no line is numbers alone."""
    return all(
        any(word in known for word in words) and all(word in known or _is_number(word) for word in words)
        for words in map(_words, lines)
    )


def _is_number(word: str) -> bool:
    return word == "0" or parse_number(word) is not None


def _words(text: str) -> list[str]:
    stripped = (_NUMBER.sub("0", word.strip(_SIGNS)) for word in text.split())
    return [word for word in stripped if word]
