"""Rows of numbers in which a child tells its steps without signs: 7 6 13, "30 40 하면 70", 20 20 20 60, "66은 12"."""

import re
from collections.abc import Collection, Iterator
from itertools import groupby, pairwise
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.own_claims import Claim

_JOINT: Final = r"(?:\s*(?:이?랑|하고|[과와에은는이가]|이?면|하면|더하면|합치면|모으면|이?니까)\s*|[\s,.]+)"
_ROW: Final = re.compile(rf"(?<![\d+\-−x×÷/.=])\d{{1,4}}(?:{_JOINT}\d{{1,4}}(?![\d+\-−x×÷/.=]|\s*[+\-−x×÷/=]))+")
_TWICE: Final = re.compile(r"(?<!\d)(\d)\1(?=\s*(?:은|는|이면|하면|더하면)\s*(\d{1,2})(?!\d))")
_OPS: Final = {"+": "+", "-": "-+", "x": "x+", "/": "+-"}
"""Operation of a task → those that a row without signs may tell."""
_SLIPS: Final = (1, 2, 10)
"""By how much a result of a row may be off."""


def own_numbers(problem: Problem) -> set[int]:
    """The numbers of a task, their digits, and what these stand for: 72, 7, 2, 70."""
    own: set[int] = set()
    for number in (problem.a, problem.b):
        digits = [int(one) for one in reversed(str(number))]
        own |= {number, *digits, *(digit * 10**place for place, digit in enumerate(digits))}
    return own


def row_claims(problem: Problem, text: str, known: Collection[int]) -> tuple[Claim, ...]:
    """The calculations of the rows of a message whose numbers are in digits. `known`: the numbers of the task and what
    was found before; a wrong result makes a calculation only of these."""
    text = _TWICE.sub(lambda found: " ".join(found[1] * 2) if int(found[1]) * 2 == int(found[2]) else found[0], text)
    rows = [[int(one) for one in re.findall(r"\d+", row[0])] for row in _ROW.finditer(text)]
    return tuple(claim for row in rows for claim in _of_row(problem, row, known, alone=len(rows) == 1))


def _of_row(problem: Problem, row: list[int], known: Collection[int], *, alone: bool) -> Iterator[Claim]:
    wrong = alone and len(row) == 3
    if len(row) > 3 and len({after - before for before, after in pairwise(row)} - {0}) == 1 and row[0] != row[1]:
        return  # counted on
    while len(row) > 2:
        times = len(next([*same] for _, same in groupby(row)))
        if times > 1 and len(row) > times and row[times] == row[0] * times and problem.op in "+x":
            double = times == 2 and problem.op == "+"
            yield Claim("+", row[0], row[0], row[2]) if double else Claim("x", row[0], times, row[times])
            row = row[times + 1 :]
            continue
        left, right, value, *_ = row
        claim = next(iter(_of_three(problem, (left, right, value), known, wrong=wrong)), None)
        if claim is not None:
            yield claim
        row = row[3:] if claim is not None else row[1:]


def _of_three(
    problem: Problem, numbers: tuple[int, int, int], known: Collection[int], *, wrong: bool
) -> Iterator[Claim]:
    """What three numbers next to each other tell: a right calculation, or one of known numbers that is nearly right."""
    left, right, value = numbers
    for op in _OPS[problem.op]:
        claim = Claim(op, left, right, value)
        trivial = 0 in (left, right) or (op == "x" and 1 in (left, right))
        if not trivial and claim.right_one and {left, right} & {*known}:
            yield claim
    for op in _OPS[problem.op] if wrong and {left, right} <= {*known} and left != right - 1 else ():
        claim = Claim(op, left, right, value)
        if abs((claim.result or 0) - value) in _SLIPS and value not in known:
            yield claim
