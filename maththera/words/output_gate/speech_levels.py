"""Korean speech levels, recognised by the ends of sentences."""

import re
from collections.abc import Iterator
from typing import Final, Literal

from maththera.korean.jamo import parts

Speech = Literal["casual", "polite"]

_QUOTED: Final = re.compile(r"[“\"‘'「『][^”\"’'」』]*[”\"’'」』]")
_SENTENCE: Final = re.compile(r"[^.!?\n]*[가-힣][.!?]+(?=\s|$)")
_INFORMAL_POLITE: Final = re.compile(r"(요|십시오|죠)[.!?]+$")
_FORMAL: Final = re.compile(r"([가-힣])(니다|니까)[.!?]+$")


def wrong_level_sentences(text: str, speech: Speech) -> Iterator[str]:
    """The sentences in another speech level. Quotations are skipped, and so are lines without a stop (titles, list
    items)."""
    for found in _SENTENCE.finditer(_QUOTED.sub("인용", text)):
        sentence = found[0].strip()
        if _polite(sentence) != (speech == "polite"):
            yield sentence


def _polite(sentence: str) -> bool:
    """ "합니다" and "합니까" have a ㅂ before their ending; "하니까" and "아니다" are casual."""
    formal = _FORMAL.search(sentence)
    if formal is not None:
        syllable = parts(formal[1])
        return syllable is not None and syllable[2] == "ㅂ"
    return _INFORMAL_POLITE.search(sentence) is not None
