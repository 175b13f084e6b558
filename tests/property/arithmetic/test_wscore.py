from hypothesis import given

from maththera.arithmetic.problem import Layout, make_problem
from tests.property.arithmetic.strategies import Expression, expressions, layouts


def _digit_sum(number: int) -> int:
    return sum(map(int, str(number)))


def _carries(a: int, op: str, b: int) -> bool:
    """A written calculation carries exactly when its digit sums do not add up: casting out, without any column."""
    if op == "+":
        return _digit_sum(a) + _digit_sum(b) != _digit_sum(a + b)
    if op == "-":
        return _digit_sum(a) - _digit_sum(b) != _digit_sum(a - b)
    return op == "x" and max(a, b) > 9 and _digit_sum(a) * _digit_sum(b) != _digit_sum(a * b)


def _w(a: int, op: str, b: int, layout: Layout) -> float:
    """The W-score as the rules word it, in half points to the end."""
    big = [bool(set("6789") & set(str(operand))) for operand in (a, b)]
    halves = 3 if op in {"-", "/"} else 0
    if a > 9 or b > 9:
        halves += 8 if op == "x" and a > 9 and b > 9 else 6
    halves += 1 if any(big) else 0
    halves += 2 if all(big) else 0
    halves += 6 if _carries(a, op, b) else 0
    halves -= 1 if a == b else 0
    halves -= 2 if any(operand != 0 and str(operand).endswith("0") for operand in (a, b)) else 0
    halves += 1 if layout == "horizontal" else 0
    return max(halves, 0) / 2


@given(expressions, layouts)
def test_w_agrees_with_an_independent_formula(expression: Expression, layout: Layout) -> None:
    assert make_problem(*expression, layout=layout).w_total == _w(*expression, layout)


@given(expressions, layouts)
def test_w_stays_in_its_range(expression: Expression, layout: Layout) -> None:
    problem = make_problem(*expression, layout=layout)
    assert 0 <= problem.w_total <= 9.5
    assert problem.w_total == max(0, sum(problem.w_scores))


@given(expressions)
def test_columns_never_weigh_more_than_a_line(expression: Expression) -> None:
    line, columns = (make_problem(*expression, layout=layout) for layout in ("horizontal", "vertical"))
    assert columns.w_total <= line.w_total <= columns.w_total + 0.5


@given(expressions)
def test_columns_that_carry_are_there_exactly_when_digit_sums_differ(expression: Expression) -> None:
    carries = make_problem(*expression).carries
    assert bool(carries) == _carries(*expression)
    assert list(carries) == sorted(set(carries))
