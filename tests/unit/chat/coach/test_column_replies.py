"""What is carried and opened in columns is named by what stands in them."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.column_replies import carry_word, column_words
from maththera.chat.coach.text_templates import fill_template
from tests.support.coach import texts

SAID = (
    "왜 1을 올려?",
    "9+9=18",
    "1은 어디다 써?",
    "그다음은?",
    "6+7",
    "십의 자리에 올라온 1도 더해?",
    "2에서 8을 못 빼잖아",
)


def told(problem: Problem) -> list[str]:
    words = [word for message in SAID for word in column_words(problem, message)]
    return [fill_template(texts().says[word.key].child[0], **word.slots) for word in words]


@pytest.mark.parametrize("problem", [make_problem(98, "+", 90), make_problem(64, "+", 72), make_problem(126, "-", 83)])
def test_no_ones_are_bundled_where_tens_are(problem: Problem) -> None:
    answers = told(problem)
    assert answers
    assert [one for one in answers if "낱개" in one] == []


@pytest.mark.parametrize(
    ("a", "b", "key"), [(47, 36, "carried_here"), (98, 90, "carried_here_high"), (98, 95, "carried_here")]
)
def test_the_first_place_that_carries_is_spoken_of(a: int, b: int, key: str) -> None:
    word = carry_word(make_problem(a, "+", b), "carried_here")
    assert word is not None
    assert word.key == key
