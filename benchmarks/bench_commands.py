"""How well Korean commands are understood without a language model: tests/data/commands.yaml, each half by itself.

`python -m benchmarks.bench_commands` prints it with every command that was not understood.
"""

import sys
import time

from tests.support.commands import HALVES, commands, matcher, measured, today


def main() -> None:
    matcher().choose("진단", today())  # loads the analyser
    for half in HALVES:
        started = time.perf_counter()
        score = measured(half)
        each = 1000 * (time.perf_counter() - started) / score.commands
        print(
            f"{half}: {score.commands} commands, flow or tool {score.targets / score.commands:.1%}, "
            f"parameters {score.parameters}/{score.with_parameters}, wrong acts {score.wrong_acts} "
            f"({score.wrong_acts / len(commands(half)):.1%}), {each:.1f} ms each"
        )
        for failure in score.failures:
            print(f"  {failure}", file=sys.stderr)


if __name__ == "__main__":
    main()
