import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home

positions = st.integers(-2, 22).map(lambda halves: halves / 2)


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")


@given(c=st.integers(1, 15), low=positions, high=positions)
def test_a_window_holds_exactly_the_problems_in_its_range(bank: Bank, c: int, low: float, high: float) -> None:
    expected = [problem for problem in bank if problem.c_level == c and low <= problem.w_total <= high]
    window = bank.window(c, low, high)
    assert sorted(problem.problem_id for problem in window) == sorted(problem.problem_id for problem in expected)
    assert list(window) == sorted(window, key=lambda problem: (problem.w_total, problem.problem_id))


@given(c=st.integers(1, 15), w=st.integers(0, 19).map(lambda halves: halves / 2))
def test_a_position_inside_the_band_always_has_a_problem_near(bank: Bank, c: int, w: float) -> None:
    lowest, highest = bank.band(c)
    clamped = min(max(w, lowest), highest)
    assert bank.window(c, clamped - 1.0, clamped + 1.0)
