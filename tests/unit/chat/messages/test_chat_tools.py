"""What a turn reads of the records for several of its steps."""

from maththera.chat.messages.chat_tools import Asker
from maththera.store.access.authorization import Principal


async def test_a_turn_reads_each_thing_once() -> None:
    found: list[str] = []

    async def read() -> str:
        found.append("하늘")
        return found[-1]

    asker = Asker(Principal("t1", "teacher"), "s1")
    assert [await asker.once("names", read) for _ in range(3)] == ["하늘"] * 3
    await asker.once(("answers", "s1"), read)
    assert len(found) == 2

    of_the_next_turn = Asker(asker.principal, asker.student_id)
    await of_the_next_turn.once("names", read)
    assert len(found) == 3
    assert of_the_next_turn == asker
