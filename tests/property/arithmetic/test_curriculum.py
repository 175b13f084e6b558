from hypothesis import given

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C, UNITS, curriculum_level, down
from maththera.arithmetic.problem import Layout, make_problem
from tests.property.arithmetic.strategies import Expression, expressions, layouts


@given(expressions, layouts)
def test_every_problem_has_a_place_and_its_tags(expression: Expression, layout: Layout) -> None:
    problem = make_problem(*expression, layout=layout)
    unit = UNITS[problem.c_level - 1]
    level = curriculum_level(*expression)
    assert LOWEST_C <= problem.c_level <= HIGHEST_C
    assert level in (None, problem.c_level)
    assert problem.cog_c == unit.cog_c
    assert problem.l_level == (unit.l_level_with_carry if problem.carries else unit.l_level)
    assert problem.strategy_tag.startswith("STR_")


@given(expressions)
def test_sums_and_products_have_one_place_in_both_orders(expression: Expression) -> None:
    a, op, b = expression
    mirrored = curriculum_level(b, op, a)
    # 1+n is no "one more" for a child who counts on: C1 has n+1 alone.
    if op in {"+", "x"} and 1 not in (a, b):
        assert mirrored == curriculum_level(a, op, b)


def test_down_ends_at_the_bottom_from_everywhere() -> None:
    for unit in UNITS:
        assert down(unit.c) < unit.c or unit.c == LOWEST_C
        assert down(unit.c, HIGHEST_C) == LOWEST_C
