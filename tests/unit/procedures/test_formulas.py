"""Formulas: what they say, and that whatever is written ends, quickly, in a number or in nothing."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.procedures.formulas import FUNCTIONS, LARGEST, LONGEST, Formula, FormulaError, NothingToWork

NAMES = {"a": 52, "b": 38}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a - b", 14),
        ("abs(b - a) * 2 + -1", 27),
        ("a // 10 * 10 + b % 10", 58),
        ("10 ** 3 + 7", 1007),
        ("b if a < b else a", 52),
        ("a > b and b > 3", 1),
        ("not a or b == 37", 0),
        ("1 <= a <= 52 != b", 1),
        ("min(a, b, 7)", 7),
        ("max(a, b)", 52),
        ("digit(a, 1)", 5),
        ("digit(a, 7)", 0),
        ("digits(a * b)", 4),
        ("digit_sum(a)", 7),
        ("reverse(a)", 25),
        ("beside(a, b)", 5238),
        ("without(304, 0)", 34),
        ("swapped(69, 6, 9)", 96),
        ("spoken(43)", 403),
        ("spoken(0)", 0),
        ("1 if a > b else nothing", 1),
    ],
)
def test_what_a_formula_says(text: str, value: int) -> None:
    assert Formula(text).value(NAMES) == value


@pytest.mark.parametrize(
    "text",
    ["nothing", "a // 0", "a % (b - b)", "99999999 * 99999999", "20 ** 2", "2 ** -1", "without(7, 7)",
     "beside(-1, 2)", "reverse(0 - a)", "swapped(1, 10, 2)", "beside(12345, 67890)"],
)  # fmt: skip
def test_what_cannot_be_worked_out(text: str) -> None:
    with pytest.raises(NothingToWork):
        Formula(text).value(NAMES)


@pytest.mark.parametrize(
    "text",
    ["", " ", "a +", "a b", "a = 1", "a; b", "a.b", "a[0]", "'a'", "lambda: 1", "[a]", "a, b", "(a, b)", "f(a)",
     "abs()", "abs(a, b)", "min(a)", "abs(x=1)", "abs(*a)", "a is b", "a in b", "1.5", "1e9", "0x1f", "~a", "a << 9",
     "a / b", "(a := 1)", "await a", "True", "A", "가", f"{LARGEST}", "a" * (LONGEST + 1), "(" * 150 + "a" + ")" * 149,
     "(" * 149 + "a" + ")" * 149 + "b", "-" * 299 + "a", "not " * 70 + "a", "max(" * 40 + "a", "exec(a)",
     "a.__class__", "1_000", "1if a else b"],
)  # fmt: skip
def test_what_is_no_formula(text: str) -> None:
    with pytest.raises(FormulaError):
        Formula(text)


SIGNS = ["+", "-", "*", "//", "%", "**", "(", ")", ",", "<", "==", " and ", " or ", " not ", " if ", " else "]
CALLS = [f"{name}(" for name in ("min", "max", *FUNCTIONS)]
PARTS = st.sampled_from([" a ", " b ", " nothing ", " 7 ", " 999999999 ", *SIGNS, *CALLS])


@given(st.lists(PARTS, max_size=60).map("".join), st.integers(-LARGEST, LARGEST), st.integers(-LARGEST, LARGEST))
def test_every_formula_ends(text: str, one: int, other: int) -> None:
    began = time.process_time()
    try:
        value = Formula(text[:LONGEST]).value({"a": one, "b": other})
    except (FormulaError, NothingToWork):
        value = 0
    assert abs(value) <= LARGEST
    assert time.process_time() - began < 1


def nested(names: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Formulas that can be read, of any shape."""
    return st.recursive(
        names,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "**", "<", "=="]), inner).map(
                lambda parts: f"({' '.join(parts)})"
            ),
            st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} if {parts[1]} else {parts[2]})"),
            st.tuples(st.sampled_from(["min", "max", "beside", "digit", "without"]), inner, inner).map(
                lambda parts: f"{parts[0]}({parts[1]}, {parts[2]})"
            ),
            inner.map(lambda part: f"reverse({part})"),
        ),
        max_leaves=12,
    ).filter(lambda text: len(text) <= LONGEST)


@given(nested(st.sampled_from(["a", "b", "0", "9", "12"])), st.integers(0, 999_999), st.integers(0, 999_999))
def test_a_formula_that_can_be_read_gives_a_number_or_nothing(text: str, one: int, other: int) -> None:
    formula = Formula(text)
    assert formula.names <= {"a", "b"}
    with suppress(NothingToWork):
        assert abs(formula.value({"a": one, "b": other})) < LARGEST
