"""What is said of a flow stands in Korean beside the English."""

import re
from pathlib import Path

import pytest

from maththera.flows.checker.flow_checker import load
from maththera.flows.language import messages
from maththera.flows.language.faults import FlowError
from maththera.flows.language.messages import Message, Text
from tests.support.flow_messages import slots, texts
from tests.support.flow_tools import CATALOGUE

MISTAKES = sorted((Path(__file__).parents[3] / "data" / "flow_mistakes").glob("*.yaml"))
HANGUL = re.compile("[가-힣]")
ONLY_OF_OTHERS = {"NOT_YAML", "NO_EXPRESSION", "NO_PYTHON", "DOES_NOT_FIT", "NOT_UTF8", "CANNOT_BE_KEPT"}
"""They pass on what a parser says in English; in Korean they say what they know of it."""
NO_SENTENCE = {"NEAR_AND", "OF", "ABOUT"}
QUOTED = re.compile(r"'[^']*'")


@pytest.mark.parametrize(("name", "text"), texts().items(), ids=texts())
def test_every_message_says_in_korean_what_it_says_in_english(name: str, text: Text) -> None:
    assert HANGUL.search(text.korean) or name in NO_SENTENCE
    only_english = {"reason", "problem"} if name in ONLY_OF_OTHERS else set()
    assert slots(text.english) - only_english == slots(text.korean) - only_english


def test_every_kind_of_value_has_a_korean_name() -> None:
    named = {name: one for name, one in vars(messages).items() if isinstance(one, Message)}
    named |= messages.SCHEDULE_FIELDS
    assert {name for name, one in named.items() if not HANGUL.search(one.korean)} == {"NOTHING_NEAR", "NULL"}


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_no_english_sentence_reaches_who_reads_korean(path: Path) -> None:
    with pytest.raises(FlowError) as raised:
        load(path.read_text().split("#! ")[0], path="x.yaml", catalogue=CATALOGUE, graphs={"tutoring"}, prompts={"p"})

    for fault in raised.value.faults:
        korean = fault.message.korean
        assert HANGUL.search(korean), korean
        assert not re.search(r"[a-z]{2,} [a-z]{2,}", QUOTED.sub("", korean)), korean


@pytest.mark.parametrize(
    ("message", "korean"),
    [
        (messages.MISSING(name="이름"), "'이름'이 빠졌어요"),
        (messages.MISSING(name="나이"), "'나이'가 빠졌어요"),
        (messages.NO_SUCH_FLOW(name="연습", near=messages.NOTHING_NEAR), "'연습'이라는 흐름은 없어요"),
        (messages.NEEDS(wanted=messages.A_LIST, given=messages.A_TEXT), "목록이 와야 하는데 글이 왔어요"),
        (messages.UNQUOTED_BRACES(root="x"), "따옴표 없는 {{ x }}는 YAML에서 글이 아니에요. 참조는 $x처럼 써요"),
        (messages.NOT_YAML(problem=messages.problem("a new one"), hint=messages.NOTHING_NEAR), "YAML로 읽을 수 없어요"),
    ],
)
def test_particles_follow_their_words(message: Message, korean: str) -> None:
    assert message.korean == korean
