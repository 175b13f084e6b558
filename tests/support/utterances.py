"""tests/data/{guard,intents}.yaml, and how well the guard and the intents tell their classes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import yaml

from maththera.chat.coach.asks import AskReader
from maththera.chat.coach.basics import Basics
from maththera.chat.coach.intent_registry import OUT_OF_SCOPE, IntentRegistry, read_registry, registry_file
from maththera.chat.coach.turn_reading import TurnReader
from maththera.settings import home
from maththera.words.input_filter.message_filter import MessageFilter

DATA: Final = Path(__file__).parents[1] / "data"
Half = Literal["development", "test"]
HALVES: Final[tuple[Half, ...]] = ("development", "test")
PASSES: Final = "let through"
BENIGN: Final = ("learning", "lookalike", "small_talk", "meaningless")


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one class, from 0 to 1. `wanted`: utterances that belong to it."""

    wanted: int
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`wrong` holds (utterance, class it belongs to, class it was given)."""

    figures: Mapping[str, Figures]
    wrong: tuple[tuple[str, str, str], ...]

    @property
    def macro_f1(self) -> float:
        return sum(each.f1 for each in self.figures.values()) / len(self.figures)


@cache
def guard() -> MessageFilter:
    return MessageFilter.load(home())


@cache
def intents() -> IntentRegistry:
    return read_registry(registry_file(home()))


@cache
def reader() -> TurnReader:
    return TurnReader(AskReader.load(home()), Basics.load(home()))


def intent_of(text: str) -> str:
    """The intent of a message at the beginning of a conversation."""
    verdict = guard().check(text)
    kind = verdict.kind
    if kind in ("abuse", "injection"):
        return OUT_OF_SCOPE
    ask = reader().read(text, {}, [], wants_open=False, learning=kind == "pass" and not verdict.weak).ask
    return reader().intent(ask, {}, intents().intents)


@cache
def utterances(name: Literal["guard", "intents"], half: Half) -> dict[str, Any]:
    read: dict[str, Any] = yaml.load((DATA / f"{name}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    found: dict[str, Any] = read[half]
    return found


def guarded(half: Half) -> Outcome:
    """What belongs to learning may be told so or be left to the intents: both let it through."""
    found = []
    for name, texts in utterances("guard", half).items():
        if name != "documents":
            wanted = PASSES if name in ("learning", "lookalike") else name
            found += [(text, wanted, _given(text)) for text in texts]
    return _outcome(found)


def classified(half: Half) -> Outcome:
    return _outcome(
        (text, wanted, intent_of(text)) for wanted, texts in utterances("intents", half).items() for text in texts
    )


def taken_for_abuse(half: Half) -> tuple[list[str], int]:
    """Harmless utterances that count as abuse, and how many harmless ones there are; those of the intents are too."""
    harmless = [text for name in BENIGN for text in utterances("guard", half)[name]]
    harmless += [text for texts in utterances("intents", half).values() for text in texts]
    return [text for text in harmless if guard().check(text).kind == "abuse"], len(harmless)


def documents(half: Half) -> list[tuple[str, bool]]:
    """Texts inside tool results, and whether they speak to the model."""
    kinds = utterances("guard", half)["documents"]
    return [(text, kind == "instructions") for kind, texts in kinds.items() for text in texts]


def _given(text: str) -> str:
    kind = guard().check(text).kind
    return PASSES if kind in ("pass", "unknown") else kind


def _outcome(found: Iterable[tuple[str, str, str]]) -> Outcome:
    found = list(found)
    wanted, given = (Counter(each[place] for each in found) for place in (1, 2))
    right = Counter(want for _, want, got in found if want == got)
    return Outcome(
        {
            name: Figures(count, right[name] / given[name] if given[name] else 0.0, right[name] / count)
            for name, count in wanted.items()
        },
        tuple(each for each in found if each[1] != each[2]),
    )
