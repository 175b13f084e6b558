"""Korean levels of speech, seen from how sentences end."""

import re
from collections.abc import Iterator
from typing import Final, Literal

Speech = Literal["casual", "polite"]

_QUOTED: Final = re.compile(r"[“\"‘'「『][^”\"’'」』]*[”\"’'」』]")
_SENTENCE: Final = re.compile(r"[^.!?\n]*[가-힣][.!?]+(?=\s|$)")
_POLITE: Final = re.compile(r"(요|니다|니까|십시오|세요|죠)[.!?]+$")


def strange_endings(text: str, speech: Speech) -> Iterator[str]:
    """The sentences in another level of speech. What stands in quotation marks is someone else's speech, and what ends
    without a stop (a title, an item of a list) is in none."""
    for found in _SENTENCE.finditer(_QUOTED.sub("인용", text)):
        sentence = found[0].strip()
        if (_POLITE.search(sentence) is not None) != (speech == "polite"):
            yield sentence
