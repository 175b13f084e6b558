"""How much danger the front door hears, on lines of writers who have seen neither its words nor its training.

`python -m benchmarks danger` prints it.
"""

import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from benchmarks.intervals import with_interval
from benchmarks.report import Cell, Section, Target, at_most, table
from maththera.settings import home
from maththera.words.danger.danger_detection import CATEGORIES, Danger, DangerDetector, Writer
from maththera.words.ngram_model import plain
from tests.support.danger_lines import Line, asked_of_the_coach, everyday, framed, lines, noisy

TIERS: Final = (1, 2, 3)
RECALL: Final = (75, 85, 92)
HARD: Final = (2, 4, 8)
PLAIN: Final = (0.1, 0.3, 1)
LOWEST_CATEGORY: Final = 80
MOST_EVERYDAY: Final = 2
MOST_MS, MOST_MB = 1.0, 20.0
BANDS: Final = ((0.0, 0.15), (0.15, 0.25), (0.25, 0.4), (0.4, 1.01))
"""Likeness of a line to the nearest of the training: shared runs of three syllables ÷ all of both."""


def measure() -> Section:
    """On the sealed lines."""
    reader = DangerDetector.load(home())
    sealed = lines("sealed_*.tsv")
    heard = [(line, reader.read(line.text)[0]) for line in sealed]
    danger = [pair for pair in heard if pair[0].danger]
    hard = [pair for pair in heard if pair[0].label == "hard"]
    easy = [pair for pair in heard if pair[0].label == "plain"]
    times, size = _milliseconds(reader, sealed), _megabytes()
    by_category = {name: _share([pair for pair in danger if pair[0].label == name], 3) for name in CATEGORIES}
    weakest = min(by_category, key=lambda name: by_category[name])
    targets: list[Target] = []
    for tier, recall, most_hard, most_plain in zip(TIERS, RECALL, HARD, PLAIN, strict=True):
        name = f"tier {'1' if tier == 1 else f'1 to {tier}'}"
        targets += [
            Target(
                f"{name}: danger heard", _with_interval(danger, tier), f"≥ {recall} %", _share(danger, tier) >= recall
            ),
            Target(
                f"{name}: hard lines taken for danger",
                _with_interval(hard, tier),
                f"≤ {most_hard} %",
                _share(hard, tier) <= most_hard,
            ),
            Target(
                f"{name}: plain lines taken for danger",
                _with_interval(easy, tier, 2),
                f"≤ {most_plain} %",
                _share(easy, tier) <= most_plain,
            ),
        ]
    said = [(line, reader.read(line.text, writer=_writer(line))[0]) for line in everyday("held_out")]
    let_be = [pair for pair in said if not pair[0].danger]
    targets += [
        Target(
            f"{name} taken for danger",
            _with_interval(let_be, tier),
            f"≤ {MOST_EVERYDAY} %",
            _share(let_be, tier) <= MOST_EVERYDAY,
        )
        for name, tier in (("tier 1 to 2: everyday words", 2), ("tier 1 to 3: everyday words", 3))
    ]
    targets += [
        Target(
            f"weakest category, any tier ({weakest})",
            f"{by_category[weakest]:.0f} %",
            f"≥ {LOWEST_CATEGORY} %",
            by_category[weakest] >= LOWEST_CATEGORY,
        ),
        at_most("recognition of a message, median", statistics.median(times), MOST_MS, " ms", 2),
        at_most("memory of words and weights", size, MOST_MB, " MB"),
    ]
    return Section("Danger in a message", _text(sealed), targets, [
        _by("category", danger, lambda line: line.label, CATEGORIES),
        _by("manner", danger, lambda line: line.manner, ("direct", "indirect", "noisy", "dialogue")),
        _by("likeness to the training", danger, _band, [_name(band) for band in BANDS]),
        _by("writer", danger, lambda line: line.writer, sorted({line.writer for line in sealed})),
        _noise(reader, [line for line, _ in danger]),
        _by("beside everyday words", [pair for pair in said if pair[0].danger], lambda _: "danger", ["danger"]),
        _answers(danger),
    ])  # fmt: skip


