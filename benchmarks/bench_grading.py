"""How well answers in sentences are graded without a language model, on answers that the rules were not set on.

`python -m benchmarks grading` prints it.
"""

import statistics
import time
from collections.abc import Iterable
from typing import Final

from benchmarks.report import Section, at_least, table
from maththera.lessons.grading import grade_subjective
from tests.support.graded import Graded, graded, question

ROUNDS: Final = 5


def measure() -> Section:
    """The half `test` alone; The other half is a test."""
    answers = graded("test")
    section = Section(
        "Grading by rubric",
        f"{len(answers)} answers to {len({each.question for each in answers})} subjective questions of the shipped "
        "courses, labelled by hand with the points of the rubric that they meet. Their author wrote the courses' "
        "rubrics too: strangers' words will do worse. Rules and rubrics were set on other answers, "
        "with the totals of these in sight. Most questions have two points, so only "
        "an answer that is wrong in both is further than one away: look at the exact figure too.",
        [
            at_least("answers within one rubric point", _share(each.apart <= 1 for each in answers), 85, " %", 1),
        ],
    )
    section.tables = [
        table(("", "answers"), _apart(answers)),
        table(("rubric points", "given", "not given"), _confusion(answers)),
        table(("milliseconds", "median", "slowest"), [_milliseconds(answers)]),
    ]
    return section


def _share(right: Iterable[bool]) -> float:
    return 100 * statistics.mean(right)


def _apart(answers: list[Graded]) -> list[tuple[str, str]]:
    """All points as labelled, one other, more."""
    counts = [sum(each.apart == apart for each in answers) for apart in (0, 1)]
    rows = zip(
        ("every point as labelled", "one point otherwise", "more"), (*counts, len(answers) - sum(counts)), strict=True
    )
    return [(name, f"{count} ({100 * count / len(answers):.1f} %)") for name, count in rows]


def _confusion(answers: list[Graded]) -> list[tuple[str, int, int]]:
    met = sum(len(each.wanted & each.given) for each in answers)
    missed = sum(len(each.wanted - each.given) for each in answers)
    falsely = sum(len(each.given - each.wanted) for each in answers)
    points = sum(each.points for each in answers)
    return [("labelled as met", met, missed), ("labelled as not met", falsely, points - met - missed - falsely)]


def _milliseconds(answers: list[Graded]) -> tuple[str, float, float]:
    samples = []
    for each in answers * ROUNDS:
        started = time.perf_counter()
        grade_subjective(question(each.question), each.said)
        samples.append(1000 * (time.perf_counter() - started))
    return "an answer read before", statistics.median(samples), max(samples)
