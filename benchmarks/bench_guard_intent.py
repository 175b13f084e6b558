"""How well the chat tells what it is asked without a language model, on utterances that its rules were not set on.

`python -m benchmarks guard_intent` prints it.
"""

import statistics
import time
from collections.abc import Callable
from typing import Final

from benchmarks.report import Section, at_least, at_most, table
from tests.support.utterances import (
    HALVES,
    Half,
    Outcome,
    classified,
    documents,
    guard,
    guarded,
    intent_of,
    taken_for_abuse,
    utterances,
)

ROUNDS: Final = 5
LONGEST: Final = "나눗셈이 어려워서 어떻게 공부하면 좋을지 모르겠어. " * 138
"""About as long as a message may be."""


def measure() -> Section:
    """Everything on the half `test`; the other half is only told beside it."""
    guards, found = guarded("test"), classified("test")
    mistaken, harmless = taken_for_abuse("test")
    texts = [text for each in utterances("intents", "test").values() for text in each]
    section = Section(
        "Guard and intents",
        f"{_count('guard')} utterances for the guard and {_count('intents')} for the intents, labelled by hand in two "
        "halves. Rules were set on `development`; the figures are those of `test`. Both halves have the same author, "
        "who wrote the rules too: strangers' words will do worse. False positives are counted on all harmless "
        "utterances of the half, the intents' among them.",
        [
            at_least("abuse that is found", 100 * guards.figures["abuse"].recall, 97, " %", 1),
            at_most("harmless utterances taken for abuse", 100 * len(mistaken) / harmless, 1, " %", 1),
            at_least("intents, macro-F1", found.macro_f1, 0.85, "", 2),
        ],
    )
    section.tables = [
        _figures("guard", guards),
        _figures("intent", found),
        table(
            ("", "development", "test"),
            [
                ("harmless utterances taken for abuse", *(len(taken_for_abuse(half)[0]) for half in HALVES)),
                ("intents, macro-F1", *(classified(half).macro_f1 for half in HALVES)),
                ("tool results with planted orders that are found", *(_planted(half, found=True) for half in HALVES)),
                ("plain tool results that are let be", *(_planted(half, found=False) for half in HALVES)),
            ],
        ),
        table(
            ("milliseconds", "median", "slowest"),
            [
                ("guard, a message", *_milliseconds(guard().check, texts)),
                ("intent with the guard, a message", *_milliseconds(intent_of, texts)),
                (f"guard, {len(LONGEST):,} characters", *_milliseconds(guard().check, [LONGEST])),
            ],
        ),
    ]
    return section


def _count(name: str) -> int:
    halves = [utterances("guard", half) if name == "guard" else utterances("intents", half) for half in HALVES]
    return sum(len(texts) for half in halves for kind, texts in half.items() if kind != "documents")


def _figures(head: str, outcome: Outcome) -> str:
    rows = [(name, each.wanted, each.precision, each.recall, each.f1) for name, each in outcome.figures.items()]
    return table((head, "utterances", "precision", "recall", "F1"), rows)


def _planted(half: Half, *, found: bool) -> str:
    texts = [text for text, planted in documents(half) if planted == found]
    right = sum(guard().looks_like_instructions(text) == found for text in texts)
    return f"{right} of {len(texts)}"


def _milliseconds(function: Callable[[str], object], texts: list[str]) -> tuple[float, float]:
    samples = []
    for text in texts * ROUNDS:
        started = time.perf_counter()
        function(text)
        samples.append(1000 * (time.perf_counter() - started))
    return statistics.median(samples), max(samples)
