"""The search that papers and a school's documents share."""

from hypothesis import given
from hypothesis import strategies as st

from maththera.korean.search import WordIndex

WORDS = st.sampled_from(["덧셈", "뺄셈", "곱셈", "곱셈구구", "평가", "6"])
TEXTS = WordIndex([["덧셈", "평가"], ["곱셈구구", "평가"], ["평가"], []])


def test_a_rare_word_counts_more() -> None:
    by_place = {match.place: match for match in TEXTS.search(["덧셈", "평가"])}
    assert by_place.keys() == {0, 1, 2}
    assert by_place[0].share == 1
    assert by_place[1].share < 0.5
    assert by_place[0].score > by_place[2].score


def test_a_compound_stands_for_the_word_that_it_begins_with() -> None:
    assert TEXTS.search(["곱셈"]) == []
    (match,) = TEXTS.search(["곱셈"], compounds=True)
    assert (match.place, match.share) == (1, 1)
    assert TEXTS.search(["곱"], compounds=True) == []


def test_nothing_to_find() -> None:
    assert TEXTS.search([]) == TEXTS.search(["방학"]) == WordIndex([]).search(["덧셈"]) == []


@given(texts=st.lists(st.lists(WORDS)), asked=st.lists(WORDS), compounds=st.booleans())
def test_what_is_found_has_a_word_and_the_rest_has_none(
    texts: list[list[str]], asked: list[str], compounds: bool
) -> None:
    found = WordIndex(texts).search(asked, compounds=compounds)
    holds = [
        any(word == own or (compounds and own.startswith(word)) for word in asked for own in text) for text in texts
    ]
    assert [match.place for match in found] == [place for place, held in enumerate(holds) if held]
    assert all(0 < match.share <= 1 + 1e-9 for match in found)
