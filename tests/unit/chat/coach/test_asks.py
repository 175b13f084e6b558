"""What a message asks: the model, the words, and their files."""

from pathlib import Path
from shutil import copy

import pytest

from maththera.chat.coach.asks import GENERAL, AskReader
from maththera.chat.coach.drafts import ReplyTexts
from maththera.chat.coach.record_replies import RECORD_REPLIES
from maththera.chat.coach.replies import EXERCISES, PLAIN_REPLIES
from maththera.config_files import ConfigError
from maththera.settings import home
from tests.support.asks import ask_lines
from tests.support.utterances import classified, intents

READER = AskReader.load(home())


def test_every_ask_has_an_answer_and_an_intent() -> None:
    texts = ReplyTexts.load(home())
    answered = {*PLAIN_REPLIES, *RECORD_REPLIES, *EXERCISES, *texts.says}
    kinds = {*READER.asks.asks, *READER.asks.book.talk}
    assert kinds - answered == set()
    assert {READER.asks.intent(name) for name in kinds} <= {*intents().intents}
    assert {line.ask for line in ask_lines()} | {*READER.asks.book.talk} == kinds | GENERAL


def test_the_lines_it_was_trained_on_are_told_apart() -> None:
    lines = [line for line in ask_lines() if line.ask not in GENERAL]
    right = sum(READER.ranked(line.text, follows=True, adult=True)[0][0] == line.ask for line in lines)
    assert right / len(lines) > 0.94


def test_the_intents_of_lines_it_was_not_trained_on() -> None:
    assert classified("test").macro_f1 >= 0.8


def test_a_follow_up_needs_something_before_it() -> None:
    assert READER.ranked("2번", follows=True)[0][0] == "ordinal"
    assert READER.ranked("좋아", follows=False)[0][1] < READER.ranked("좋아", follows=True)[0][1]


@pytest.mark.parametrize("before", ["안녕하세요 ", "안녕하세요, 하늘이 엄마예요. ", "안녕하십니까 저는 담임입니다! "])
def test_what_is_asked_behind_a_greeting_is_what_is_asked(before: str) -> None:
    asked = "요즘 어떤가요?"
    assert READER.ranked(before + asked, follows=False, adult=True) == READER.ranked(asked, follows=False, adult=True)
    assert READER.ranked(before, follows=False, adult=True)[0][0] == "greet"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("intent: data", "intent: date", r"asks\.yaml:\d+: asks\.count\.intent: no such intent"),
        ("  count:", "  counting:", r"asks_model\.npz: not the asks of asks\.yaml: count, counting"),
        ("follow_weight: 0.05", "follow_weight: 0", r"asks\.yaml:\d+: follow_weight"),
    ],
)
def test_a_fault_is_named(tmp_path: Path, old: str, new: str, fault: str) -> None:
    folder = tmp_path / "configs" / "chat" / "coach"
    folder.mkdir(parents=True)
    source = home() / "configs" / "chat" / "coach"
    copy(source / "asks_model.npz", folder)
    copy(source / "talk.yaml", folder)
    copy(source / "intents.yaml", folder)
    (folder / "asks.yaml").write_text((source / "asks.yaml").read_text(encoding="utf-8").replace(old, new, 1))
    with pytest.raises(ConfigError, match=fault):
        AskReader.load(tmp_path)
