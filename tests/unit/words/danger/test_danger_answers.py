"""The texts and numbers for danger: what a child reads, and what refuses the start."""

import re
import shutil
from pathlib import Path
from typing import Final

import pytest

from maththera.config_files import ConfigError
from maththera.settings import Settings, home
from maththera.tutoring.feedback import tone
from maththera.words.danger.danger_answers import DangerAnswers
from maththera.words.danger.danger_detection import CATEGORIES, Category
from tests.support.words import answers

CHILD: Final = [one for one in CATEGORIES if one != "adult_tells"]
TURNS: Final = range(6)


@pytest.mark.parametrize("category", CHILD)
@pytest.mark.parametrize("sure", [True, False])
def test_a_child_reads_few_short_lines_that_believe_it(category: Category, sure: bool) -> None:
    for turn in TURNS:
        told = answers().to_child(category, sure=sure, turn=turn)
        lines = told.text.split("\n")
        assert len(lines) <= 4
        assert max(map(len, lines)) <= 45
        comfort = [re.sub(r"(이|게) 아니야", "", line) for line in lines]  # "아니야" itself is for no answer
        assert [one for one in tone.check(comfort, None, answer=None, revealed=True) if one.rule == "banned"] == []
        assert not re.search(r"비밀|아무에게도|요\.|니다", told.text), "no secret, and in 반말"
        assert "?" not in told.text, "nothing is asked"
        assert all(one.number in told.text for one in told.numbers)


@pytest.mark.parametrize("category", [one for one in CHILD if one != "sadness"])
def test_it_is_told_that_it_is_not_its_fault_and_whom_to_tell(category: Category) -> None:
    for turn in TURNS:
        text = answers().to_child(category, sure=True, turn=turn).text
        assert re.search(r"잘못이 아니야|잘못한 게 없|잘못해서 그런 게 아니", text), text
        assert re.search(r"어른|선생님|전화", text), text


def test_the_numbers_of_each_kind() -> None:
    numbers = {
        category: [one.number for one in answers().to_child(category, sure=True, turn=0).numbers] for category in CHILD
    }
    assert numbers == {
        "self_harm": ["109", "1388"],
        "sexual": ["112", "1388"],
        "violence_home": ["112", "1388"],
        "neglect": ["1388", "112"],
        "grooming": ["112", "1388"],
        "bullying": ["117"],
        "medical": ["119"],
        "threat": ["117"],
        "sadness": [],
    }


def test_every_number_has_its_source_and_day() -> None:
    for one in answers().to_adult(0).numbers:
        assert one.source.startswith("https://")
        assert one.checked.year >= 2026


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(home() / "configs" / "words", tmp_path / "configs" / "words")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "find", "put", "reason"),
    [
        ("helplines_kr.yaml", 'number: "109"', "number: 백구", r"helplines_kr\.yaml:\d+: lines\.suicide\.number"),
        ("helplines_kr.yaml", "[youth, police]", "[youth, nobody]", r"helplines_kr\.yaml:\d+: general.*no nobody"),
        ("danger_answers.yaml", "numbers: [suicide, youth]\n", "numbers: [suicide, aunt]\n", r"no helpline aunt"),
        (
            "danger_answers.yaml",
            "{suicide}, {youth}.",
            "{suicide}.",
            r"danger_answers\.yaml:\d+: .*names",
        ),
        ("danger_answers.yaml", "  bullying:", "  teasing:", r"danger_answers\.yaml:\d+: child"),
        ("danger_answers.yaml", "numbers: []", "numbers: [youth]", r"all but sadness name a number"),
        (
            "danger_answers.yaml",
            "정말 고마워. 네",
            "정말 고마워.\n        네",
            r"more than 4 lines",
        ),
        (
            "danger_answers.yaml",
            "numbers: [youth, police]\n  says",
            "numbers: [police]\n  says",
            r"not the general ones",
        ),
    ],
)
def test_a_fault_is_named_with_file_and_line(folder: Path, file: str, find: str, put: str, reason: str) -> None:
    path = folder / "configs" / "words" / file
    text = path.read_text(encoding="utf-8")
    assert find in text
    path.write_text(text.replace(find, put, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=reason):
        DangerAnswers.load(folder, "kr")


@pytest.mark.parametrize("file", ["helplines_kr.yaml", "danger_answers.yaml"])
def test_a_missing_file_is_named(folder: Path, file: str) -> None:
    (folder / "configs" / "words" / file).unlink()
    with pytest.raises(ConfigError, match=file):
        DangerAnswers.load(folder, "kr")


def test_another_country_is_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATHTHERA_COUNTRY", "jp")
    with pytest.raises(ConfigError, match=r"helplines_jp\.yaml"):
        DangerAnswers.load(home(), Settings.from_environment().country)


@pytest.mark.parametrize(
    ("category", "message"),
    [
        ("violence_home", "내 친구가 아빠한테 맞는대"),
        ("self_harm", "친구가 죽고 싶대요"),
        ("self_harm", "짝꿍이 자해해요 어떡해요"),
        ("bullying", "우리 반 애가 왕따 당해"),
        ("violence_home", "엄마가 동생을 때려요"),
        ("neglect", "짝꿍이 며칠째 굶었대"),
    ],
)
def test_a_child_that_tells_of_another_is_told_to_tell_an_adult(category: Category, message: str) -> None:
    told = answers().to_child(category, sure=True, turn=0, message=message)
    assert "그 아이 잘못도" in told.text
    assert len(told.text.split("\n")) <= 4


@pytest.mark.parametrize(
    "message",
    [
        "친구가 나를 때려요",
        "친구가 때려요",
        "형이 저를 때려요",
        "아빠한테 맞았어",
        "친구들한테 왕따 당해요",
        "언니한테 맞았어요",
    ],
)
def test_a_child_that_tells_of_itself_is_answered_as_itself(message: str) -> None:
    told = answers().to_child("bullying", sure=True, turn=0, message=message)
    assert "그 아이" not in told.text
