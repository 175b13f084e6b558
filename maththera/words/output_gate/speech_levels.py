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
_BLUNT: Final = re.compile(r"(?:[야어아해지네군니냐자래게까다줘봐돼워라걸]|구나|거든|[가-힣]려)[.!?~…]+$")
_BLUNT_LINE: Final = re.compile(
    r"(?:[았었했였겠있없됐갔왔봤졌렸썼났켰쳤줬]어|[았었했였됐갔왔봤졌렸썼났켰쳤줬]다"
    r"|거야|이야|거든|구나|잖아|[해어아] ?줘)$"
)
"""A line without a stop may be a title, which ends in any noun ("숫자")."""


def blunt_sentences(text: str) -> Iterator[str]:
    """The sentences in which an adult is spoken to as a child. Skipped are quotations, and what ends in a noun."""
    for line in _QUOTED.sub("인용", text).splitlines():
        for sentence in re.split(r"(?<=[.!?])\s+", line):
            said = sentence.strip()
            if (_BLUNT.search(said) and not _polite(said)) or _BLUNT_LINE.search(said):
                yield said


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
