"""However a model's text is cut into pieces, the gate shows the same of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.words.gate import GateStream
from maththera.words.sentence_checks import HeldBack
from tests.support.gate_lines import about, gate, harmful, harmless

LINES = st.sampled_from([line.text for line in (*harmful(), *harmless()) if line.to == "child"])
TEXTS = st.lists(LINES, min_size=1, max_size=4).map(" ".join)


@given(text=TEXTS, cuts=st.lists(st.integers(1, 12), min_size=1))
@settings(max_examples=60, deadline=None)
def test_nothing_is_shown_that_was_not_said_and_nothing_bad_however_it_is_cut(text: str, cuts: list[int]) -> None:
    shown, place, number = "", 0, 0
    stream = GateStream(gate(), "child", about("child"))
    try:
        while place < len(text):
            size = cuts[number % len(cuts)]
            for passed in stream.feed(text[place : place + size]):
                shown += passed
            place, number = place + size, number + 1
        for passed in stream.close():
            shown += passed
    except HeldBack:
        assert text.startswith(shown) or "<" in text or "[" in text
    else:
        assert shown == text or "think" in text.lower()
    assert gate().check(shown, "child", about("child")) is None or shown == ""
