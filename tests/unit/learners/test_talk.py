"""Whether anybody talks with the service in sentences."""

from maththera.learners.conversations import Conversations, Said, Thread
from maththera.learners.database import Database
from maththera.learners.lessons import Lesson, LessonRecords
from maththera.learners.talk import anyone_talks


async def test_a_lesson_is_talk(database: Database) -> None:
    assert not await anyone_talks(database)
    await LessonRecords(database).create(Lesson("a", "s1", "arithmetic", {}))
    assert await anyone_talks(database)


async def test_a_conversation_is_talk(database: Database) -> None:
    assert not await anyone_talks(database)
    await Conversations(database).append(Thread("t", "coach", "s1", None), 1, Said("r", "안녕?", "안녕!", {}))
    assert await anyone_talks(database)
