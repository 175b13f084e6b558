"""The malrules over every problem of the bank's shapes: what they give is evidence, and always a natural number."""

import string

from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.malrules import CATALOGUE, malrules_giving, wrong_answers
from maththera.arithmetic.problem import Form, Problem, make_problem
from tests.property.arithmetic.strategies import Expression, expressions

_FORMS_OF: dict[str, tuple[Form, ...]] = {"-": ("result", "addend"), "/": ("result", "factor")}


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    a, op, b = draw(expressions)
    return make_problem(a, op, b, form=draw(st.sampled_from(_FORMS_OF.get(op, ("result",)))))


tens = st.integers(0, 99).map(lambda count: make_problem(10 * count, "/", 10, form="tens"))


@given(st.one_of(problems(), tens))
def test_no_malrule_gives_the_right_answer_or_less_than_nothing(problem: Problem) -> None:
    for name, result in wrong_answers(problem).items():
        assert type(result) is int, name
        assert result >= 0, name
        assert result != problem.answer, name


@given(problems())
def test_wrong_answers_are_what_each_malrule_gives_by_itself(problem: Problem) -> None:
    alone = ((name, rule.apply(problem)) for name, rule in CATALOGUE.items())
    assert wrong_answers(problem) == {
        name: result for name, result in alone if result is not None and result >= 0 and result != problem.answer
    }


@given(problems())
def test_explaining_finds_every_malrule_by_its_answer(problem: Problem) -> None:
    for name, result in wrong_answers(problem).items():
        assert name in {rule.name for rule in malrules_giving(problem, result)}


@given(expressions)
def test_the_layout_changes_no_answer(expression: Expression) -> None:
    a, op, b = expression
    across, down = (make_problem(a, op, b, layout=layout) for layout in ("horizontal", "vertical"))
    assert wrong_answers(across) == wrong_answers(down)


@given(st.integers(10, 99), st.integers(10, 99))
def test_a_chance_difference_never_competes_with_a_partial_sum(a: int, b: int) -> None:
    found = malrules_giving(make_problem(a, "+", b), a % 10 + b % 10)
    assert "sum_subtracted" not in {rule.name for rule in found}


def test_names_are_plain() -> None:
    assert all(set(name) <= set(string.ascii_lowercase + "_") for name in CATALOGUE)
