"""The lines on which the recognition of danger is trained and measured: `tests/data/danger`.

Each line of a file: label, manner, text. The `writer_*` files train the model. The `sealed_*` ones only measure: nobody
reads them while words or limits are chosen.
"""

import random
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from maththera.korean.jamo import parts, syllable_of
from maththera.words.danger.danger_detection import CATEGORIES

LINES: Final = Path(__file__).resolve().parent.parent / "data" / "danger"
BREAK: Final = " ⏎ "
"""Stands between the lines of one message."""
_VOWELS: Final = "ㅏㅐㅓㅔㅗㅜㅡㅣㅛㅠㅕㅑ"
_FINALS: Final = ("", "ㄴ", "ㅅ", "ㅆ", "ㅇ", "ㄹ")


class Line(NamedTuple):
    """`label`: a category of danger, or `hard` (sounds like danger) or `plain`. `manner`: direct, indirect, noisy or
    dialogue."""

    label: str
    manner: str
    text: str
    writer: str

    @property
    def danger(self) -> bool:
        return self.label in CATEGORIES


@cache
def lines(pattern: str) -> tuple[Line, ...]:
    """Those of the files whose names match."""
    found = []
    for path in sorted(LINES.glob(pattern)):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, manner, text = line.split("\t")
            found.append(Line(label, manner, text.replace(BREAK, "\n"), path.stem))
    return tuple(found)


def noisy(text: str, chance: random.Random) -> str:
    """A copy as a child may type it: without spaces, or with a few wrong, lost or parted syllables."""
    if chance.random() < 0.5:
        return text.replace(" ", "")
    signs = list(text)
    for _ in range(1 + len(signs) // 14):
        place = chance.randrange(len(signs))
        syllable = parts(signs[place]) if len(signs[place]) == 1 else None
        if syllable is None or chance.random() < 0.2:
            signs[place] = "" if chance.random() < 0.5 else signs[place] + " "
        elif chance.random() < 0.6:
            signs[place] = syllable_of(syllable[0], chance.choice(_VOWELS), syllable[2])
        else:
            signs[place] = syllable_of(syllable[0], syllable[1], chance.choice(_FINALS))
    return "".join(signs)
