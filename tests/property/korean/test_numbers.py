"""Every number written in each way is read back; any other text is taken calmly."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.korean.numbers import Style, counted, numbers_in, parse_number, plain, written

NUMBERS = st.integers(0, 120) | st.integers(0, 9_999_999)
WHOLE = [style for style in get_args(Style) if style != "spaced"]


@pytest.mark.parametrize("style", WHOLE)
@given(number=NUMBERS)
def test_alone(style: Style, number: int) -> None:
    text = written(number, style)
    assert parse_number(text) == number
    assert parse_number(f"마이너스 {text}") == -number
    assert [found.value for found in numbers_in(text)] == [number]


@pytest.mark.parametrize("style", WHOLE)
@given(number=NUMBERS, frame=st.sampled_from(["답은 {}", "음, {} 같아", "{}", "({})", "{}!"]))
def test_among_words(style: Style, number: int, frame: str) -> None:
    assert number in [found.value for found in numbers_in(frame.format(written(number, style)))]


@given(number=st.integers(10, 9_999_999))
def test_digits_apart_are_a_number_or_several(number: int) -> None:
    (found,) = numbers_in(written(number, "spaced"))
    assert found.values == (number, *map(int, str(number)))


@given(number=st.integers(1, 99), counter=st.sampled_from(["개", "명", "마리", "살", "번째", "문제"]))
def test_things_that_are_counted(number: int, counter: str) -> None:
    (found,) = numbers_in(f"{counted(number, counter)}예요")
    assert (found.value, found.counter, found.doubtful) == (number, counter, False)


@given(st.text(max_size=80) | st.text(alphabet="일이삼십백천만억열한두네개요답은 -−3１²,.x", max_size=60))
def test_any_text_is_taken_calmly(text: str) -> None:
    last = 0
    for number in numbers_in(text):
        assert last <= number.start < number.end <= number.stop <= len(plain(text))
        last = number.stop
