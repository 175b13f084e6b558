"""What helps with one step of a solution."""

import pytest

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.knowledge.explanations import explained_in_every_way
from maththera.korean.numbers import numbers_in

EXPRESSIONS = (
    "8+6", "9+5", "5+0", "10+4", "38+24", "70+60", "426+351", "5-1", "15-8", "52-38", "40-16", "802-347", "865-342",
    "7x8", "6x0", "40x3", "23x4", "23x14", "56/8", "96/4",
)  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "hints"),
    [
        ("8+6", ["8 다음 수부터 10까지 세어 봐. 몇 개를 세었어?", "점 6개를 그리고 2개를 지워 봐. 남은 점은 몇 개야?",
                 "10 다음 수부터 4개를 더 세어 봐."]),
        ("38+24", ["10이 3개, 10이 2개야. 10이 모두 몇 개야?", "8 다음 수부터 4개를 더 세어 봐.",
                   "50에 10을 먼저 더해 봐. 그다음 나머지를 더해."]),
        ("5-1", ["점 5개를 그리고 1개를 지워 봐. 남은 점은 몇 개야?"]),
    ],
)  # fmt: skip
def test_a_hint_has_the_numbers_of_its_step(expression: str, hints: list[str]) -> None:
    problem = make_problem(*parse_expression(expression))
    assert [step.hint for step in explained_in_every_way(problem)[0]] == hints


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_hint_does_not_name_what_is_to_be_found(expression: str) -> None:
    for steps in explained_in_every_way(make_problem(*parse_expression(expression))):
        for step in steps:
            known = {step.left, step.result if step.fills else step.right}
            named = {number.values[0] for number in numbers_in(step.hint) if number.values}
            counted = {value // unit for value in known for unit in (10, 100)}
            assert step.found not in named - known - counted - {0, 1, 10, 100}, (step, step.hint)
