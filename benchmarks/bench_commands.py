"""How well Korean commands are understood without a language model: tests/data/commands.yaml, each half by itself.

`python -m benchmarks.bench_commands` prints every command that was not understood.
"""

import time
from typing import Final

from benchmarks.report import Section, Target, at_most, table
from tests.support.commands import HALVES, Score, matcher, measured, today

LIMIT_WRONG_PERCENT: Final = 2.0


def measure() -> Section:
    """Each half once; what is understood is the same in every run."""
    matcher().choose("진단", today())  # loads the analyser
    scores: dict[str, Score] = {}
    times: dict[str, float] = {}
    for half in HALVES:
        began = time.perf_counter()
        scores[half] = measured(half)
        times[half] = 1_000 * (time.perf_counter() - began) / scores[half].commands
    count = sum(score.commands for score in scores.values())
    wrong = sum(score.wrong_acts for score in scores.values())
    targets = [
        Target("commands", f"{count}", "≥ 120", count >= 120),
        at_most("carried out, and not what was meant", 100 * wrong / count, LIMIT_WRONG_PERCENT, " %"),
    ]
    head = ("half", "commands", "flow or tool right, %", "parameters right, %", "wrong acts", "ms a command")
    rows = [
        (
            half,
            score.commands,
            100 * score.targets / score.commands,
            100 * score.parameters / score.with_parameters,
            score.wrong_acts,
            times[half],
        )
        for half, score in scores.items()
    ]
    return Section("Commands in Korean", _TEXT, targets, [table(head, rows)])


def main() -> None:
    """Tells what was not understood."""
    for half in HALVES:
        for failure in measured(half).failures:
            print(f"{half}: {failure}")


_TEXT: Final = """\
Paraphrases, slips of the pen, commands that leave something open or mean none of it, without a language model. Rules
and numbers were set on the first half; the second only measures. Asking back where that is right counts as right.
Parameters are counted where the flow or tool is right."""


if __name__ == "__main__":
    main()
