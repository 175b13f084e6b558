"""Stories of one step with any two amounts: what they come to, and whether a given result is right."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.result_claims import read_expressions
from maththera.korean.numbers import counted

_amounts = st.integers(2, 40)


@pytest.mark.parametrize(
    ("story", "result"),
    [
        ("연못에 오리 {a}마리가 있었는데 {b}마리가 더 왔어.", lambda a, b: a + b),
        ("사탕 {c}개에서 {b}개를 먹었어.", lambda a, _: a),
        ("사과를 {a}개씩 {b}상자에 담으면", lambda a, b: a * b),
        ("딱지 {p}장을 {b}명에게 똑같이 나눠 주면", lambda a, _: a),
        ("빵 {p}개를 {b}개씩 담으면", lambda a, _: a),
    ],
)
@given(a=_amounts, b=_amounts)
def test_a_story_comes_to_its_result(story: str, result: Callable[[int, int], int], a: int, b: int) -> None:
    text = story.format(a=a, b=b, c=a + b, p=a * b)
    assert read_expressions(f"{text} 참 좋다") == ()  # nobody asks
    assert [one.value for one in read_expressions(f"{text} 그럼 몇 {_counter(text)}야?")] == [result(a, b)]


@given(a=_amounts, b=_amounts, given_result=st.integers(1, 80))
def test_a_result_in_any_spelling_is_held_against_the_story(a: int, b: int, given_result: int) -> None:
    text = f"귤 {counted(a + b, '개')}에서 {b}개 먹었으니까 {counted(given_result, '개')} 남았어"
    (one,) = read_expressions(text)
    assert (one.value, one.claimed, one.right) == (a, given_result, given_result == a)


def _counter(text: str) -> str:
    """Of the first amount, in which the results of these stories are counted; of portions it is the box."""
    if "개씩 담으면" in text:
        return "봉지"
    return next(one for one in ("마리", "장", "개") if one in text)
