"""A row of numbers that a child counts for a problem: on or back by ones, or in steps of one of its numbers.

Says no result that the child has not found itself, so that it may be about an open task.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.column_replies import ColumnWord
from maththera.korean.numbers import numbers_in

_SHORTEST: Final = 3
_HOW_OFTEN: Final = re.compile(r"몇\s*(?:번|묶음|개씩|칸)")
_TIMES: Final = frozenset({"번", "묶음", "칸", "번째"})
_NOT_COUNTED: Final = re.compile(
    r"세면\s*안|세지\s*(?:않|말)|안\s*세|빼고\s*(?:세|센)|(?:다음|부터)\S*\s*(?:세|센|셀|시작)"
)
"""From which number one counts: "아 9는 세면 안되는구나"."""


def counting_word(problem: Problem, message: str) -> ColumnWord | None:
    """What to say to a row of numbers, or to a question about one; None where there is none."""
    if problem.form != "result" or read_expressions(message):
        return None
    return next(_by_ones(problem, message) if problem.op in "+-" else _in_steps(problem, message), None)


def _by_ones(problem: Problem, message: str) -> Iterator[ColumnWord]:
    """On from the larger one of a sum, or back from the whole of a difference: 5 하고 6, 7."""
    start, stride = (max(problem.a, problem.b), 1) if problem.op == "+" else (problem.a, -1)
    times = min(problem.a, problem.b)
    row = _row([*map(int, re.findall(r"\d+", message))])
    slots: dict[str, object] = {"times": times, "start": start, "next": start + stride}
    in_order = all(other - one == stride for one, other in pairwise(row))
    if len(row) > 1 and row[0] in (start, start + stride) and in_order:
        begins = row[0] == start and not re.search(rf"(?<!\d){start}\s*(?:에서|하고|다음|부터)", message)
        stopped = begins and len(row) == times
        yield ColumnWord("count_from_next" if stopped else "count_on_more", slots)
    elif len(row) == 1 and times > 1 and _NOT_COUNTED.search(message):
        begins_next = row[0] == start + stride or (row[0] == start and "부터" not in message)
        if begins_next or row[0] == start:
            yield ColumnWord("count_from_next_yes" if begins_next else "count_from_next", slots)


def _in_steps(problem: Problem, message: str) -> Iterator[ColumnWord]:
    """In steps of one number of a product, or of the one that is divided by: 7 14 21."""
    ways = ((problem.a, problem.b), (problem.b, problem.a)) if problem.op == "x" else ((problem.b, 0),)
    row = _row([one.value for one in numbers_in(message) if one.value is not None and one.counter not in _TIMES])
    end = problem.answer if problem.op == "x" else problem.a
    for each, groups in ways:
        if each < 2:
            continue
        if len(row) >= _SHORTEST and row[0] % each == 0 and row[1] - row[0] == each:
            yield from _of_row(each, row, end)
        elif len(row) == 1 and _HOW_OFTEN.search(message) and row[0] % each == 0 and each < row[0] < end:
            slots: dict[str, object] = {"total": row[0], "each": each, "times": row[0] // each}
            yield ColumnWord("skip_times" if groups else "skip_times_share", slots | {"groups": groups, "end": end})


def _of_row(each: int, row: Sequence[int], end: int) -> Iterator[ColumnWord]:
    """What to say to a row that begins as it should."""
    right = next((place for place, one in enumerate(row) if one != row[0] + each * place), len(row))
    slots: dict[str, object] = {"each": each, "last": row[right - 1], "times": row[right - 1] // each}
    if right < len(row):
        yield ColumnWord("skip_look", slots)
    elif row[-1] < end:
        yield ColumnWord("skip_more", slots)


def _row(values: Sequence[int]) -> list[int]:
    """The row without a number after it that says again where it ends, or how long it is: 9 10 11, 그럼 11?"""
    row = [*values]
    if len(row) > _SHORTEST and row[-1] in (row[-2], len(row) - 1):
        row.pop()
    return row
