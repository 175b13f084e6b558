"""Sentences of 반말 in 해요체, for adults: the steps of a solution are written once, for children."""

import re
from typing import Final

from maththera.korean.jamo import parts

_ENDINGS: Final[tuple[tuple[str, str], ...]] = (
    ("거야", "거예요"), ("아니야", "아니에요"), ("이야", "이에요"), ("야", "예요"), ("아니", "아니요"),
    ("보자", "봐요"), ("하자", "해요"), ("가자", "가요"), ("마", "마세요"), ("줘", "주세요"), ("봐", "보세요"),
)  # fmt: skip
"""The end of a sentence → in 해요체; the first that fits. To any other end that is casual, 요 is added."""
_LAST: Final = re.compile(r"[가-힣]+(?=[.!?](?:\s|$)|:\s\d)", re.MULTILINE)
_OPENING: Final = re.compile(r"(?:^|(?<=[.!?] ))(응|아니)(?=[,.!])", re.MULTILINE)
_QUOTED: Final = re.compile(r"‘[^’\n]*’|'[^'\n]*'|“[^”\n]*”")
_NO_VERB: Final = frozenset({"예", "네", "보기", "처럼"})
_CASUAL: Final = "든걸군단"
"""Syllables with a consonant at their end that casual sentences end in."""


def polite(text: str) -> str:
    """A text whose sentences end in 해요체; what is quoted or was polite stays."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    said = _OPENING.sub(lambda match: {"응": "네", "아니": "아니요"}[match[1]], _QUOTED.sub(keep, text))
    said = _LAST.sub(lambda match: _ended(match[0]), said)
    return re.sub(r"\0(\d+)\0", lambda match: kept[int(match[1])], said)


def _ended(word: str) -> str:
    for casual, own in _ENDINGS:
        if word.endswith(casual):
            return word.removesuffix(casual) + own
    last = word[-1]
    syllable = parts(last)
    is_casual = last in _CASUAL or (syllable is not None and not syllable[2])
    return word if word in _NO_VERB or last in "요다죠오" or not is_casual else f"{word}요"
