"""Long expressions: worked out truly, one operation at a time, in words that are there."""

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.problem_explanations import reductions
from maththera.chat.coach.text_templates import fill_template
from tests.support.coach import knowledge

SAID = knowledge().coach.config.lines
EQUATION = re.compile(r"(?<![\d−+×÷])(\d+(?:[−+×÷]\d+)+)=(\d+)")
SIGNS = {"−": "-", "×": "*", "÷": "//"}


def assert_true(lines: list[str]) -> None:
    """Every equation in the lines holds."""
    for line in lines:
        for left, right in EQUATION.findall(line):
            text = "".join(SIGNS.get(sign, sign) for sign in left)
            assert eval(text) == int(right), line  # noqa: S307 - digits and signs


def test_no_line_is_there_for_nothing() -> None:
    """Every template of a long expression is used by some, with all the slots that it has."""
    longer = (read_expressions(text)[0].tree for text in ("3-5+4", "(2+3)x4+1", "2+3+4"))
    found = {line.key: line.values for tree in longer for line in reductions(tree)}
    assert found.keys() == {key for key in SAID if key.startswith("whole_")}
    assert all(fill_template(SAID[key], **values) for key, values in found.items())


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
