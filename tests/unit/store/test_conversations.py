from maththera.store.conversations import Conversations, ConversationTurn, Thread, has_conversations
from maththera.store.database import Database
from maththera.store.lessons import Lesson, LessonBegin, LessonRecords


async def test_a_lesson_counts_as_a_conversation(database: Database) -> None:
    assert not await has_conversations(database)
    await LessonRecords(database).create(
        Lesson("a", "s1", "arithmetic", LessonBegin(user_id=1, user_type="beginner", chapter=1))
    )
    assert await has_conversations(database)


async def test_a_thread_counts_as_a_conversation(database: Database) -> None:
    assert not await has_conversations(database)
    await Conversations(database).append(
        Thread("t", "coach", "s1", None), 1, ConversationTurn("r", "안녕?", "안녕!", {})
    )
    assert await has_conversations(database)
