"""How well answers in sentences are graded without a language model, on answers that the rules were not set on.

`python -m benchmarks grading` prints it.
"""

import statistics
import time
from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.report import Section, at_least, table
from maththera.lessons.grading import grade_subjective
from tests.support.graded import Graded, graded, question

ROUNDS: Final = 5


def measure() -> Section:
    """The parts `test` and `strangers`; the part `dev` is a test."""
    parts = {"by the rubrics' author": graded("test"), "by strangers": graded("strangers")}
    answers = [each for part in parts.values() for each in part]
    section = Section(
        "Grading by rubric",
        f"{len(answers)} answers to {len({each.question for each in answers})} subjective questions of the shipped "
        "courses, labelled by hand with the points of the rubric that they meet. The first were written by the author "
        "of the rubrics; rules and rubrics were set on other answers, with the totals of these in sight. Those by "
        "strangers, most of them right and in words of their own, have set nothing: they show how many points a "
        "learner misses who puts it in a new way. Most questions have two points, so only an answer that is wrong in "
        "both is further than one away: look at the exact figure too.",
        [
            at_least(f"answers {whose}: within one rubric point", _share(each.apart <= 1 for each in part), 85, " %", 1)
            for whose, part in parts.items()
        ],
    )
    section.tables = [
        table(("answers", *parts), _apart([*parts.values()])),
        table(("rubric points", *parts), _points([*parts.values()])),
        table(("milliseconds", "median", "slowest"), [_milliseconds(answers)]),
    ]
    return section


def _share(right: Iterable[bool]) -> float:
    return 100 * statistics.mean(right)


def _apart(parts: Sequence[list[Graded]]) -> list[tuple[str, ...]]:
    """All points as labelled, one other, more."""
    rows = {"every point as labelled": (0,), "one point otherwise": (1,), "more": range(2, 9)}
    return [
        (name, *(_of(sum(each.apart in apart for each in part), len(part)) for part in parts))
        for name, apart in rows.items()
    ]


def _points(parts: Sequence[list[Graded]]) -> list[tuple[str, ...]]:
    met = [sum(len(each.wanted) for each in part) for part in parts]
    unmet = [sum(each.points - len(each.wanted) for each in part) for part in parts]
    given = [sum(len(each.wanted & each.given) for each in part) for part in parts]
    falsely = [sum(len(each.given - each.wanted) for each in part) for part in parts]
    return [
        ("labelled as met: given", *map(_of, given, met)),
        ("labelled as not met: given", *map(_of, falsely, unmet)),
    ]


def _of(count: int, total: int) -> str:
    return f"{count} of {total} ({100 * count / total:.1f} %)"


def _milliseconds(answers: list[Graded]) -> tuple[str, float, float]:
    samples = []
    for each in answers * ROUNDS:
        started = time.perf_counter()
        grade_subjective(question(each.question), each.said)
        samples.append(1000 * (time.perf_counter() - started))
    return "an answer read before", statistics.median(samples), max(samples)
