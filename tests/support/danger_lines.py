"""The lines on which the recognition of danger is trained and measured: `tests/data/danger`.

Each line of a file: label, manner, text. The `writer_*` files train the model. The `sealed_*` ones only measure: nobody
reads them while words or limits are chosen. `danger_everyday.yaml` has everyday words beside them, some to learn and
some that only measure.
"""

import random
import re
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple, cast

import yaml

from maththera.korean.jamo import parts, syllable_of
from maththera.korean.particles import Particle, with_particle
from maththera.words.danger.danger_detection import CATEGORIES
from tests.support.asks import ask_lines

LINES: Final = Path(__file__).resolve().parent.parent / "data" / "danger"
EVERYDAY: Final = LINES.parent / "danger_everyday.yaml"
FRAMES: Final = LINES.parent / "danger_everyday_frames.yaml"
_OF_A_FRAME: Final = 36
"""How many lines of a frame are learnt."""
LOST_HEART: Final = frozenset({"cannot", "sad", "home_sad"})
"""What the coach is asked by children who may be sad: whether they are, one line does not tell."""
MAY_BE_MORE: Final = frozenset({
    "feeling", "teased", "crying", "hate_math", "nervous", "fail_fear", "own_fault", "away", "rest", "others", "friend",
    "insult", "school_told",
})  # fmt: skip
"""What may be danger, or begin to tell of one: it is learnt as neither."""
BREAK: Final = " ⏎ "
"""Stands between the lines of one message."""
_CHOICE: Final = re.compile(r"\{([^}]*)\}(이가|은는|을를)?")
_VOWELS: Final = "ㅏㅐㅓㅔㅗㅜㅡㅣㅛㅠㅕㅑ"
_FINALS: Final = ("", "ㄴ", "ㅅ", "ㅆ", "ㅇ", "ㄹ")


class Line(NamedTuple):
    """`label`: a category of danger, or `hard` (sounds like danger), `plain` or `everyday`. `manner`: direct, indirect,
    noisy or dialogue. `writer`: of an everyday line who says it."""

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


@cache
def everyday(part: Literal["learnt", "held_out"]) -> tuple[Line, ...]:
    """Everyday words of children and adults, and lines of danger that are near to them."""
    found = []
    for theme in yaml.load(EVERYDAY.read_text(encoding="utf-8"), yaml.CSafeLoader):
        said = [(text, idea["who"]) for idea in theme.get(part, []) for text in idea["say"]]
        found += [Line("everyday", "direct", text, who) for text, who in said]
        told = theme.get("danger", {}).get(part, {})
        found += [
            Line(label, "direct", text, "near to everyday words") for label, texts in told.items() for text in texts
        ]
    return tuple(found)


def framed() -> list[Line]:
    """Everyday words of the frames, none that only measures."""
    chance = random.Random(2029)  # noqa: S311 - the same lines each time
    kept = {line.text for line in everyday("held_out")}
    frames: dict[str, list[str]] = yaml.load(FRAMES.read_text(encoding="utf-8"), yaml.CSafeLoader)
    found = []
    for who, own in frames.items():
        for frame in own:
            made = {_CHOICE.sub(lambda one: _chosen(one, chance), frame).strip() for _ in range(_OF_A_FRAME)}
            found += [Line("everyday", "direct", text, f"frames of a {who}") for text in sorted(made - kept)]
    return found


def _chosen(choice: re.Match[str], chance: random.Random) -> str:
    word = chance.choice(choice[1].split("|"))
    return with_particle(word, cast("Particle", choice[2])) if choice[2] else word


def asked_of_the_coach() -> tuple[list[Line], list[Line]]:
    """What is said to the coach and is no danger, and what is said to it by children who have lost heart."""
    lines = ask_lines()
    safe = [Line("everyday", "direct", text, "coach") for ask, text, _ in lines if ask not in LOST_HEART | MAY_BE_MORE]
    return safe, [Line("sadness", "direct", text, "coach") for ask, text, _ in lines if ask in LOST_HEART]


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
