"""Times tables that are named: in digits and words, several, and from one to another."""

import pytest

from maththera.korean.times_tables import tables_in


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("7단", (7,)),
        ("칠단", (7,)),
        ("칠 단은 어려워", (7,)),
        ("7단에서 뭘 틀렸어?", (7,)),
        ("7단과 8단 정답률", (7, 8)),
        ("칠단하고 팔단", (7, 8)),
        ("7단알려줘", (7,)),
        ("7, 8단", (7, 8)),
        ("6·7단", (6, 7)),
        ("3단까지", (2, 3)),
        ("2단부터 5단까지", (2, 3, 4, 5)),
        ("2단에서 4단까지", (2, 3, 4)),
        ("2~4단", (2, 3, 4)),
        ("7단부터", (7, 8, 9)),
        ("5단이랑 5단", (5,)),
        ("구구단", ()),
        ("2단계", ()),
        ("3단원", ()),
        ("12단", ()),
        ("삼단논법", ()),
        ("이단아", ()),
        ("사단장", ()),
        ("계단을 올라", ()),
    ],
)
def test_the_tables_that_a_text_names(text: str, tables: tuple[int, ...]) -> None:
    assert tables_in(text) == tables
