"""Generates the problem bank: a seeded draw of each unit's expressions, balanced over shapes and W-scores.

A *shape* is a kind of expression within a unit, such as two-digit sums with a carry in the ones. The units of small
numbers are taken whole. Of the large ones each shape gives a quota, shared equally among its W-scores; a W-score with
fewer expressions than its share is taken whole, and its rest goes to the others. So the bank holds every W-score that a
unit can reach. Each expression is put in both layouts, 99×99 in the horizontal one only: 15,053 problems.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Final

from maththera.arithmetic.columns import carry_columns
from maththera.arithmetic.curriculum import UNITS, curriculum_level
from maththera.arithmetic.problem import Layout, Problem
from maththera.arithmetic.problem_bank import COLUMNS, LAYOUTS, Bank, bank_problem, row_of
from maththera.arithmetic.wscore import w_scores, w_total

SHIPPED_SEED: Final = 20_261
"""The seed of `configs/arithmetic/problem_bank.csv`."""

QUOTAS: Final[dict[int, dict[str, int]]] = {
    8: {
        "2d+1d": 200,
        "2d+1d carry": 250,
        "2d+2d": 350,
        "2d+2d ones carry": 450,
        "2d+2d tens carry": 200,
        "2d+2d both carry": 300,
        "hundred+tens": 80,
        "tens+tens": 70,
    },
    10: {"2d-1d": 180, "2d-1d borrow": 220, "X0-1d": 72, "2d-2d": 400, "2d-2d borrow": 588, "X0-2d borrow": 240},
    11: {"3d+1/2d": 200, "3d+3d 0": 250, "3d+3d 1": 350, "3d+3d 2": 300, "3d+3d 3": 150},
    12: {"3d-1/2d": 200, "3d-3d 0": 250, "3d-3d 1": 300, "3d-3d 2": 200, "zero, borrow": 300},
    15: {
        "tens x 1d": 72,
        "2d x 1d": 34,
        "2d x 1d carry": 416,
        "by tens": 110,
        "2d x 2d": 50,
        "2d x 2d carry": 329,
        "99 x 99": 1,
    },
}
"""C → shape → number of expressions. A unit without an entry has one shape, "all", and is taken whole."""


Expression = tuple[int, str, int]
Population = dict[int, dict[str, dict[float, list[Expression]]]]
"""C → shape → horizontal W → expressions."""


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """The contents of a bank for one C. `band` is its lowest and highest W."""

    c: int
    title: str
    problems: int
    expressions: int
    band: tuple[float, float]


def generate(seed: int) -> list[Problem]:
    """The bank of a seed, in the order C, sign, a, b, layout, with the ids P-00001 and on."""
    chosen: list[Expression] = []
    for c, shapes in sorted(population().items()):
        of_unit: list[Expression] = []
        for shape, by_w in shapes.items():
            random = Random(f"{seed}/{c}/{shape}")  # noqa: S311 - a repeatable draw is the point
            of_unit.extend(_draw(by_w, _quota(c, shape, by_w), random))
        chosen.extend(sorted(of_unit, key=_reading_order))
    return [
        bank_problem(a, op, b, layout, f"P-{number:05d}")
        for number, ((a, op, b), layout) in enumerate(_laid_out(chosen), start=1)
    ]


def write_csv(problems: Sequence[Problem], path: Path) -> None:
    """Writes a bank as a CSV for `Bank.load`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        rows.writerows(map(row_of, problems))


def check(path: Path) -> list[LevelSummary]:
    """Loads a bank as the service does and summarises each C. BankError names every fault."""
    bank = Bank.load(path)
    return [
        LevelSummary(unit.c, unit.title, len(bank.level(unit.c)), bank.expressions(unit.c), bank.band(unit.c))
        for unit in UNITS
    ]


def population() -> Population:
    """Every expression of the ladder that the bank draws from: about 1.5 million, several seconds of work."""
    groups: Population = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for a, op, b in _candidates():
        c = curriculum_level(a, op, b)
        if c is not None:
            carries = carry_columns(a, op, b)
            w = w_total(w_scores(a, op, b, "horizontal", carries=bool(carries)))
            groups[c][_shape(c, a, b, carries)][w].append((a, op, b))
    return groups


