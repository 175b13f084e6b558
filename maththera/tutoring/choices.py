"""The four numbers a child may tap: a tap on a malrule's result is as telling as typing it."""

from collections.abc import Sequence
from zlib import crc32

from maththera.arithmetic.problem import Problem
from maththera.tutoring.hypotheses import results

COUNT = 4


def choices(problem: Problem, seed_number: int) -> list[int]:
    """Four numbers, ascending: the right answer, two malrule results and one filler that no malrule gives.

    One malrule result lies below the answer and one above it where there are such; the seed rotates over them.
    A malrule result with more digits than the answer is left out: nobody taps 313 for 28+15. Where malrules give fewer
    than two, fillers take their place.
    """
    answer = problem.answer
    yielded = set(results(problem).values())
    shown = sorted(result for result in yielded if len(str(result)) <= len(str(answer)))
    turn = crc32(f"{seed_number}:{problem.expression}".encode())
    below = _rotated([result for result in shown if result < answer], turn)
    above = _rotated([result for result in shown if result > answer], turn)
    picked = [answer, *below[:1], *above[:1]]
    picked += [*below[1:], *above[1:]][: COUNT - 1 - len(picked)]
    distance = 1
    while len(picked) < COUNT:
        nearest = (answer - distance, answer + distance)
        for filler in nearest if turn % 2 else reversed(nearest):
            if filler >= 0 and filler not in yielded and len(picked) < COUNT:
                picked.append(filler)
        distance += 1
    return sorted(picked)


def _rotated(numbers: Sequence[int], turn: int) -> list[int]:
    start = turn % len(numbers) if numbers else 0
    return [*numbers[start:], *numbers[:start]]
