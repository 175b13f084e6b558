"""What is told, felt or asked of the coach itself, found by its words and by what the message does."""

from pathlib import Path
from shutil import copy

import pytest

from maththera.chat.coach.small_talk import TalkBook, act_of
from maththera.config_files import ConfigError
from maththera.settings import home

BOOK = TalkBook.load(home())


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("왜 안돼", "why"),
        ("몇 개 남았어", "amount"),
        ("어케 해요", "how"),
        ("뭐 할 수 있는데", "what"),
        ("하나만 줘", "wish"),
        ("해볼게요", "plan"),
        ("너도 밥 먹어?", "whether"),
        ("이거말고", "part"),
        ("동생이 내 지우개 부러뜨렸어", "tell"),
    ],
)
def test_what_a_message_does(message: str, act: str) -> None:
    assert act_of(message) == act


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("햄스터가 어제 죽었어요", "loss"),
        ("친구랑 싸웠어", "quarrel"),
        ("왔어", "back_again"),
        ("학교 안가고싶어요", "not_school"),
        ("집에 가기싫다", "not_home"),
        ("감사합니다 한번 해볼게요", "thanks"),
        ("별 모으면 뭐해요", "stars"),
        ("이거 몇개 남았어요", "what_left"),
        ("너 몇살이야", "robot_age"),
        ("창피했어요", "shame"),
        ("ㅋㅋㅋㅋ", "sure_laugh"),
    ],
)
def test_the_kind_of_talk(message: str, name: str) -> None:
    found = BOOK.found(message)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("message", "adult", "name"),
    [
        ("주말에도 해야 돼?", False, "day_off"),
        ("주말에도 했어?", False, ""),
        ("내가 더 자주 해야 돼?", False, "more_often"),
        ("짝꿍은 벌써 다 했대", False, "compared"),
        ("짝꿍은 벌써 다 했대요", True, ""),
        ("걱정해야 하나요?", True, "worry"),
        ("이 정도면 심각한가요?", True, "worry"),
        ("구구단 꼭 외워야 하나요?", True, "tables_must"),
        ("구구단은 언제까지 외워야 하나요?", True, "tables_school"),
        ("코치야 답 알려줘", False, ""),
        ("햄스터가 어제 죽었어요", False, ""),
    ],
)
def test_words_that_are_nearly_always_meant_alike(message: str, adult: bool, name: str) -> None:
    found = BOOK.found(message, adult=adult, clear=True)
    assert (found.name if found else "") == name


@pytest.mark.parametrize("message", ["급식에 돈까스 나왔어요", "47-19는 얼마야?", "받아내림이 뭔데"])
def test_nobody_has_come_back(message: str) -> None:
    found = BOOK.found(message)
    assert found is None or found.name != "back_again"


def test_the_noun_of_the_child_is_taken_up() -> None:
    assert BOOK.noun("우리집 강아지 이름은 콩이에요") == "강아지"
    assert BOOK.noun("어제 박물관에 갔어") == "박물관"
    assert BOOK.noun("오늘 진짜 그랬어") == ""


def test_a_class_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "configs" / "chat" / "coach"
    folder.mkdir(parents=True)
    copy(home() / "configs" / "chat" / "coach" / "talk.yaml", folder)
    path = folder / "talk.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("@animal 죽", "@beast 죽", 1), encoding="utf-8")
    with pytest.raises(ConfigError, match="no such class of words: beast"):
        TalkBook.load(tmp_path)
