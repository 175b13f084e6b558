"""Lessons on record: each session once, the statistics, and one record for a learner whatever they used."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from maththera.store.answer_history import LESSON, AnswerHistory, recent_answers, records_version
from maththera.store.database import Database
from maththera.store.lesson_sessions import CompletedSession, Quiz, session_id
from maththera.store.lessons import Lesson, LessonBegin, LessonRecords, UnknownLesson

NOW = datetime(2026, 11, 22, 14, 30, 52, tzinfo=UTC)
QUIZ = Quiz(
    question_number=1, question_type="multiple_choice", is_correct=1, graded_by="rules", rule_score=1, hint_count=0,
    problem_id="X:6+1:h", given=7, question_content="6+1은?", user_answer="7", feedback="정답이야!",
)  # fmt: skip


def completed(lesson_id: str = "a", number: int = 1, **changes: object) -> CompletedSession:
    session = CompletedSession(
        session_id=session_id(123, 1, number, NOW), lesson_id=lesson_id, number=number, student_id="123", chapter=1,
        session_count=number, decision="proceed", session_start_time=NOW - timedelta(seconds=90), session_end_time=NOW,
        conversations=[{"agent_name": "learning_supervisor", "message": "안녕!", "timestamp": NOW.isoformat(),
                        "message_type": "system", "session_stage": "session_start"}],
        quiz=QUIZ,
    )  # fmt: skip
    return replace(session, **changes)  # type: ignore[arg-type]


BEGIN = LessonBegin(user_id=123, user_type="beginner", chapter=1)


@pytest.fixture
async def lessons(database: Database) -> LessonRecords:
    found = LessonRecords(database)
    for lesson_id in ("a", "b"):
        await found.create(Lesson(lesson_id, "123", "arithmetic", BEGIN))
    return found


def test_the_id_of_a_session() -> None:
    assert session_id(123, 1, 1, NOW) == "user123_ch1_session001_20261122_143052"


async def test_a_lesson_is_found_again(lessons: LessonRecords) -> None:
    await lessons.create(Lesson("a", "123", "arithmetic", BEGIN))
    assert await lessons.find("a") == Lesson("a", "123", "arithmetic", BEGIN)
    assert await lessons.find("c") is None


async def test_a_session_is_recorded_once_however_often_it_is_said(lessons: LessonRecords) -> None:
    names = {await lessons.complete(completed(), "arithmetic") for _ in range(3)}
    assert names == {completed().session_id}
    assert await lessons.sessions("a") == [completed()]
    (statistics,) = await lessons.statistics("123")
    assert (statistics.learning_count, statistics.score_sum, statistics.seconds) == (1, 100, 90)


async def test_a_session_of_an_erased_lesson_is_not_recorded(lessons: LessonRecords) -> None:
    with pytest.raises(UnknownLesson):
        await lessons.complete(completed("erased"), "arithmetic")
    assert await lessons.statistics("123") == []


async def test_two_processes_at_once_record_it_once(lessons: LessonRecords) -> None:
    names = await asyncio.gather(*(lessons.complete(completed(), "arithmetic") for _ in range(4)))
    assert len(set(names)) == 1
    assert [one.learning_count for one in await lessons.statistics("123")] == [1]


async def test_two_lessons_within_a_second_get_ids_of_their_own(lessons: LessonRecords) -> None:
    first = await lessons.complete(completed("a"), "arithmetic")
    second = await lessons.complete(completed("b"), "arithmetic")
    assert (first, second) == (
        "user123_ch1_session001_20261122_143052", "user123_ch1_session001_20261122_143053",
    )  # fmt: skip
    assert await lessons.complete(completed("b"), "arithmetic") == second
    assert [one.session_id for one in await lessons.sessions("b")] == [second]


async def test_statistics_add_up(lessons: LessonRecords) -> None:
    quizzes = [
        replace(QUIZ, is_correct=0, hint_count=2),
        replace(QUIZ, question_type="subjective", is_correct=70, problem_id=None, given=None),
        replace(QUIZ, question_type="subjective", is_correct=40, problem_id=None, given=None),
    ]
    for number, quiz in enumerate(quizzes, start=1):
        decision = "proceed" if number == 3 else "retry"
        await lessons.complete(completed(number=number, quiz=quiz, decision=decision), "arithmetic")
    (found,) = await lessons.statistics("123", "arithmetic")
    assert (found.learning_count, found.passed_count, found.hint_count, found.seconds) == (3, 1, 2, 270)
    assert (found.score_sum, found.best_score, found.last_score, round(found.mean_score)) == (110, 70, 40, 37)
    assert found.last_at == NOW
    assert await lessons.statistics("123", "ai_basics") == []
    assert await lessons.statistics("124") == []


async def test_who_graded_is_told_with_the_score_of_the_rules(lessons: LessonRecords) -> None:
    by_model = replace(QUIZ, question_type="subjective", is_correct=100, graded_by="model", rule_score=60)
    kept_before = replace(by_model, graded_by=None, rule_score=None)
    for number, quiz in enumerate([QUIZ, by_model, kept_before], start=1):
        end = NOW + timedelta(seconds=number // 3)  # the first two end at once
        session = completed(number=number, quiz=quiz, session_end_time=end)
        await lessons.complete(session, "arithmetic")
    told = await lessons.judged("123", 10)
    assert [(one["is_correct"], one["graded_by"], one["rule_score"]) for one in told] == [
        (100, None, None), (100, "model", 60), (1, "rules", 1),
    ]  # fmt: skip
    assert {(one["course"], one["lesson_id"]) for one in told} == {("arithmetic", "a")}
    pages = [await lessons.judged("123", 1, before) for before in (None, told[0]["session_id"], told[1]["session_id"])]
    assert [one for page in pages for one in page] == told
    assert await lessons.judged("123", 10, told[2]["session_id"]) == []
    assert await lessons.judged("124", 10) == []


async def test_calculated_questions_are_answers_like_those_of_the_tutor(
    lessons: LessonRecords, database: Database
) -> None:
    before = await records_version(database, "123")
    wrong = replace(QUIZ, is_correct=0, given=6)
    hinted = replace(QUIZ, hint_count=1)
    sentence = replace(QUIZ, question_type="subjective", is_correct=100, problem_id=None, given=None)
    for number, quiz in enumerate([QUIZ, wrong, hinted, sentence], start=1):
        await lessons.complete(completed(number=number, quiz=quiz), "arithmetic")
    assert await records_version(database, "123") != before
    answers = await AnswerHistory(database).answers("123")
    assert [(one.kind, one.correct, one.given, one.c_level) for one in answers] == [
        (LESSON, True, 7, 1), (LESSON, False, 6, 1),
    ]  # fmt: skip
    assert await recent_answers(AnswerHistory(database), "123") == answers
    assert await AnswerHistory(database).answers("123", since=NOW + timedelta(seconds=1)) == []
    assert await AnswerHistory(database).answers("123", until=NOW) == []
