"""What a message asks: the cues, the model, and their files."""

from pathlib import Path
from shutil import copy

import pytest

from maththera.chat.coach.asks import CLASS_OF, AskReader
from maththera.chat.coach.drafts import ReplyTexts
from maththera.chat.coach.record_replies import RECORD_REPLIES
from maththera.chat.coach.replies import EXERCISES, PLAIN_REPLIES
from maththera.config_files import ConfigError
from maththera.settings import home
from tests.support.asks import ask_lines, model_class
from tests.support.utterances import classified, intents

READER = AskReader.load(home())


def test_every_ask_has_an_answer_and_an_intent() -> None:
    texts = ReplyTexts.load(home())
    answered = {*PLAIN_REPLIES, *RECORD_REPLIES, *EXERCISES, *texts.says}
    kinds = {*READER.asks.asks, *READER.asks.book.talk}
    assert kinds - answered == set()
    assert {READER.asks.letter(name) for name in kinds} <= set(intents().letters)
    assert {model_class(READER.asks, name) for name, _ in ask_lines()} == {*READER.asks.asks, *CLASS_OF.values()}


def test_the_lines_it_was_trained_on_are_told_apart() -> None:
    lines = ask_lines()
    found = [(name, READER.ranked(line, follows=True, adult=True)[0][0]) for name, line in lines]
    right = sum(model_class(READER.asks, name) == model_class(READER.asks, first) for name, first in found)
    assert right / len(lines) > 0.85


def test_the_intents_of_lines_it_was_not_trained_on() -> None:
    assert classified("test").macro_f1 >= 0.8


def test_a_follow_up_needs_something_before_it() -> None:
    assert READER.ranked("2번", follows=True)[0][0] == "ordinal"
    assert READER.ranked("좋아", follows=False)[0][1] < READER.ranked("좋아", follows=True)[0][1]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("letter: A", "letter: AA", r"asks\.yaml:\d+: asks\.count\.letter: "),
        ("  count:", "  counting:", r"asks_model\.tsv: not the asks of asks\.yaml: count, counting"),
        ("cue: '몇(개", "cue: '몇((개", r"asks\.yaml:\d+: asks\.count\.cue"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, fault: str) -> None:
    folder = tmp_path / "configs" / "chat"
    folder.mkdir(parents=True)
    source = home() / "configs" / "chat"
    copy(source / "asks_model.tsv", folder)
    copy(source / "coach_talk.yaml", folder)
    (folder / "asks.yaml").write_text((source / "asks.yaml").read_text(encoding="utf-8").replace(old, new, 1))
    with pytest.raises(ConfigError, match=fault):
        AskReader.load(tmp_path)
