"""However a text is cut into pieces, what a client is told of it is the same."""

from hypothesis import given
from hypothesis import strategies as st

from maththera.api.openai_events import TextLimits
from maththera.llm.token_estimate import estimate_tokens

PIECES = st.lists(st.text("가나다 .ab\n", max_size=6), max_size=12)
STOPS = st.lists(st.text("가나 .a", min_size=1, max_size=3), max_size=3)


def told(pieces: list[str], limits: TextLimits) -> str:
    return "".join(limits.add(piece) for piece in pieces) + limits.end()


@given(PIECES, STOPS)
def test_a_text_ends_before_its_first_stop_word(pieces: list[str], stops: list[str]) -> None:
    whole = "".join(pieces)
    places = [place for stop in stops if (place := whole.find(stop)) >= 0]
    if not places:
        assert told(pieces, TextLimits(stops=stops)) == whole
    else:
        found = told(pieces, TextLimits(stops=stops))
        assert whole.startswith(found)
        assert not any(stop in found for stop in stops)
        assert any(whole.startswith(found + stop) for stop in stops)


@given(PIECES, st.integers(1, 20))
def test_a_text_has_at_most_its_tokens(pieces: list[str], most: int) -> None:
    limits, whole = TextLimits(most), "".join(pieces)
    found = told(pieces, limits)
    assert whole.startswith(found)
    assert estimate_tokens(found) <= most
    assert (limits.finish_reason == "length") == (found != whole)
