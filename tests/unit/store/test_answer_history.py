from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from maththera.learner_model.error_patterns import find_patterns, stated_causes
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.answer_history import AnswerHistory, records_version
from maththera.store.database import Database
from maththera.store.lessons import Lesson, LessonRecords
from maththera.store.task_observations import TaskObservations
from maththera.store.tutoring_sessions import SessionRecords, TurnRow
from tests.support.learning import Pupil, learn
from tests.support.tutoring import rules
from tests.unit.store.test_lessons import QUIZ, completed


async def test_the_played_turns_come_back_in_order(database_url: str, database: Database) -> None:
    turns = await learn(database_url, Pupil("s1", ("sum_carry_dropped",)), days_ago=(9, 2))
    await learn(database_url, Pupil("s2", seed=2))
    history = AnswerHistory(database)
    answers = await history.answers("s1")
    assert len(answers) == turns
    assert answers == sorted(answers, key=lambda answer: answer.created_at)
    week = datetime.now(UTC) - timedelta(days=5)
    late, early = await history.answers("s1", since=week), await history.answers("s1", until=week)
    assert early + late == answers
    assert early
    assert late
    sessions = await history.sessions("s1", 5)
    assert [one.session_id for one in sessions] == [late[0].session_id, early[0].session_id]
    assert len(await history.sessions("s1", 1)) == 1
    both = await history.answers_of(["s1", "s2", "s3"])
    assert both["s1"] == answers
    assert both["s2"]
    assert both["s3"] == []


async def test_what_was_given_is_read_from_the_event(database_url: str, database: Database) -> None:
    await learn(database_url, Pupil("s1", ("sum_carry_dropped",)))
    for answer in await AnswerHistory(database).answers("s1"):
        if answer.correct is not None and answer.problem_id is not None:
            right = rules().bank.problem(answer.problem_id).answer
            assert (answer.given == right) is answer.correct


async def test_the_procedure_that_was_played_is_the_pattern_found(database_url: str, database: Database) -> None:
    await learn(database_url, Pupil("s1", ("sum_carry_dropped",)), days_ago=(9, 5, 2))
    answers = await AnswerHistory(database).answers("s1")
    assert "EXECUTION_L4_CARRY_FORGOTTEN" in stated_causes(answers)
    patterns = find_patterns(answers, rules().bank.problem)
    (carry,) = [pattern for pattern in patterns if pattern.id == "EXECUTION_L4_CARRY_FORGOTTEN"]
    assert carry.kind == "cause"
    assert carry.count >= stated_causes(answers)["EXECUTION_L4_CARRY_FORGOTTEN"]
    assert all(example.given != example.right for example in carry.examples)


async def test_a_healthy_child_has_no_cause(database_url: str, database: Database) -> None:
    await learn(database_url, Pupil("s1"), days_ago=(3, 1))
    assert [p.kind for p in find_patterns(await AnswerHistory(database).answers("s1"), rules().bank.problem)] == []


async def test_classmates_are_those_of_the_same_teachers(database: Database) -> None:
    tokens, history = AccessTokens(database), AnswerHistory(database)
    await tokens.create("teacher", ["s1", "s2"])
    await tokens.create("guardian", ["s1", "s9"])
    revoked = await tokens.create("teacher", ["s1", "s8"])
    principal = await tokens.find(revoked)
    assert principal is not None
    await tokens.revoke(principal.token_id)
    assert await history.classmates("s1") == ["s1", "s2"]
    assert await history.classmates("s5") == ["s5"]


async def test_sessions_and_answers_change_the_version_of_their_learner_alone(
    records: SessionRecords, database: Database
) -> None:
    seen = [await records_version(database, "s1")]
    await records.create_session("a", "s1", {})
    seen.append(await records_version(database, "s1"))
    for number in (1, 2):
        await records.append_turn(TurnRow("a", number, f"r{number}", {}, [], {}, [], {}))
        seen.append(await records_version(database, "s1"))
    assert len(set(seen)) == 4
    await records.create_session("b", "s2", {})
    await records.append_turn(TurnRow("b", 1, "r", {}, [], {}, [], {}))
    assert await records_version(database, "s1") == seen[-1]


async def test_whatever_makes_answers_others_changes_the_version_of_that_child_alone(
    records: SessionRecords, database: Database
) -> None:
    history, children = AnswerHistory(database), ["s1", "s2"]
    lessons = LessonRecords(database)

    async def lesson() -> None:
        await lessons.create(Lesson("l", "s1", "arithmetic", {"user_id": "s1", "user_type": "beginner", "chapter": 1}))
        await lessons.complete(completed("l", quiz=QUIZ, student_id="s1"), "arithmetic")

    changes: list[Callable[[], Awaitable[object]]] = [
        lambda: records.create_session("a", "s1", {}),
        lambda: records.append_turn(TurnRow("a", 1, "r1", {}, [], {}, [], {})),
        lambda: records.append_turn(TurnRow("a", 2, "r2", {}, [], {}, [], {})),
        lambda: TaskObservations(database).add("a", "t1", ["fingers"], "adult"),
        lambda: TaskObservations(database).add("a", "t2", ["fingers"], "adult", {"fingers": "CAUSE"}),
        lesson,
    ]
    seen = [await history.versions(children)]
    for change in changes:
        await change()
        seen.append(await history.versions(children))
    assert len({one["s1"] for one in seen}) == len(seen)
    assert len({one["s2"] for one in seen}) == 1
