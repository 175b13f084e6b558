"""The four numbers that a child may tap. Results of malrules are among them, so that a tap can show a malrule."""

from collections.abc import Iterable, Sequence
from zlib import crc32

from maththera.arithmetic.problem import Problem
from maththera.tutoring.diagnosis.hypotheses import malrule_results

COUNT = 4


def tap_choices(problem: Problem, seed_number: int, suspected: Iterable[int] = ()) -> list[int]:
    """Four numbers, ascending: the right answer, two malrule results and one filler that no malrule gives. `suspected`:
    wrong results that the child is suspected to give, the likeliest first; they come before all others. Else if
    possible one malrule result is below the answer and one above; the seed rotates over them. A malrule result with
    more digits than the answer is left out: 313 for 28+15 looks wrong at once. If malrules give fewer than two results,
    fillers take their place."""
    answer = problem.answer
    yielded = set(malrule_results(problem).values())
    shown = sorted(result for result in yielded if len(str(result)) <= len(str(answer)))
    turn = crc32(f"{seed_number}:{problem.expression}".encode())
    below = _rotated([result for result in shown if result < answer], turn)
    above = _rotated([result for result in shown if result > answer], turn)
    found = dict.fromkeys([answer, *suspected, *below[:1], *above[:1], *below[1:], *above[1:]])
    picked = [*found][: COUNT - 1]
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
