"""The guard on any text, and insults in any disguise."""

import re
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from maththera.korean.jamo import composed, parts, syllable_of
from maththera.settings import home
from tests.support.utterances import guard, intent_of, intents

insults = st.sampled_from(["시발", "병신", "지랄", "개새끼"])
invisible = st.sampled_from(["", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u3164"])
signs = st.sampled_from(["", ".", "-", "*", "1", "~", "♡", "_", "ㅋ"])
syllables = st.characters(min_codepoint=ord("가"), max_codepoint=ord("힣"))


@given(st.text(max_size=200))
def test_any_text_has_a_verdict_and_an_intent(text: str) -> None:
    verdict = guard().check(text)
    assert verdict == guard().check(text)
    assert intent_of(text) in intents().intents
    guard().looks_like_instructions(text)
    guard().housekeeping(text)


@given(insults, st.data())
def test_what_stands_between_the_syllables_hides_nothing(insult: str, data: st.DataObject) -> None:
    spread = "".join(syllable + data.draw(invisible) + data.draw(signs) for syllable in insult)
    assert guard().check(spread).kind == "abuse"
    assert guard().check(f"너는 {spread} 코치야").kind == "abuse"


@given(insults, st.lists(st.booleans(), min_size=3, max_size=3))
def test_split_syllables_hide_nothing(insult: str, split: list[bool]) -> None:
    text = "".join(
        "".join(parts(syllable) or syllable) if taken_apart else syllable
        for syllable, taken_apart in zip(insult, [*split, True], strict=False)
    )
    assert guard().check(text).kind == "abuse"
    assert guard().check(unicodedata.normalize("NFD", text)).kind == "abuse"


@given(syllables)
def test_a_syllable_is_its_letters(syllable: str) -> None:
    letters = parts(syllable)
    assert letters is not None
    assert syllable_of(*letters) == syllable
    assert unicodedata.normalize("NFKC", unicodedata.normalize("NFD", syllable)) == syllable
    assert composed("".join(letters)) == syllable


def test_nothing_we_say_ourselves_is_an_insult_or_an_order() -> None:
    own = re.compile(r"[가-힣][^\n\"']{4,}")
    names = ("tutoring/trainings", "tutoring/feedback", "tutoring/causes", "tutoring/observations",
             "servers/word_problems", "learner_model/concepts", "flows/closings", "flows/commands")  # fmt: skip
    files: list[Path] = [home() / "configs" / f"{name}.yaml" for name in names]
    said = {match[0] for file in files for match in own.finditer(file.read_text(encoding="utf-8"))}
    assert len(said) > 1_000
    assert [text for text in said if guard().check(text).kind in ("abuse", "injection")] == []
    assert [text for text in said if guard().looks_like_instructions(text)] == []
