from maththera.learners.database import Database
from maththera.learners.records import Records, TurnRow
from maththera.learners.versions import records_version


async def test_sessions_and_answers_change_the_version_of_their_learner_alone(
    records: Records, database: Database
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
