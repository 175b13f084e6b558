"""Whatever the task and the form, its answer is asked for and told in the same forms."""

from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.korean.numbers import Style, written
from maththera.settings import home
from maththera.words.answer_protection.open_answers import OpenAnswer
from tests.support.leaks import forms
from tests.support.open_answers import words

PROBLEMS = st.sampled_from([*Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")])
STYLES: list[Style] = ["digits", "wide", "sino", "native"]


@given(PROBLEMS)
def test_every_form_asks_for_the_answer(problem: Problem) -> None:
    for name, message in forms(problem).items():
        assert words().wanted(message, [OpenAnswer.of(problem)]) is not None, (name, message)


@given(PROBLEMS, st.sampled_from(STYLES))
def test_an_answer_is_told_in_every_style(problem: Problem, style: Style) -> None:
    one = OpenAnswer.of(problem)
    assert words().tells(f"답은 {written(problem.answer, style)}.", one, f"{problem.expression} 알려 줘")
