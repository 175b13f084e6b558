"""The calculations of a text, each with its numbers and its result."""

import pytest

from maththera.arithmetic.calculations import calculations


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("28+15", {((28, 15), 43)}),
        ("1+28+15", {((1, 28), 29), ((1, 28, 15), 44), ((28, 15), 43)}),
        ("28+15=30+13", {((28, 15), 43), ((30, 13), 43)}),
        ("2×3+4", {((2, 3), 6), ((2, 3, 4), 10)}),
        ("5+□=7은?", {((5, 7), 2)}),
        ("12=□×4", {((12, 4), 3)}),
        ("칠팔은?", {((7, 8), 56)}),
        ("사과 28개랑 15개를 합치면 몇 개야?", {((28, 15), 43)}),
        ("1÷0", set()),
        ("□+□=5", set()),
        ("3²+1", set()),
        ("5번 3쪽", set()),
    ],
)
def test_what_is_calculated(text: str, found: set[tuple[tuple[int, ...], int]]) -> None:
    assert {(one.terms, one.value) for one in calculations(text)} == found
