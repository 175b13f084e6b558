from itertools import product

import pytest

from maththera.arithmetic.curriculum import UNITS, curriculum_level, down, nearest_level, strategy, unit
from maththera.arithmetic.problem import make_problem

Expression = tuple[int, str, int]


def _members_by_table() -> dict[int, set[Expression]]:
    """Table B of the ladder, row by row, for operands up to 199."""
    digit, one_digit = range(10), range(1, 10)
    tens = set(range(100, 200, 10))
    rows: dict[int, set[Expression]] = {
        1: {(n, "+", 1) for n in range(1, 9)} | {(n, "-", 1) for n in range(2, 10)},
        2: {(a, "+", b) for a in range(1, 6) for b in range(2, 6) if a + b <= 6}
        | {(a, "-", b) for a in range(3, 7) for b in range(2, a)},
        3: {(a, "+", b) for a in one_digit for b in range(2, 10) if 7 <= a + b <= 9}
        | {(n, "+", 0) for n in one_digit}
        | {(0, "+", n) for n in one_digit},
        4: {(a, "-", b) for a in (7, 8, 9) for b in range(2, a)}
        | {(n, "-", n) for n in one_digit}
        | {(n, "-", 0) for n in one_digit},
        5: {(10, "+", n) for n in one_digit}
        | {(n, "+", 10) for n in one_digit}
        | {(10 + n, "-", n) for n in one_digit}
        | {(10 + n, "-", 10) for n in one_digit},
        6: {(n, "+", 10 - n) for n in one_digit} | {(10, "-", n) for n in one_digit},
        7: {(a, "+", b) for a in one_digit for b in one_digit if a + b >= 11},
        9: {(a, "-", b) for a in range(11, 19) for b in one_digit if b > a - 10},
        13: {(a, "x", b) for a in digit for b in digit},
        14: {(q * b, "/", b) for q in one_digit for b in one_digit},
        15: {(a, "x", b) for a in range(10, 100) for b in range(2, 100)}
        | {(a, "x", b) for a in range(2, 10) for b in range(10, 100)},
    }
    two_digits = {(a, "+", b) for a in range(1, 100) for b in range(1, 100) if max(a, b) >= 10}
    hundreds = {(a, "+", b) for a in range(1, 200) for b in range(1, 200) if tens & {a, b} and a + b <= 199}
    rows[8] = (two_digits | hundreds) - rows[5]
    rows[10] = {(a, "-", b) for a in range(11, 100) for b in range(1, a + 1)} - rows[5] - rows[9] | {(10, "-", 10)}
    rows[11] = {(a, "+", b) for a in range(1, 200) for b in range(1, 200) if max(a, b) >= 100} - rows[8]
    rows[12] = {(a, "-", b) for a in range(100, 200) for b in range(1, a + 1)}
    return rows


def test_every_row_of_the_table_and_nothing_else() -> None:
    rows = _members_by_table()
    expected = {expression: c for c, members in rows.items() for expression in members}
    assert len(expected) == sum(map(len, rows.values())), "no expression belongs to two units"
    asked = product(range(200), "+-x/", range(200))
    assert {problem: c for problem in asked if (c := curriculum_level(*problem)) is not None} == expected


@pytest.mark.parametrize(
    ("a", "op", "b", "c"),
    [
        (367, "+", 285, 11),
        (999, "+", 999, 11),
        (999, "+", 1, 11),
        (190, "+", 10, 11),
        (999, "-", 999, 12),
        (1000, "+", 5, None),
        (1000, "-", 5, None),
        (300, "-", 301, None),
        (100, "x", 2, None),
        (99, "x", 1, None),
        (90, "/", 9, None),
        (5, "/", 0, None),
        (-1, "+", 3, None),
        (3, "+", -1, None),
    ],
)
def test_three_digits_and_the_edges_of_the_ladder(a: int, op: str, b: int, c: int | None) -> None:
    assert curriculum_level(a, op, b) == c


@pytest.mark.parametrize(
    ("a", "op", "b", "c"),
    [
        (1000, "+", 5, 11),
        (20, "+", 0, 8),
        (0, "+", 0, 3),
        (1000, "-", 400, 12),
        (20, "-", 0, 10),
        (0, "-", 0, 4),
        (600, "/", 10, 14),
        (188, "x", 10, 15),
    ],
)
def test_a_problem_outside_the_ladder_takes_the_nearest_unit_of_its_operation(a: int, op: str, b: int, c: int) -> None:
    assert curriculum_level(a, op, b) is None
    assert nearest_level(a, op, b) == c
    assert make_problem(a, op, b).c_level == c


def test_units_stand_at_their_own_number_and_rest_on_lower_ones() -> None:
    assert [unit.c for unit in UNITS] == list(range(1, 16))
    assert [unit.down for unit in UNITS] == [1, 1, 2, 2, 3, 3, 6, 7, 6, 9, 8, 10, 8, 13, 13]
    assert [unit.cog_c for unit in UNITS] == [2, 3, 3, 3, 4, 4, 4, 5, 4, 5, 5, 5, 6, 6, 5]


@pytest.mark.parametrize(("c", "steps", "reached"), [(8, 1, 7), (8, 2, 6), (13, 2, 7), (1, 5, 1), (9, 0, 9)])
def test_down_climbs_the_prerequisites(c: int, steps: int, reached: int) -> None:
    assert down(c, steps) == reached


@pytest.mark.parametrize("c", [0, 16, -1])
def test_no_unit_outside_the_ladder(c: int) -> None:
    with pytest.raises(KeyError, match=r"outside 1\.\.15"):
        unit(c)


@pytest.mark.parametrize(
    ("a", "op", "b", "l_level"),
    [(20, "+", 15, 4), (28, "+", 15, 5), (58, "-", 32, 4), (52, "-", 38, 5), (8, "+", 6, 3), (4, "+", 1, 2)],
)
def test_l_level_rises_with_a_carry_where_the_unit_says_so(a: int, op: str, b: int, l_level: int) -> None:
    assert make_problem(a, op, b).l_level == l_level


@pytest.mark.parametrize(
    ("c", "a", "b", "tag"),
    [
        (1, 4, 1, "STR_COUNT_ON"),
        (2, 2, 3, "STR_PART_WHOLE"),
        (3, 4, 4, "STR_DOUBLE"),
        (3, 4, 5, "STR_DOUBLE"),
        (3, 2, 6, "STR_COUNT_ON"),
        (7, 8, 6, "STR_MAKE10"),
        (8, 98, 90, "STR_COMPENSATE"),
        (8, 5, 99, "STR_COMPENSATE"),
        (8, 100, 90, "STR_PLACE_VALUE"),
        (8, 28, 15, "STR_PLACE_VALUE"),
        (13, 7, 8, "STR_RETRIEVE"),
    ],
)
def test_strategy(c: int, a: int, b: int, tag: str) -> None:
    assert strategy(c, a, b) == tag
