"""Whether what is written about sums is read as it is meant, and every number as it is written.

`python -m benchmarks expressions` prints it.
"""

import random
import time
from collections.abc import Sequence
from typing import Final, get_args

from benchmarks.report import Section, at_most, percentile, table
from maththera.arithmetic.claims import read_expressions
from maththera.korean.numbers import Style, numbers_in, written
from tests.support.claims import Line, lines, misjudged

NUMBERS: Final = 10_000
LARGEST: Final = 9_999_999
SEED: Final = 10


def measure() -> Section:
    told = lines()
    wrong = [line for line in told if misjudged(line) is not None]
    lost = {style: _lost(style) for style in get_args(Style)}
    section = Section(
        "Numbers and expressions",
        f"{len(told)} lines of a writer who knew neither rules nor code: claims (right and wrong ones), questions and "
        "what is beyond the tutor. A line is judged as it should be when its value, whether the claim holds, and why "
        "it is declined are all read. At the first reading 21 were misjudged, most of them lines of the times "
        "tables (칠팔에 오십육); the rules were mended with them in sight. Besides, "
        f"{NUMBERS:,} numbers up to {LARGEST:,} are written in each way and read back.",
        [
            at_most("lines on sums: misjudged", len(wrong), 0, "", 0),
            at_most("numbers: not read back", sum(lost.values()), 0, "", 0),
        ],
    )
    section.tables = [
        table(("lines", "misjudged", "of"), [_row(kind, told, wrong) for kind in ("claim", "question", "beyond")]),
        table(("numbers written as", "not read back", "of"), [(style, n, NUMBERS) for style, n in lost.items()]),
        table(("milliseconds", "median", "99 %", "slowest"), [_milliseconds(told)]),
    ]
    return section


def _row(kind: str, told: Sequence[Line], wrong: Sequence[Line]) -> tuple[str, int, int]:
    return kind, sum(line.kind == kind for line in wrong), sum(line.kind == kind for line in told)


def _lost(style: Style) -> int:
    """Digits that stand apart may be several numbers; there the number must be the first reading."""
    draw = random.Random(SEED)  # noqa: S311 - numbers to write
    numbers = (draw.randrange(10 ** draw.randrange(1, 8)) for _ in range(NUMBERS))
    return sum(not _read_back(number, style) for number in numbers)


def _read_back(number: int, style: Style) -> bool:
    found = numbers_in(written(number, style))
    return len(found) == 1 and found[0].values[:1] == (number,) and (style == "spaced" or found[0].value == number)


def _milliseconds(told: Sequence[Line]) -> tuple[str, float, float, float]:
    samples = []
    for line in told:
        read_expressions.cache_clear()
        started = time.perf_counter()
        read_expressions(line.text)
        samples.append(1000 * (time.perf_counter() - started))
    return "a line", percentile(samples, 50), percentile(samples, 99), max(samples)
