from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Form, Layout, make_problem, parse_expression, problem_from_id
from tests.property.arithmetic.strategies import Expression, expressions, layouts

SIGNS = {"+": "+", "-": "-−–", "x": "xX×*·", "/": "/÷:"}


def _forms(expression: Expression) -> list[Form]:
    _, op, b = expression
    forms: list[Form] = ["result"]
    if op == "-":
        forms.append("addend")
    if op == "/":
        forms.append("factor")
        if b == 10:
            forms.append("tens")
    return forms


@given(expressions, layouts, st.data())
def test_a_derived_id_says_everything(expression: Expression, layout: Layout, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(_forms(expression)))
    problem = make_problem(*expression, layout=layout, form=form)
    assert problem_from_id(problem.problem_id) == problem


@given(expressions, st.data())
def test_an_expression_is_understood_with_every_sign(expression: Expression, data: st.DataObject) -> None:
    a, op, b = expression
    sign = data.draw(st.sampled_from(SIGNS[op]))
    gaps = [data.draw(st.sampled_from(["", " ", "  "])) for _ in range(4)]
    assert parse_expression(f"{gaps[0]}{a}{gaps[1]}{sign}{gaps[2]}{b}{gaps[3]}") == expression


@given(expressions)
def test_what_is_shown_is_understood(expression: Expression) -> None:
    assert parse_expression(make_problem(*expression).expression) == expression


@given(expressions, expressions)
def test_a_key_is_shared_by_mirrors_alone(one: Expression, other: Expression) -> None:
    def unordered(expression: Expression) -> tuple[str, tuple[int, ...]]:
        a, op, b = expression
        return op, tuple(sorted((a, b))) if op in {"+", "x"} else (a, b)

    for first, second in ((one, other), (one, (one[2], one[1], one[0]))):
        if second[1] in {"+", "x"} or second == other:
            same = make_problem(*first).key == make_problem(*second).key
            assert same == (unordered(first) == unordered(second))
