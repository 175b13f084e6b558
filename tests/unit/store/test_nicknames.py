"""Within a class a nickname is given once, also to two who take it at the same moment."""

import asyncio

from maththera.store.classes import Classes
from maththera.store.database import Database
from maththera.store.students import StudentRecords
from tests.support.databases import migrated


async def test_of_two_that_take_a_nickname_at_once_one_gets_it(database_url: str) -> None:
    await migrated(database_url)
    databases = [Database(database_url) for _ in range(2)]  # as two workers have
    classes, records = Classes(databases[0]), [StudentRecords(one) for one in databases]
    class_id = await classes.create("반", "t")
    taken = await asyncio.gather(
        *(records[number % 2].change(f"s{number}", {"nickname": "별"}, joins=class_id) for number in range(8))
    )
    assert sorted(taken) == [False] * 7 + [True]
    found = await classes.find(class_id)
    assert found is not None
    assert [*found.members] == [f"s{taken.index(True)}"]
    assert await records[0].change("s9", {"nickname": "달"}, joins=class_id)
    assert not await records[1].change("s9", {"nickname": "별"})
    for one in databases:
        await one.close()
