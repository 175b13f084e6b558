"""The steps of solutions, over the whole bank and beyond: true, complete, and said in words that are there."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from maththera.arithmetic.problem import Layout, Problem, make_problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.problem_explanations import FIRST_HINTS
from maththera.chat.coach.text_templates import fill_template, slot_names
from maththera.chat.coach.worked_solutions import division, reductions, solution_steps
from tests.support.coach import knowledge
from tests.support.tutoring import rules

SAID = knowledge().coach.config.steps
NUMBERS = st.integers(0, 999_999) | st.integers(0, 99)
EQUATION = re.compile(r"(?<![\d−+×÷])(\d+(?:[−+×÷]\d+)+)=(\d+)")
SIGNS = {"−": "-", "×": "*", "÷": "//"}


def told(problem: Problem) -> list[str]:
    return [fill_template(SAID[step.key], **step.values) for step in solution_steps(problem)]


def assert_true(lines: list[str]) -> None:
    """Every equation in the lines holds."""
    for line in lines:
        for left, right in EQUATION.findall(line):
            text = "".join(SIGNS.get(sign, sign) for sign in left)
            assert eval(text) == int(right), line  # noqa: S307 - digits and signs


def assert_solved(problem: Problem) -> None:
    lines = told(problem)
    assert re.search(rf"(?<!\d){problem.answer}(?!\d)", lines[-1]), (problem.expression, lines)
    assert_true(lines)


def test_every_problem_of_the_bank_is_solved() -> None:
    for problem in [*rules().bank][::7]:
        assert_solved(problem)


@pytest.mark.parametrize("layout", ["horizontal", "vertical"])
@given(a=NUMBERS, b=NUMBERS, op=st.sampled_from("+-x/"))
def test_so_is_any_other(layout: Layout, a: int, b: int, op: str) -> None:
    if op == "/":
        a, b = a % 1000 * (b % 1000 + 1), b % 1000 + 1
    if op == "-":
        a, b = max(a, b), min(a, b)
    assert_solved(make_problem(a, op, b, layout=layout))


@given(a=NUMBERS, b=st.integers(1, 9_999))
def test_a_division_says_what_is_left(a: int, b: int) -> None:
    lines = [fill_template(SAID[step.key], **step.values) for step in division(a, b)]
    quotient, left = divmod(a, b)
    shown = set(map(int, re.findall(r"\d+", lines[-1])))
    assert {a, b, quotient} <= shown
    assert ("남아" in lines[-1]) == bool(left)


@pytest.mark.parametrize(
    ("problem", "lines"),
    [
        (
            make_problem(8, "+", 6),
            [
                "8과 더해서 10이 되는 짝꿍은 2야.",
                "6을 2와 4로 갈라 보자.",
                "8과 2를 먼저 더해 10을 만들고, 남은 4를 더하면 14야.",
            ],
        ),
        (
            make_problem(98, "+", 90),
            [
                "98은 100에 가까워. 2를 빌려서 100으로 만들자.",
                "100과 90을 더하면 190이야.",
                "빌린 2를 돌려주면 190−2=188이야.",
            ],
        ),
        (
            make_problem(503, "-", 278, layout="vertical"),
            [
                "일의 자리: 3에서 8을 뺄 수 없어. 십의 자리에서 10을 받으면 13−8=5야.",
                "십의 자리: 0이라서 백의 자리에서 10을 받아 하나를 주면 9가 남아. 9−7=2야.",
                "백의 자리: 하나를 주고 4가 남았어. 4−2=2야.",
                "그래서 503−278=225야.",
            ],
        ),
        (
            make_problem(27, "x", 4, layout="vertical"),
            [
                "일의 자리: 7×4=28이야.",
                "8을 쓰고 2를 올려.",
                "십의 자리: 2×4에 올린 2를 더하면 10이야.",
                "그래서 27×4=108이야.",
            ],
        ),
        (
            make_problem(56, "/", 8),
            [
                "8에 얼마를 곱하면 56이 되는지 찾아보자.",
                "8단을 떠올려 봐: 8, 16, 24, 32, 40, 48, 56. 8을 7번 더했어.",
                "그래서 56÷8=7이야.",
            ],
        ),
        (
            make_problem(100, "-", 98, form="addend"),
            [
                "빈칸은 전체 100에서 아는 수 98을 뺀 수야.",
                "98부터 100까지 올라가며 세어 보자: 99, 100. 모두 2칸이야.",
                "그래서 100−98=2야.",
            ],
        ),
    ],
    ids=lambda given: given.problem_id if isinstance(given, Problem) else "",
)
def test_by_the_strategy_that_the_problem_asks_for(problem: Problem, lines: list[str]) -> None:
    assert told(problem) == lines


BEGUN = {"a": 8, "b": 6, "large": 8, "small": 6}


def test_no_step_is_there_for_nothing() -> None:
    """Every template is used by some problem, with all the slots that it has."""
    problems = [*rules().bank]
    problems += [make_problem(a, op, b, layout="vertical") for a, op, b in ((27, "x", 4), (100, "-", 1), (96, "/", 8))]
    problems += [make_problem(1000, "/", 8), make_problem(5, "+", 0), make_problem(7, "-", 0), make_problem(7, "-", 7)]
    problems += [make_problem(56, "/", 8, form="factor"), make_problem(120, "/", 10, form="tens")]
    found = {step.key: step.values for problem in problems for step in solution_steps(problem)}
    found |= {step.key: step.values for step in (*division(17, 5), *division(1234, 7))}
    found |= {f"begin_{name}": BEGUN for name in FIRST_HINTS.values()}
    found |= {"by_zero": {"a": 1}, "below_zero": {"a": 1, "b": 2}, "gap_is": {"value": 1}}
    longer = (read_expressions(text)[0].tree for text in ("3-5+4", "(2+3)x4+1", "2+3+4"))
    found |= {step.key: step.values for tree in longer for step in reductions(tree)}
    assert found.keys() == SAID.keys()
    assert all(slot_names(SAID[key]) <= values.keys() for key, values in found.items())


OPERANDS = st.integers(0, 99).map(str)
LONG = st.recursive(
    OPERANDS,
    lambda part: (
        st.tuples(part, st.sampled_from("+-x"), part).map("({0[0]}{0[1]}{0[2]})".format)
        | st.tuples(part, st.sampled_from("+-x"), part).map("{0[0]}{0[1]}{0[2]}".format)
    ),
    max_leaves=6,
)


@given(LONG)
def test_a_long_expression_is_worked_out_to_its_value(text: str) -> None:
    """Each line is true, and the last one says what an independent calculator says."""
    read = read_expressions(f"{text}=?")
    assume(read and read[0].beyond is None)
    lines = [fill_template(SAID[step.key], **step.values) for step in reductions(read[0].tree)]
    assert_true(lines)
    right = eval(text.replace("x", "*"))  # noqa: S307 - digits and signs
    last = re.search(r"=(\d+)", lines[-1])
    assert last is not None
    assert int(last[1]) == right


def test_operations_come_in_their_order() -> None:
    (one,) = read_expressions("(2+3)x4-6/2")
    assert [(step.key, step.values["part"]) for step in reductions(one.tree)] == [
        ("whole_times", "6÷2"),
        ("whole_brackets", "2+3"),
        ("whole_times", "5×4"),
        ("whole_last", "20−3"),
    ]
