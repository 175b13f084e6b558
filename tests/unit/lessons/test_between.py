"""What is said between the turns of a lesson: to questions beside the matter and wishes for help, in how many lines."""

from functools import cache

import pytest

from maththera.lessons.content import LessonContent
from maththera.lessons.explanation_turns import turns_of
from maththera.settings import home
from tests.support.lessons import Play


@cache
def shipped() -> LessonContent:
    return LessonContent.load(home())


async def played(chapter: int, *messages: str) -> list[str]:
    """What was said to each of the messages."""
    play, told = Play(held=shipped(), chapter=chapter), []
    await play.begin()
    for each in messages:
        await play.send(each)
        told.append(play.text())
    return told


@pytest.mark.parametrize(
    "message", ["14-6은 어떻게 해?", "15-7 어떻게 풀어?", "17-8은 얼마야?", "13-9 계산하는 거 알려줘"]
)
@pytest.mark.parametrize("chapter", [6, 9, 10])
async def test_how_a_calculation_is_done_is_told_in_steps(chapter: int, message: str) -> None:
    answer = (await played(chapter, "시작", message))[-1]
    assert answer.startswith("1. 10에서")
    assert "다시 더해" not in answer


async def test_how_it_is_checked_is_still_told_where_that_is_asked() -> None:
    assert "다시 더해" in (await played(9, "시작", "14-6=8이 맞는지 어떻게 확인해?"))[-1]


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("12-5+3은?", "12-5=7\n7+3=10"),
        ("0.5는 뭐야?", "수업에 나오지 않는"),
        ("8+7-6은 얼마야?", "8+7=15\n15-6=9"),
        ("3/4가 뭐야?", "수업에 나오지 않는"),
        ("분수는 어떻게 더해?", "수업에 나오지 않는"),
        ("나 뭐가 약해?", "코치에게 물어보면"),
        ("내 약점 알려줘", "코치에게 물어보면"),
        ("너 로봇이야?", "프로그램이야"),
        ("너 혹시 사람이야?", "프로그램이야"),
        ("이거 왜 배워?", "물건값"),
        ("뺄셈 배워서 뭐 해?", "물건값"),
    ],
)
@pytest.mark.parametrize("chapter", [4, 9, 11])
async def test_what_is_beside_the_matter_has_its_own_answer(chapter: int, message: str, part: str) -> None:
    assert part in (await played(chapter, "시작", message))[-1]


@pytest.mark.parametrize("after", ["더 쉽게", "몰라", "그림으로 보여줘"])
@pytest.mark.parametrize("chapter", [2, 9, 11])
async def test_a_second_explanation_is_another_one(chapter: int, after: str) -> None:
    _, why, help_, more = await played(chapter, "시작", "왜?", after, "왜?")
    turn = next(turns_of(shipped().courses["arithmetic"].chapters[chapter].explanation.beginner[0]))
    assert turn.check is not None
    sentences = {line for line in why.split(turn.check.ask)[0].splitlines() if line}
    assert sentences.isdisjoint(help_.splitlines())
    assert why != more


async def test_two_helps_before_the_key_and_no_miss_without_a_try() -> None:
    play = Play(held=shipped(), chapter=9)
    await play.begin()
    await play.send("시작")
    told = []
    for wish in ("더 쉽게", "그림으로 보여줘"):
        state = await play.send(wish)
        told.append(play.text())
        assert state["telling"]["turn"] == 0
        assert "답은" not in play.text()
    assert told[0] != told[1]
    state = await play.send("몰라")
    assert "답은 5" in play.text()
    assert state["telling"] == {"turn": 1, "helps": 0, "missed": []}


async def test_a_try_between_makes_it_a_miss() -> None:
    play = Play(held=shipped(), chapter=9)
    await play.begin()
    state = await play.send("시작", "2", "더 쉽게", "모르겠어")
    assert len(state["telling"]["missed"]) == 1


@pytest.mark.parametrize("message", ["2번", "3", "답은 7"])
async def test_an_answer_before_any_question_is_met_kindly(message: str) -> None:
    assert (await played(9, message))[-1].startswith("아직 문제가 나오지 않았어.")


@pytest.mark.parametrize("chapter", range(1, 16))
async def test_no_turn_has_more_than_four_lines_and_its_choices(chapter: int) -> None:
    """Nor where it follows a key that was told."""
    play = Play(held=shipped(), chapter=chapter)
    await play.begin()
    state = await play.send("시작")
    while state["session_progress_stage"] == "session_start":
        lines = [line for line in play.text().splitlines() if line and not line.startswith("①") and "□에" not in line]
        assert len(lines) <= 4, play.text()
        state = await play.send("몰라", "몰라", "몰라")


@pytest.mark.parametrize("chapter", range(11, 16))
def test_every_turn_of_the_large_numbers_has_a_picture(chapter: int) -> None:
    explanation = shipped().courses["arithmetic"].chapters[chapter].explanation
    for paragraph in (*explanation.beginner, *explanation.advanced):
        for turn in turns_of(paragraph):
            assert turn.picture is not None, paragraph.id
            assert turn.picture.fits, paragraph.id
