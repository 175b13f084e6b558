"""However a model's text is cut into pieces, the gate shows the same of it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.words.output_gate.sentence_checks import TextHeldBack
from maththera.words.output_gate.text_gate import GateStream
from tests.support.gate_lines import about, gate, harmful, harmless, written

LINES = st.sampled_from(
    [line.text for line in (*harmful(), *harmless()) if line.to == "child"]
    + [line.text for line in written("writer_*.tsv")]
)
TEXTS = st.lists(LINES, min_size=1, max_size=4).map(" ".join)
ANY = st.text(st.characters(codec="utf-8"), max_size=300) | st.text("가3. !?\n[]<>/*", max_size=300) | TEXTS
CUTS = st.lists(st.integers(1, 12), min_size=1)


def shown(text: str, cuts: list[int]) -> tuple[str, bool]:
    """What of the text was shown when it came in pieces of these sizes, and whether the rest was held."""
    told, place, number = "", 0, 0
    stream = GateStream(gate(), "child", about("child"))
    try:
        while place < len(text):
            size = cuts[number % len(cuts)]
            for passed in stream.feed(text[place : place + size]):
                told += passed
            place, number = place + size, number + 1
        for passed in stream.close():
            told += passed
    except TextHeldBack:
        return told, True
    return told, False


@given(text=TEXTS, cuts=CUTS)
@settings(max_examples=60, deadline=None)
def test_nothing_is_shown_that_was_not_said_and_nothing_bad_however_it_is_cut(text: str, cuts: list[int]) -> None:
    told, held = shown(text, cuts)
    if held:
        assert text.startswith(told) or "<" in text or "[" in text
    else:
        assert told == text or "think" in text.lower()
    assert gate().check(told, "child", about("child")) is None or told == ""


@given(text=ANY, cuts=CUTS)
@settings(max_examples=150, deadline=None)
def test_the_same_is_decided_however_a_text_is_cut(text: str, cuts: list[int]) -> None:
    assert shown(text, cuts) == shown(text, [1])
