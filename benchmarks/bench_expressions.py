"""Whether what is written about sums is read as it is meant, and every number as it is written.

`python -m benchmarks expressions` prints it.
"""

import random
import time
from collections.abc import Sequence
from typing import Final, get_args

from benchmarks.report import Section, at_most, percentile, table
from maththera.arithmetic.result_claims import read_expressions
from maththera.korean.numbers import Style, numbers_in, written
from tests.support.claims import UNREAD, Line, lines, misjudged

NUMBERS: Final = 10_000
LARGEST: Final = 9_999_999
SEED: Final = 10
KINDS: Final = ("claim", "question", "beyond", "none")


def measure() -> Section:
    own, fresh, stranger = (lines(f"expression_claims_{name}") for name in ("own", "fresh", "unread"))
    unread = stranger[UNREAD]
    told = (*lines(), *own, *fresh, *(line for line in stranger if line not in unread))
    wrong, wrong_unread = ([line for line in each if misjudged(line) is not None] for each in (told, unread))
    lost = {style: _lost(style) for style in get_args(Style)}
    section = Section(
        "Numbers and expressions",
        f"{len(lines())}, {len(fresh)} and {len(stranger)} lines of three writers who knew neither rules nor code, and "
        f"{len(own)} of our own: claims (right and wrong ones), questions, what is beyond the tutor, and numbers with "
        "which nothing is calculated. A line is judged as it should be when its value, whether the claim holds, and "
        "why it is declined are all read; of the last kind, when nothing is. The rules were mended with the first "
        "set, our own and half of the second in sight, whose other half was counted after each mending; and with the "
        f"third but for {len(unread)} lines, which nobody has read. At the first reading 32 of that writer's lines "
        f"were misjudged, 11 of the unread ones among them. Besides, {NUMBERS:,} numbers up to {LARGEST:,} are "
        "written in each way and read back.",
        [
            at_most("lines on sums of a stranger that nobody read: misjudged", len(wrong_unread), 0, "", 0),
            at_most("lines on sums, mended on: misjudged", len(wrong), 0, "", 0),
            at_most("numbers: not read back", sum(lost.values()), 0, "", 0),
        ],
    )
    section.tables = [
        *(
            table((name, "misjudged", "of"), [_row(kind, each, missed) for kind in KINDS])
            for name, each, missed in (("lines nobody read", unread, wrong_unread), ("lines mended on", told, wrong))
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
