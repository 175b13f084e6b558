"""What every room is told of a message."""

from pathlib import Path

import pytest

from maththera.config_files import ConfigError, ConfigFile
from maththera.settings import home
from maththera.words.input_filter.common_intents import CommonIntents
from tests.support.words import door

KNOWN = Path(__file__).parents[3] / "data" / "danger_known.yaml"


@pytest.mark.parametrize(
    "message",
    [
        "몰라",
        "몰라요",
        "모르겠어",
        "모르겠어요",
        "모름",
        "모르겠다",
        "잘 모르겠어요 ㅠㅠ",
        "?",
        "??",
        "ㅁㄹ",
        "모르겠습니다",
        "I don't know",
        "패스",
    ],
)
def test_who_does_not_know(message: str) -> None:
    assert door().read(message).does_not_know


@pytest.mark.parametrize(
    "message", ["14", "몰라서 10이라고 했어", "받아올림을 모르겠어", "아니", "", "모르는 아저씨가 왔어"]
)
def test_who_says_more_or_something_else(message: str) -> None:
    assert not door().read(message).does_not_know


@pytest.mark.parametrize("message", ["응", "응!", "웅", "네", "넹", "ㅇㅇ", "그래", "응 있어", "말하고 싶어"])
def test_yes(message: str) -> None:
    reading = door().read(message)
    assert (reading.yes, reading.no) == (True, False)


@pytest.mark.parametrize("message", ["아니", "아니야", "아니요", "아뇨", "ㄴㄴ", "괜찮아", "괜찮아요", "없어"])
def test_no(message: str) -> None:
    reading = door().read(message)
    assert (reading.yes, reading.no) == (False, True)


@pytest.mark.parametrize(
    ("message", "wish"),
    [("힌트 줘", "hint"), ("도와줘", "hint"), ("그만할래", "rest"), ("잠깐만", "pause"), ("안녕하세요", "greeting")],
)
def test_wishes_that_every_room_knows(message: str, wish: str) -> None:
    assert wish in door().read(message).wishes


@pytest.mark.parametrize(
    ("message", "is_private"),
    [
        ("내 폰번호 010-2938-4471 이야", True),
        ("01029384471", True),
        ("우리집 02-123-4567", True),
        ("a@b.kr로 보내", True),
        ("우리 집 서울시 마포구 성산동 12-3 인데 놀러 와", True),
        ("101동 1203호 살아", True),
        ("비번은 1234야", True),
        ("12-3", False),
        ("010 문제", False),
        ("2938-4471", False),
        ("친구 앞으로 3칸 갔어", False),
        ("축구 새로 3-1로 이겼어", False),
        ("5동 3호", False),
        ("100-58=42", False),
    ],
)
def test_what_a_child_should_keep_to_itself(message: str, is_private: bool) -> None:
    assert door().read(message).private is is_private


def test_a_fault_in_the_wishes_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "configs" / "words"
    folder.mkdir(parents=True)
    text = (home() / "configs" / "words" / "common_intents.yaml").read_text(encoding="utf-8")
    (folder / "common_intents.yaml").write_text(
        text.replace("  - (?:음|흠|으음)+", "  - (?:음|흠", 1), encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=r"common_intents\.yaml:\d+: pause\[\d+\]: .*is no pattern"):
        CommonIntents.load(tmp_path)


def known(kind: str) -> list[str]:
    """Lines that the coach's first patterns were held to."""
    found: dict[str, list[str]] = ConfigFile.read(KNOWN).data  # type: ignore[assignment]
    return found[kind]


@pytest.mark.parametrize("message", known("danger"))
def test_danger_in_many_words(message: str) -> None:
    assert door().read(message, writer="child").danger is not None


@pytest.mark.parametrize("message", known("none"))
def test_a_figure_of_speech_is_no_danger(message: str) -> None:
    danger = door().read(message, writer="child").danger
    assert danger is None or danger.tier == 3
