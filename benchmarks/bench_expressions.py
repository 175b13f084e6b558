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
    told, fresh = lines(), lines("expression_claims_fresh")
    wrong, wrong_fresh = ([line for line in each if misjudged(line) is not None] for each in (told, fresh))
    lost = {style: _lost(style) for style in get_args(Style)}
    section = Section(
        "Numbers and expressions",
        f"{len(told)} and {len(fresh)} lines of two writers who knew neither rules nor code: claims (right and wrong "
        "ones), questions and what is beyond the tutor. A line is judged as it should be when its value, whether the "
        "claim holds, and why it is declined are all read. Of the first set 21 were misjudged at the first reading, "
        "most of them lines of the times tables (칠팔에 오십육); the rules were mended with them in sight. The second "
        "set only measures. Besides, "
        f"{NUMBERS:,} numbers up to {LARGEST:,} are written in each way and read back.",
        [
            at_most("lines on sums, fresh: misjudged", len(wrong_fresh), 0, "", 0),
            at_most("lines on sums, mended on: misjudged", len(wrong), 0, "", 0),
            at_most("numbers: not read back", sum(lost.values()), 0, "", 0),
        ],
    )
    section.tables = [
        *(
            table((name, "misjudged", "of"), [_row(kind, each, missed) for kind in ("claim", "question", "beyond")])
            for name, each, missed in (("fresh lines", fresh, wrong_fresh), ("lines mended on", told, wrong))
        ),
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
