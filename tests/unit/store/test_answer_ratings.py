"""What people thought of answers, and the files they saved, on both databases."""

from datetime import UTC, datetime, timedelta

import pytest

from maththera.chat.assistant.answer_ratings import AnswerNotFound, AnswerRatings
from maththera.chat.messages.answer_levels import Levels
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.answer_ratings import Ratings
from maththera.store.conversations import Conversations, ConversationTurn, Thread
from maththera.store.database import Database
from maththera.store.saved_files import SavedFiles

TEACHER = Principal("t1", "teacher", frozenset({"s1"}))
ANSWERS = {"elementary": "쉬운 답", "beginner": "답"}


@pytest.fixture
async def ratings(database: Database) -> AnswerRatings:
    """A run of the teacher's about s1, with two levels; and one of s1's own."""
    conversations = Conversations(database)
    said = ConversationTurn("run-1", "받아올림이 뭐야?", "답", {"final_answers": ANSWERS})
    await conversations.append(Thread("thread-1", "assistant", "s1", "t1"), 1, said)
    own = ConversationTurn("run-2", "내 약점은?", "천천히 해 보자.", {})
    await conversations.append(Thread("thread-2", "coach", "s1", None), 1, own)
    return AnswerRatings.of(Ratings(database), Levels.load(home()), home())


async def recent(ratings: AnswerRatings) -> list[tuple[str, str, int]]:
    found = await ratings.kept.since(datetime.now(UTC) - timedelta(days=1), 10, None)
    return [(each.run_id, each.level, each.score) for each in found]


async def test_a_rating_is_kept_with_what_it_is_about(ratings: AnswerRatings) -> None:
    kept = await ratings.rate(TEACHER, "run-1", "elementary", 4, "좋아요")
    assert (kept.question, kept.answer, kept.student_id) == ("받아올림이 뭐야?", "쉬운 답", "s1")
    assert kept.prompts["elementary"]["prompt"] == "level_elementary"
    assert len(kept.prompts["elementary"]["digest"]) == 12
    whole = await ratings.rate(TEACHER, "run-1", "", 3, "")
    assert whole.answer == "답"
    assert set(whole.prompts) == set(ANSWERS)
    assert set(await recent(ratings)) == {("run-1", "elementary", 4), ("run-1", "", 3)}


async def test_the_last_word_counts(ratings: AnswerRatings) -> None:
    for score in (1, 5):
        await ratings.rate(TEACHER, "run-1", "beginner", score, "")
    assert await recent(ratings) == [("run-1", "beginner", 5)]


async def test_a_learner_rates_the_coach(ratings: AnswerRatings) -> None:
    child = Principal("c", "student", frozenset({"s1"}))
    kept = await ratings.rate(child, "run-2", "", 5, "")
    assert (kept.answer, kept.prompts) == ("천천히 해 보자.", {})


@pytest.mark.parametrize(
    ("who", "run_id", "level"),
    [
        (Principal("t2", "teacher", frozenset({"s1"})), "run-1", ""),
        (Principal("t1", "teacher"), "run-1", ""),
        (Principal("c", "student", frozenset({"s2"})), "run-2", ""),
        (TEACHER, "run-1", "advanced"),
        (TEACHER, "nosuch", ""),
    ],
)
async def test_what_is_not_ones_own_is_not_there(
    ratings: AnswerRatings, who: Principal, run_id: str, level: str
) -> None:
    with pytest.raises(AnswerNotFound):
        await ratings.rate(who, run_id, level, 5, "")
    assert await recent(ratings) == []


async def test_saved_files_on_both_databases(database: Database) -> None:
    files = SavedFiles(database)
    made = await files.save(TEACHER, "s1", "받아올림.md", "글\n", timedelta(days=1))
    assert await files.find(TEACHER, made.file_id) == made
    assert await files.find(Principal("t2", "teacher", frozenset({"s1"})), made.file_id) is None
    gone = await files.save(TEACHER, None, "x.md", "글", timedelta(seconds=-1))
    assert await files.find(TEACHER, gone.file_id) is None
