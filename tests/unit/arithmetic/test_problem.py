import dataclasses

import pytest

from maththera.arithmetic.problem import (
    Form,
    ProblemError,
    make_problem,
    parse_expression,
    problem_from_id,
)


def test_a_problem_carries_every_tag() -> None:
    problem = make_problem(28, "+", 15, layout="vertical", problem_id="P-00007")
    assert dataclasses.asdict(problem) == {
        "problem_id": "P-00007",
        "a": 28,
        "op": "+",
        "b": 15,
        "layout": "vertical",
        "form": "result",
        "answer": 43,
        "w_scores": (0.0, 3.0, 0.5, 3.0, 0.0, 0.0),
        "w_total": 6.5,
        "c_level": 8,
        "cog_c": 5,
        "l_level": 5,
        "strategy_tag": "STR_PLACE_VALUE",
        "carries": (0,),
        "key": "15+28",
    }


@pytest.mark.parametrize(
    ("a", "op", "b", "form", "answer", "expression", "prompt", "problem_id"),
    [
        (8, "+", 6, "result", 14, "8+6", "8+6=□", "X:8+6:h"),
        (52, "-", 38, "result", 14, "52−38", "52−38=□", "X:52-38:h"),
        (7, "x", 8, "result", 56, "7×8", "7×8=□", "X:7x8:h"),
        (56, "/", 8, "result", 7, "56÷8", "56÷8=□", "X:56/8:h"),
        (100, "-", 98, "addend", 2, "98+□=100", "98+□=100", "X:100-98:h:gap"),
        (56, "/", 8, "factor", 7, "8×□=56", "8×□=56", "X:56/8:h:factor"),
        (100, "/", 10, "tens", 10, "100은 10이 □개", "100은 10이 □개", "X:100/10:h:tens"),
        (120, "/", 10, "tens", 12, "120은 10이 □개", "120은 10이 □개", "X:120/10:h:tens"),
    ],
)
def test_what_a_person_reads(
    a: int, op: str, b: int, form: Form, answer: int, expression: str, prompt: str, problem_id: str
) -> None:
    problem = make_problem(a, op, b, form=form)
    assert (problem.answer, problem.expression, problem.prompt) == (answer, expression, prompt)
    assert problem.problem_id == problem_id
    assert problem_from_id(problem_id) == problem


@pytest.mark.parametrize(
    ("a", "op", "b", "form", "reason"),
    [
        (3, "-", 5, "result", "negative"),
        (7, "/", 2, "result", "no whole answer"),
        (7, "/", 0, "result", "no whole answer"),
        (-1, "+", 2, "result", "natural numbers"),
        (1, "+", -2, "result", "natural numbers"),
        (1, "^", 2, "result", "one of"),
        (1, "+-", 2, "result", "one of"),
        (3, "+", 5, "addend", "cannot be asked as addend"),
        (8, "x", 2, "factor", "cannot be asked as factor"),
        (80, "/", 8, "tens", "cannot be asked as tens"),
    ],
)
def test_no_problem_can_be_made(a: int, op: str, b: int, form: Form, reason: str) -> None:
    with pytest.raises(ProblemError, match=reason):
        make_problem(a, op, b, form=form)


@pytest.mark.parametrize(
    "text",
    ["", "P-00001", "X:8+6", "X:8+6:d", "X:08+6:h", "X:8+6:h:", "X:8+6:h:gap:gap", "X:8 + 6:h", "X:8×6:h", " X:8+6:h",
     "X:8+6:h:gap", "X:6-8:h", "X:1234567+1:h"],
)  # fmt: skip
def test_ids_that_name_no_problem(text: str) -> None:
    with pytest.raises(ProblemError):
        problem_from_id(text)


@pytest.mark.parametrize(
    "text", ["", "8", "8+", "+6", "8 6", "8+6=14", "8++6", "1+2+3", "a+b", "8^6", "-8+6", "1234567+1", "٣+٤", "08+6"]
)
def test_texts_that_are_no_expression(text: str) -> None:
    with pytest.raises(ProblemError, match="two numbers"):
        parse_expression(text)


def test_a_key_ignores_layout_and_the_order_of_what_commutes() -> None:
    assert make_problem(8, "+", 6).key == make_problem(6, "+", 8, layout="vertical").key == "6+8"
    assert make_problem(8, "x", 7).key == make_problem(7, "x", 8).key == "7x8"
    assert make_problem(8, "-", 6).key == "8-6"
    assert make_problem(8, "/", 4).key == "8/4"