def _candidates() -> Iterator[Expression]:
    """All pairs of the ladder, without 2..9 × 10..99, which callers may ask but the bank leaves out."""
    numbers = list(range(1000))  # one object per number, not one per pair
    for a, b in product(numbers, numbers):
        yield a, "+", b
        if a >= b:
            yield a, "-", b
        if a <= 99 and b <= (9 if a <= 9 else 99):
            yield a, "x", b
        if 1 <= b <= 9 and a <= 81:
            yield a, "/", b


def _quota(c: int, shape: str, by_w: dict[float, list[Expression]]) -> int:
    return QUOTAS[c][shape] if c in QUOTAS else sum(map(len, by_w.values()))


def _draw(by_w: dict[float, list[Expression]], quota: int, random: Random) -> list[Expression]:
    """`quota` expressions, as equally over the W-scores as their numbers allow."""
    chosen: list[Expression] = []
    rarest_first = sorted(by_w.items(), key=lambda group: (len(group[1]), group[0]))
    for position, (_, group) in enumerate(rarest_first):
        share = (quota - len(chosen)) // (len(rarest_first) - position)
        chosen.extend(_sample(group, min(share, len(group)), random))
    return chosen


def _sample(group: list[Expression], count: int, random: Random) -> list[Expression]:
    """`count` different members, by `Random.random` alone: the one method whose sequence Python promises to keep."""
    pool = group.copy()
    for position in range(count):
        other = position + int(random.random() * (len(pool) - position))
        pool[position], pool[other] = pool[other], pool[position]
    return pool[:count]


def _reading_order(expression: Expression) -> tuple[str, int, int]:
    a, op, b = expression
    return op, a, b


def _laid_out(expressions: list[Expression]) -> Iterator[tuple[Expression, Layout]]:
    for expression in expressions:
        for layout in LAYOUTS:
            if (expression, layout) != ((99, "x", 99), "vertical"):
                yield expression, layout


def _shape(c: int, a: int, b: int, carries: tuple[int, ...]) -> str:
    return _SHAPES[c](a, b, carries) if c in _SHAPES else "all"


def _shape_of_two_digit_sum(a: int, b: int, carries: tuple[int, ...]) -> str:
    if max(a, b) >= 100:
        return "hundred+tens"
    if min(a, b) <= 9:
        return "2d+1d carry" if carries else "2d+1d"
    if a % 10 == 0 and b % 10 == 0:
        return "tens+tens"
    return {(): "2d+2d", (0,): "2d+2d ones carry", (1,): "2d+2d tens carry"}.get(carries, "2d+2d both carry")


def _shape_of_two_digit_difference(a: int, b: int, borrows: tuple[int, ...]) -> str:
    if b <= 9:
        return "X0-1d" if a % 10 == 0 else "2d-1d borrow" if borrows else "2d-1d"
    if not borrows:
        return "2d-2d"
    return "X0-2d borrow" if a % 10 == 0 else "2d-2d borrow"


def _shape_of_three_digit_sum(a: int, b: int, carries: tuple[int, ...]) -> str:
    return "3d+1/2d" if min(a, b) <= 99 else f"3d+3d {len(carries)}"


def _shape_of_three_digit_difference(a: int, b: int, borrows: tuple[int, ...]) -> str:
    if b <= 99:
        return "3d-1/2d"
    return "zero, borrow" if borrows and "0" in str(a) else f"3d-3d {len(borrows)}"


def _shape_of_two_digit_product(a: int, b: int, carries: tuple[int, ...]) -> str:
    if a == b == 99:
        return "99 x 99"
    if b <= 9:
        return "tens x 1d" if a % 10 == 0 else "2d x 1d carry" if carries else "2d x 1d"
    if a % 10 == 0 or b % 10 == 0:
        return "by tens"
    return "2d x 2d carry" if carries else "2d x 2d"


_SHAPES: Final[dict[int, Callable[[int, int, tuple[int, ...]], str]]] = {
    8: _shape_of_two_digit_sum,
    10: _shape_of_two_digit_difference,
    11: _shape_of_three_digit_sum,
    12: _shape_of_three_digit_difference,
    15: _shape_of_two_digit_product,
}
