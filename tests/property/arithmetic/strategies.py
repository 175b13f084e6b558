"""What the property tests of arithmetic draw from."""

from hypothesis import strategies as st

numbers = st.one_of(st.integers(0, 20), st.integers(0, 199), st.integers(0, 1200))
layouts = st.sampled_from(["horizontal", "vertical"])

Expression = tuple[int, str, int]


def _difference(larger_first: tuple[int, int]) -> Expression:
    low, high = sorted(larger_first)
    return high, "-", low


sums = st.tuples(numbers, st.just("+"), numbers)
differences = st.tuples(numbers, numbers).map(_difference)
products = st.tuples(numbers, st.just("x"), numbers)
quotients = st.tuples(st.integers(1, 100), st.integers(0, 100)).map(lambda pair: (pair[0] * pair[1], "/", pair[0]))
expressions = st.one_of(sums, differences, products, quotients)
"""`a op b` with a natural answer, inside and outside the ladder."""