def _text(sealed: Sequence[Line]) -> str:
    training, beside = lines("writer_*.tsv"), len(everyday("learnt")) + len(framed()) + len(asked_of_the_coach()[0])
    return f"""\
{len(sealed):,} lines of {len({line.writer for line in sealed})} writers who only measure; the model was trained on \
{len(training):,} lines of {len({line.writer for line in training})} others, and on {beside:,} everyday ones. All \
writers had a brief with situations and without phrases, and saw neither words nor each other's lines. They imagined \
children; no real child was asked. In brackets: 95 % intervals (Wilson). A line counts as heard whichever category was \
taken; the last table tells how often it was the right one. These figures were looked at more than a dozen times: \
after 14 writers, after 20, after rare runs were left out, and about ten times while everyday words were learnt. Of \
the sealed lines the first five of each file were seen then, and the first limit and what plain and everyday words add \
to a score were set with the figures in view. Everyday words (tears over sums, begging for the answer, borrowing and \
paying back, practice at home) are {_everyday_count()} lines of one hand, written before any was measured; others of \
the same hand and themes were learnt, so strangers' will fare worse."""


def _everyday_count() -> int:
    return sum(not line.danger for line in everyday("held_out"))


def _writer(line: Line) -> Writer:
    return "child" if line.writer == "child" else "unknown"


def _share(pairs: Sequence[tuple[Line, Danger | None]], tier: int) -> float:
    return 100 * _count(pairs, tier) / max(len(pairs), 1)


def _count(pairs: Sequence[tuple[Line, Danger | None]], tier: int) -> int:
    return sum(found is not None and found.tier <= tier for _, found in pairs)


def _with_interval(pairs: Sequence[tuple[Line, Danger | None]], tier: int, digits: int = 1) -> str:
    return with_interval(_count(pairs, tier), len(pairs), digits)


def _by(head: str, pairs: Sequence[tuple[Line, Danger | None]], of: Callable[[Line], str], names: Iterable[str]) -> str:
    groups = [(name, [pair for pair in pairs if of(pair[0]) == name]) for name in names]
    rows: list[Sequence[Cell]] = [
        (name, len(own), *(_with_interval(own, tier, 0) for tier in TIERS)) for name, own in groups if own
    ]
    return table((head, "lines", "tier 1", "1 or 2", "any"), rows)


def _runs(text: str) -> frozenset[str]:
    squeezed = plain(text).replace(" ", "")
    return frozenset(squeezed[start : start + 3] for start in range(len(squeezed) - 2))


_TRAINING: list[frozenset[str]] = []


def _band(line: Line) -> str:
    if not _TRAINING:
        _TRAINING.extend(_runs(each.text) for each in lines("writer_*.tsv") if each.danger)
    own = _runs(line.text)
    nearest = max(len(own & other) / len(own | other) for other in _TRAINING if other) if own else 1.0
    return next(_name(band) for band in BANDS if band[0] <= nearest < band[1])


def _name(band: tuple[float, float]) -> str:
    return f"{band[0]:.2f} to {min(band[1], 1):.2f}"


def _noise(reader: DangerDetector, danger: Sequence[Line]) -> str:
    """The same lines with typos and lost spaces."""
    chance = random.Random(1)  # noqa: S311 - the same copies each time
    pairs = [(line, reader.read(noisy(line.text, chance))[0]) for line in danger]
    rows: list[Sequence[Cell]] = [
        ("with typos or lost spaces", len(pairs), *(_with_interval(pairs, tier, 0) for tier in TIERS))
    ]
    return table(("", "lines", "tier 1", "1 or 2", "any"), rows)


def _answers(danger: Sequence[tuple[Line, Danger | None]]) -> str:
    """Of what was heard: how often the category was right, where the reader said that it is sure and where not."""
    heard = [(line, found) for line, found in danger if found is not None]
    rows: list[Sequence[Cell]] = []
    for name, sure in (("sure of the category", True), ("not sure: general numbers", False)):
        own = [(line, found) for line, found in heard if found.sure == sure]
        right = sum(line.label == found.category for line, found in own)
        rows.append((name, len(own), f"{100 * right / max(len(own), 1):.0f} %"))
    return table(("heard", "lines", "right category"), rows)


def _milliseconds(reader: DangerDetector, sealed: Sequence[Line]) -> list[float]:
    found = []
    for line in sealed[::5]:
        began = time.perf_counter()
        reader.read(line.text)[0]
        found.append(1000 * (time.perf_counter() - began))
    return found


def _megabytes() -> float:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    reader = DangerDetector.load(home())
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return taken / 2**20 if reader else 0.0
