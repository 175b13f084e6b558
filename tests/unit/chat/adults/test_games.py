"""Games: of what a child needs, by who plays and what there is, and another one each time."""

from typing import Final

import pytest

from maththera.chat.adults.games import Games
from maththera.chat.coach.learner_facts import Facts
from maththera.chat.records.child_record import Child
from maththera.settings import home

GAMES: Final = Games.load(home())
FACTS: Final[Facts] = {
    "today": "2026-01-10", "answered": 60, "right": 36, "tries": [], "slowest": None, "seconds": 5, "days": [],
    "kinds": [{"kind": "borrow", "answered": 24, "right": 0, "causes": [], "examples": []}],
}  # fmt: skip
CHILD: Final = Child("서연", FACTS)


@pytest.mark.parametrize(
    ("message", "before", "told"),
    [
        ("둘이 할 수 있는 놀이 추천", "", []),
        ("카드 없이", "수업 도입 5분에 쓸만한 게임 추천", []),
        ("다른 거", "주말에 할 놀이 하나만", []),
        ("셋이 해요", "", ["cups"]),
        ("모둠별로 경쟁없이 할 게임", "", []),
    ],
)
def test_a_game_of_some_conditions_is_wanted(message: str, before: str, told: list[str]) -> None:
    assert GAMES.wanted(message, before, told)


@pytest.mark.parametrize(
    ("message", "before"),
    [
        ("수학에 도움이 되는 놀이가 있나요?", ""), ("다른 거", "받아올림은 어떻게 가르쳐요?"),
        ("더 짧게 말해 주세요", "놀이 하나 추천"),
        ("둘이서 해도 되나요", "놀이 하나 추천"), ("게임으로 연습해도 효과가 있나요", ""),
        ("틀린 문제 다른 것도", "놀이 추천"),
        ("준비물 없이 할 수 있는 걸로요", "놀이 하나 추천"),
    ],
)  # fmt: skip
def test_what_wants_no_other_game_is_left(message: str, before: str) -> None:
    assert not GAMES.wanted(message, before, [])


def test_a_game_is_of_what_the_child_gets_wrong() -> None:
    name, told = GAMES.another("놀이 하나 다른 거", [], CHILD)
    assert "borrow" in GAMES.games[name].kinds
    assert told.startswith("서연이는 받아내림이 있는 뺄셈에서 24번 틀렸으니")


def test_no_game_is_told_twice_and_the_end_is_said() -> None:
    told: list[str] = []
    while (found := GAMES.another("다른 거", told, Child()))[0]:
        assert found[0] not in told
        told.append(found[0])
    assert found[1] == GAMES.texts.none_left


def test_the_conditions_are_kept() -> None:
    told: list[str] = []
    while (found := GAMES.another("준비물 없이 다섯 명이 모둠으로 5분 안에", told, Child()))[0]:
        game = GAMES.games[found[0]]
        assert not game.needs
        assert game.minutes <= 5
        assert game.people[1] >= 4
        told.append(found[0])
    assert told
    name, _ = GAMES.another("주사위로", [], Child())
    assert "dice" in GAMES.games[name].needs
