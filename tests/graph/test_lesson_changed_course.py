"""A course that loses questions and chapters while a lesson runs: the lesson goes on with what there is."""

from typing import Any

import pytest

from maththera.lessons.courses.course import CHAPTER
from maththera.lessons.lesson_states import state_from_records
from maththera.store.lessons import Lesson, LessonBegin
from tests.support.lessons import COURSE, Play, chapter, content, question_of

WORDS = content().config.words["casual"]
NOW = "2026-11-22T00:00:00+00:00"


@pytest.fixture
async def play() -> Play:
    found = Play()
    await found.begin()
    return found


@pytest.fixture
def chapters(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    """The chapters of the course, to change."""
    there = content().courses[COURSE]
    changed = dict(there.chapters)
    monkeypatch.setitem(content().courses, COURSE, type(there)(there.head, changed))
    return changed


def without(number: int) -> Any:
    """The chapter without one question."""
    kept = {
        kind: [one for one in chapter().model_dump()[kind] if one["number"] != number]
        for kind in ("multiple_choice", "subjective")
    }
    return CHAPTER.validate_python({**chapter().model_dump(), **kept})


@pytest.mark.parametrize(
    "sent", ["2번", {"kind": "answer", "text": "2"}, {"kind": "hint", "text": ""}, "정답이 뭐야?", "배고파"]
)
async def test_another_question_takes_the_place_of_one_that_is_gone(
    play: Play, chapters: dict[int, Any], sent: Any
) -> None:
    lost = (await play.to_question())["current_question_number"]
    chapters[1] = without(lost)
    state = await play.send(sent)
    assert play.text().startswith(WORDS.question_changed)
    number = state["current_question_number"]
    assert number != lost
    assert question_of(number).question in state["current_question_content"]
    assert (state["ui_mode"], state["session_progress_stage"]) == ("quiz", "theory_completed")
    state = await play.answer(well=True)
    assert state["is_answer_correct"] == 1


@pytest.mark.parametrize("message", ["왜?", "이해가 안 돼", "다음"])
async def test_a_judged_question_that_is_gone_is_still_recorded(
    play: Play, chapters: dict[int, Any], message: str
) -> None:
    lost = (await play.to_question())["current_question_number"]
    await play.answer(well=False)
    chapters[1] = without(lost)
    await play.send(message)
    if message != "다음":
        await play.send("다음")
    assert [one.quiz.question_number for one in play.saved] == [lost]
    state = await play.send("시작")
    assert (state["current_chapter"], state["current_session_count"]) == (1, 2)
    assert state["telling"]["turn"] == 0
    assert question_of(lost).question in state["recent_sessions_summary"][0]["summary"]


@pytest.mark.parametrize("before", ["start", "explanation", "quiz"])
async def test_the_nearest_chapter_takes_the_place_of_one_that_is_gone(
    play: Play, chapters: dict[int, Any], before: str
) -> None:
    if before == "explanation":
        await play.send("시작")
    elif before == "quiz":
        await play.to_question()
    del chapters[1]
    state = await play.send("왜?")
    assert "2장" in play.text()
    assert (state["current_chapter"], state["session_progress_stage"], state["ui_mode"]) == (2, "session_start", "chat")
    state = await play.chapter()
    assert (state["current_chapter"], play.saved[0].chapter) == (3, 2)


@pytest.mark.parametrize(("well", "message"), [(True, "다음"), (False, "다음"), (False, "왜?")])
async def test_a_judged_session_of_a_chapter_that_is_gone_is_recorded_first(
    play: Play, chapters: dict[int, Any], well: bool, message: str
) -> None:
    await play.to_question()
    await play.answer(well=well)
    del chapters[1]
    state = await play.send(message)
    assert [one.chapter for one in play.saved] == [1]
    assert (state["current_chapter"], state["current_session_count"]) == (2, 1)
    assert "2장" in play.text()


async def test_a_lesson_ends_behind_a_last_chapter_that_is_gone(play: Play, chapters: dict[int, Any]) -> None:
    for _ in range(2):
        await play.chapter()
    await play.session(well=True)
    await play.to_question()
    await play.answer(well=True)
    del chapters[3]
    state = await play.send("다음")
    assert state["finished"]
    assert play.text() == WORDS.finished


async def test_a_lesson_is_rebuilt_without_what_is_gone(play: Play, chapters: dict[int, Any]) -> None:
    begin = LessonBegin(user_id=1, user_type="beginner", chapter=1)
    lesson = Lesson("lesson", "1", COURSE, begin)
    await play.session(well=False)
    del chapters[1]
    assert state_from_records(content(), lesson, [], NOW)["current_chapter"] == 2
    state = state_from_records(content(), lesson, play.saved, NOW)
    assert (state["current_chapter"], state["current_session_count"], state["asked"]) == (2, 1, [])
    assert not state["finished"]
